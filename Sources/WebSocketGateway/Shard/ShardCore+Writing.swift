import EventLoop
import MusterWire
import Synchronization

extension ShardCore {
    /// The size at which a joined write ends.
    ///
    /// More output is split into several writes.
    private static let joinedBytes = 262_144

    /// Writes all due output at the end of this tick.
    func flush() {
        guard self.plan.hasDue else { return }
        let (began, started) = (Pacer.now, Pacer.threadTime)
        self.plan.beginWriting(at: began)
        var batch: [Connection?] = []
        while self.plan.nextBatch(&batch) {
            for index in batch.indices {
                // Moved out, because releasing a reference later would access the connection's memory once more.
                guard let connection = batch[index].take() else { continue }
                connection.isDue = false
                connection.waitsSince = nil
                // Prefetched while the kernel writes.
                if index + 2 < batch.count { Prefetch.lines(of: batch, at: index + 2, count: Connection.busyLines) }
                self.flush(connection)
            }
        }
        self.framePool.reclaim()
        self.plan.endWriting(cost: Pacer.threadTime - started, time: Pacer.now - began)
    }

    /// Handles that the kernel accepts bytes again, or that libwebsockets has written its own output.
    func becameWritable(_ connection: Connection) {
        guard !connection.socket.hasUnwrittenTail else { return }
        connection.blockedSince = nil
        self.plan.write(to: connection, at: Pacer.now)
    }

    /// Checks whether the client accepts any of the written bytes.
    ///
    /// Called a few times within the write deadline.
    ///
    /// One large frame on a slow link can take longer than the deadline, so only a complete standstill counts.
    func checkWriting(_ connection: Connection) {
        connection.isWriteWatched = false
        guard var since = connection.blockedSince else { return }
        let acknowledged = connection.socket.acknowledgedBytes
        if acknowledged != connection.acknowledgedBytes {
            connection.acknowledgedBytes = acknowledged
            connection.blockedSince = self.now
            since = self.now
        }
        if since + self.configuration.timing.writeDeadline > self.now {
            self.monitorWriting(connection)
        } else {
            self.cutOff(connection, .tooSlow)
        }
    }

    private func monitorWriting(_ connection: Connection) {
        guard !connection.isWriteWatched else { return }
        connection.isWriteWatched = true
        self.schedule(.writeDeadline(connection.id), after: max(1, self.configuration.timing.writeDeadline / 5))
    }

    /// Closes a connection that accepts no bytes: drops its queued output, and cuts it off soon.
    func cutOff(_ connection: Connection, _ code: CloseCode) {
        connection.outgoing.removeAll()
        connection.queuedBytes = 0
        connection.state = .closeSent(code)
        guard !connection.isClosedByPeer else { return connection.socket.kill() }
        self.scratch.removeAll(keepingCapacity: true)
        // Written after the tail that libwebsockets still holds, so that a client that resumes learns the reason.
        FrameHeader.appendClose(number: code.number, reason: code.reason, to: &self.scratch)
        if connection.socket.write(&self.scratch) {
            self.schedule(.closeDeadline(connection.id), after: 1000)
        } else {
            connection.socket.kill()
        }
    }

    private func flush(_ connection: Connection) {
        if connection.blockedSince != nil {
            // Queued responses of a blocked client are bounded, and topics use no more space while they wait.
            if case .closing(let code) = connection.state { self.cutOff(connection, code) }
            return
        }
        // Moved out, because each access through the connection would count the references of all elements.
        var queue = InlineQueue<Connection.Outgoing>()
        swap(&queue, &connection.outgoing)
        var next = 0
        repeat {
            self.scratch.removeAll(keepingCapacity: true)
            if connection.owesPong { self.joinPongs(connection) }
            var frames = 0
            next = self.join(queue, of: connection, from: next, counting: &frames)
            if next == queue.count { self.joinControlFrames(connection) }
            guard !self.scratch.isEmpty else { break }
            self.counters.wrote(bytes: self.scratch.count, frames: frames)
            switch connection.socket.write(frames: &self.scratch, isEncrypted: self.configuration.tls != nil) {
            case .whole: break
            case .withTail: self.becameBlocked(connection)
            case .failed:
                connection.blockedSince = self.now
                connection.socket.kill()
                return
            }
        } while next < queue.count && connection.blockedSince == nil
        guard next < queue.count else { return }
        queue.removeFirst(next)
        connection.outgoing = queue
        if connection.queuedBytes > self.configuration.limits.queuedBytes { self.cutOff(connection, .tooSlow) }
    }

