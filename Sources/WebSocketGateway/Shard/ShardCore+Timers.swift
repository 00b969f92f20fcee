import EventLoop
import MusterWire

/// A timer of a shard's timer wheel.
enum WheelToken {
    /// The deadline for the application to mark the connection as established.
    case helloDeadline(ConnectionID)
    /// The time for a ping, or for closing a silent connection.
    case heartbeat(ConnectionID)
    /// The time to check whether a client still accepts bytes.
    case writeDeadline(ConnectionID)
    /// The deadline for the client's answer to the close frame.
    case closeDeadline(ConnectionID)
    /// The deadline for the whole body of a request.
    case bodyDeadline(RequestID)
    /// The deadline for the next bytes of a request's body.
    case bodySilence(RequestID)
    /// The end of a chunked or empty body: stops the library's timeout.
    case bodyEnded(RequestID)
    /// The time to check whether the client of a streamed response is still connected.
    case answerDeadline(RequestID)
    /// The deadline for the client of a refused request to close.
    case refusalDeadline(RequestID)
    /// A timer of the application.
    case application(ConnectionID, UInt8)
}

extension ShardCore {
    func schedule(_ token: WheelToken, after milliseconds: Int64) {
        self.wheel.schedule(token, at: self.now + milliseconds)
    }

    func timeAdvanced() {
        self.iterationTime = nil
        self.plan.advance(to: Pacer.now)
        self.wheel.advance(to: self.now, into: &self.expired)
        // Swapped out, because a timer may schedule another one. Swapped back, so that a tick without timers allocates
        // nothing.
        var expired: [WheelToken] = []
        swap(&expired, &self.expired)
        for token in expired { self.fire(token) }
        expired.removeAll(keepingCapacity: true)
        swap(&expired, &self.expired)
        self.sweepTopics()
        self.continueDrain()
    }

    /// Once a second, drops cached frames, because a connection that is up to date does not need them again.
    ///
    /// Also drops the tails of logs whose time without a change is over.
    private func sweepTopics() {
        guard !self.framedChannels.isEmpty || !self.tailedChannels.isEmpty, self.now >= self.nextSweep else { return }
        self.nextSweep = self.now + 1000
        for channel in self.framedChannels { channel.dropFrames() }
        self.framedChannels.removeAll()
        self.tailedChannels.removeAll { channel in
            guard case .tail(_, _, let milliseconds) = channel.rules.memory else { return true }
            guard channel.changedAt + milliseconds <= self.now else { return false }
            channel.forgetTail()
            return true
        }
    }

    private func fire(_ token: WheelToken) {
        switch token {
        case .helloDeadline(let id):
            guard let connection = self.connections[id], !connection.isEstablished else { return }
            self.close(connection, .timedOut)
        case .heartbeat(let id):
            guard let connection = self.connections[id], connection.isOpen else { return }
            let interval = self.configuration.timing.pingInterval
            // A paused connection cannot receive anything.
            if connection.isPaused || self.isAllPaused { connection.lastReceived = self.now }
            let timeout = connection.lastReceived + 2 * interval - self.now
            guard timeout > 0 else { return self.close(connection, .timedOut) }
            connection.owesPing = true
            self.plan.write(to: connection, at: Pacer.now)
            self.schedule(token, after: min(interval, timeout))
        case .writeDeadline(let id):
            guard let connection = self.connections[id] else { return }
            self.checkWriting(connection)
        case .closeDeadline(let id):
            self.connections[id]?.socket.kill()
        case .bodyDeadline(let id): self.bodyIsLate(id)
        case .bodySilence(let id): self.checkBody(id)
        case .bodyEnded(let id): self.bodyHasEnded(id)
        case .answerDeadline(let id): self.checkAnswer(id)
        case .refusalDeadline(let id): self.cut(id)
        case .application(let id, let token):
            guard let connection = self.connections[id], connection.isOpen else { return }
            self.events?.timerFired(token, on: connection)
        }
    }
}
