import EventLoop
import MusterWire

/// What a shard's timer wheel reminds it of.
enum WheelToken {
    /// The application should have marked the connection as established.
    case helloDeadline(ConnectionID)
    /// It is time for a ping, or to give up on a silent client.
    case heartbeat(ConnectionID)
    /// It is time to look whether a client still takes bytes.
    case writeDeadline(ConnectionID)
    /// The client should have answered the close frame.
    case closeDeadline(ConnectionID)
    /// The body of a request should have come.
    case bodyDeadline(RequestID)
    /// Something of a request's body should have come.
    case bodySilence(RequestID)
    /// The body of a request has come whole, in chunks.
    case bodyEnded(RequestID)
    /// It is time to look whether the client of a streamed answer is still there.
    case answerDeadline(RequestID)
    /// The client of a refused request should have closed.
    case refusalDeadline(RequestID)
    /// The application asked for it.
    case application(ConnectionID, UInt8)
}

extension ShardCore {
    func schedule(_ token: WheelToken, after milliseconds: Int64) {
        self.wheel.schedule(token, at: self.now + milliseconds)
    }

    func timeAdvanced() {
        self.turnTime = nil
        self.plan.advance(to: Pacer.now)
        self.wheel.advance(to: self.now, into: &self.expired)
        // Swapped out, because what fires may schedule; and back, so that a turn without timers allocates nothing.
        var expired: [WheelToken] = []
        swap(&expired, &self.expired)
        for token in expired { self.fire(token) }
        expired.removeAll(keepingCapacity: true)
        swap(&expired, &self.expired)
        self.sweepTopics()
        self.continueDrain()
    }

    /// Lets go, once a second, of frames that were joined for many, for whoever is up to date wants none of them again, and
    /// of tails of logs to which nothing was added for long enough.
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
            // Nothing can come by a connection that is not being read.
            if connection.isPaused || self.isAllPaused { connection.lastReceived = self.now }
            let patience = connection.lastReceived + 2 * interval - self.now
            guard patience > 0 else { return self.close(connection, .timedOut) }
            connection.owesPing = true
            self.plan.write(to: connection, at: Pacer.now)
            self.schedule(token, after: min(interval, patience))
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
