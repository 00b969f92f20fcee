import EventLoop
import MusterWire
import Synchronization

extension ShardCore {
    /// Bytes joined into one write; more than that goes out in several.
    private static let joinedBytes = 262_144

    /// Writes what this turn has queued.
    func flush() {
        guard !self.dirty.isEmpty else { return }
        let (began, started) = (Pacer.now, Pacer.threadTime)
        self.beginTopicRests(at: began)
        defer {
            let cost = Pacer.threadTime - started
            self.writing.add(cost)
            self.writingCost = max(self.writingCost, cost)
            self.writingTime = max(self.writingTime, Pacer.now - began)
        }
        self.flushes += 1
        // Writing can kill a connection, whose end can make others dirty: go on until nobody is.
        while !self.dirty.isEmpty {
            var batch: [Connection] = []
            swap(&batch, &self.dirty)
            for connection in batch {
                connection.isDirty = false
                connection.boardedAt = nil
                self.flush(connection)
            }
            if self.dirty.isEmpty {
                batch.removeAll(keepingCapacity: true)
                self.dirty = batch
            }
        }
    }

    /// The kernel takes bytes again, or libwebsockets has something of its own to do.
    func becameWritable(_ socket: Socket) -> Int32 {
        guard case .connection(let connection) = socket.use else { return 0 }
        guard !connection.handle.hasUnwrittenTail else { return 0 }
        connection.blockedSince = nil
        self.markDirty(connection)
        return 0
    }

    /// Looks, a few times within the deadline, whether the client takes any of what was written.
    ///
    /// One large frame on a slow link can keep the kernel busy for longer than the deadline; only standstill counts.
    func checkWriting(_ connection: Connection) {
        connection.isWriteWatched = false
        guard var since = connection.blockedSince else { return }
        let acknowledged = connection.handle.acknowledgedBytes
        if acknowledged != connection.acknowledgedBytes {
            connection.acknowledgedBytes = acknowledged
            connection.blockedSince = self.now
            since = self.now
        }
        if since + self.configuration.timing.writeDeadline > self.now {
            self.watchWriting(connection)
        } else {
            self.cutOff(connection, .tooSlow)
        }
    }

    private func watchWriting(_ connection: Connection) {
        guard !connection.isWriteWatched else { return }
        connection.isWriteWatched = true
        self.schedule(.writeDeadline(connection.id), after: max(1, self.configuration.timing.writeDeadline / 5))
    }

    /// Closes a connection that takes no bytes: what waits for it is dropped, and it is cut off soon.
    func cutOff(_ connection: Connection, _ code: CloseCode) {
        connection.outgoing.removeAll()
        connection.queuedBytes = 0
        connection.state = .closeSent(code)
        self.scratch.removeAll(keepingCapacity: true)
        // Behind the tail that libwebsockets holds: a client that wakes up learns why.
        FrameHeader.appendClose(number: code.number, reason: code.reason, to: &self.scratch)
        if connection.handle.write(&self.scratch) {
            self.schedule(.closeDeadline(connection.id), after: 1000)
        } else {
            connection.handle.kill()
        }
    }

    private func flush(_ connection: Connection) {
        if connection.blockedSince != nil {
            // Queued answers of a client that takes nothing are bounded; topics wait without growing.
            if case .closing(let code) = connection.state { self.cutOff(connection, code) }
            return
        }
        var next = 0
        var didFinish = false
        while !didFinish {
            self.scratch.removeAll(keepingCapacity: true)
            next = self.join(connection, from: next)
            if next == connection.outgoing.count {
                self.joinControlFrames(connection)
                didFinish = true
            }
            guard !self.scratch.isEmpty else { break }
            self.counters.bytesOut.wrappingAdd(self.scratch.count, ordering: .relaxed)
            self.counters.writes.wrappingAdd(1, ordering: .relaxed)
            guard connection.handle.write(&self.scratch) else {
                connection.outgoing.removeAll()
                connection.blockedSince = self.now
                connection.handle.kill()
                return
            }
            if connection.handle.hasUnwrittenTail {
                connection.blockedSince = self.now
                connection.acknowledgedBytes = connection.handle.acknowledgedBytes
                self.watchWriting(connection)
                connection.handle.requestWritable()
                break
            }
        }
        if next == connection.outgoing.count {
            connection.outgoing.removeAll()
        } else {
            connection.outgoing.removeFirst(next)
            if connection.queuedBytes > self.configuration.limits.queuedBytes { self.cutOff(connection, .tooSlow) }
        }
    }

    /// Joins queued frames into `scratch`, starting with item `first`.
    ///
    /// - Returns: the first item that was not joined.
    private func join(_ connection: Connection, from first: Int) -> Int {
        if case .closeSent = connection.state { return connection.outgoing.count }
        var next = first
        var frames = 0
        while next < connection.outgoing.count, self.scratch.count < Self.joinedBytes {
            switch connection.outgoing[next] {
            case .text(let payload):
                connection.queuedBytes -= payload.count
                FrameHeader.appendText(payload, to: &self.scratch)
                frames += 1
            case .topic(let subscription):
                subscription.isQueued = false
                if !subscription.channel.isFramed { self.noteFrames(of: subscription.channel) }
                subscription.channel.bringUpToDate(subscription, format: self.format) { payload in
                    FrameHeader.appendText(payload, to: &self.scratch)
                    frames += 1
                }
            }
            next += 1
        }
        if frames > 0 { self.counters.framesOut.wrappingAdd(frames, ordering: .relaxed) }
        return next
    }

    private func noteFrames(of channel: TopicChannel) {
        channel.isFramed = true
        self.framedChannels.append(channel)
    }

    private func joinControlFrames(_ connection: Connection) {
        switch connection.state {
        case .open:
            guard connection.owesPing else { return }
            connection.owesPing = false
            FrameHeader.appendPing(to: &self.scratch)
        case .closing(let code):
            FrameHeader.appendClose(number: code.number, reason: code.reason, to: &self.scratch)
            connection.state = .closeSent(code)
        case .closeSent, .gone: return
        }
    }
}