    private func becameBlocked(_ connection: Connection) {
        connection.blockedSince = self.now
        connection.acknowledgedBytes = connection.socket.acknowledgedBytes
        self.monitorWriting(connection)
        connection.socket.requestWritable()
    }

    /// Joins queued output into `scratch`, starting with item `first`.
    ///
    /// - Returns: the first item that was not joined.
    private func join(
        _ queue: InlineQueue<Connection.Outgoing>,
        of connection: Connection,
        from first: Int,
        counting frames: inout Int
    ) -> Int {
        if case .closeSent = connection.state { return queue.count }
        var next = first
        while next < queue.count, self.scratch.count < Self.joinedBytes {
            switch queue[next] {
            case .text(let payload):
                connection.queuedBytes -= Int32(clamping: payload.count)
                FrameHeader.appendText(payload, to: &self.scratch)
                frames += 1
                next += 1
            case .topic(let subscription) where subscription.channel.rules.joinsTopics:
                next = self.joinTopics(queue, from: next, counting: &frames)
            case .topic(let subscription):
                self.bringUpToDate(subscription) { payload in
                    FrameHeader.appendText(payload, to: &self.scratch)
                    frames += 1
                }
                next += 1
            }
        }
        return next
    }

    /// Joins consecutive topics of one key in `queue` into one frame.
    ///
    /// - Returns: the first item that was not joined.
    private func joinTopics(
        _ queue: InlineQueue<Connection.Outgoing>,
        from first: Int,
        counting frames: inout Int
    ) -> Int {
        var channel: TopicChannel?
        var pieces: [[UInt8]] = []
        var next = first
        while next < queue.count, case .topic(let subscription) = queue[next] {
            let id = subscription.channel.topic.id
            if let known = channel?.topic.id, known.kind != id.kind || known.key != id.key { break }
            channel = subscription.channel
            self.bringUpToDate(subscription) { pieces.append($0) }
            next += 1
        }
        guard let channel, !pieces.isEmpty else { return next }
        var frame: [UInt8] = []
        channel.kind.appendJoined(pieces, of: channel.topic, to: &frame)
        FrameHeader.appendText(frame, to: &self.scratch)
        frames += 1
        return next
    }

    private func bringUpToDate(_ subscription: Subscription, send: ([UInt8]) -> Void) {
        subscription.isQueued = false
        let channel = subscription.channel
        channel.bringUpToDate(subscription, memory: { self.framePool.lend(to: channel) }, send: send)
        if channel.keepsFrames, !channel.isFramed { self.noteFrames(of: channel) }
    }

    private func noteFrames(of channel: TopicChannel) {
        channel.isFramed = true
        self.framedChannels.append(channel)
    }

    private func joinPongs(_ connection: Connection) {
        connection.owesPong = false
        switch connection.state {
        case .open, .closing:
            if !connection.isClosedByPeer { self.scratch.append(contentsOf: connection.pongs) }
        case .closeSent, .gone: break
        }
        connection.pongs = []
    }

    private func joinControlFrames(_ connection: Connection) {
        switch connection.state {
        case .open:
            guard connection.owesPing else { return }
            connection.owesPing = false
            FrameHeader.appendPing(to: &self.scratch)
        case .closing(let code):
            if !connection.isClosedByPeer {
                FrameHeader.appendClose(number: code.number, reason: code.reason, to: &self.scratch)
            }
            connection.state = .closeSent(code)
        case .closeSent, .gone: return
        }
    }
}
