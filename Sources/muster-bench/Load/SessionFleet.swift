import EventLoop
import MusterClient
import MusterCommands

/// Real sessions on one thread: connects them, sends `hello`, and waits until each is ready.
final class SessionFleet {
    /// The state of a session.
    enum Phase: UInt8 {
        case away
        case connecting
        case handshake
        case ready
    }

    /// A handler of frames for ready sessions; the bytes are valid only during the call.
    typealias FrameHandler = (_ session: Int, _ frame: UnsafeRawBufferPointer) -> Void

    /// The sockets.
    let loop: ClientLoop
    /// The handler of frames for ready sessions.
    var onFrame: FrameHandler = { _, _ in }
    /// The number of ready sessions.
    private(set) var readyCount = 0
    /// The number of ready sessions that the server or the network closed.
    private(set) var dropped = 0
    /// The number of connections that failed before they were ready.
    private(set) var failedAttempts = 0
    /// The reason of the last closed connection.
    private(set) var lastEnd = ""
    /// The time at which each session became ready, in nanoseconds of the monotonic clock.
    private(set) var readyAt: [Int64]

    private let handshake: any FleetHandshake
    private let clock = MonotonicClock.system
    private var phases: [Phase]
    /// The connection of each session; 0 for none.
    private var connections: [Int]
    /// The session of each connection.
    private var sessions: [Int] = []
    private var retries: [Int] = []

    /// Creates `count` sessions; none is connected yet.
    init(_ count: Int, server: Endpoint, handshake: any FleetHandshake) {
        self.handshake = handshake
        // Few events per turn, so that the load often checks for due fixes.
        self.loop = ClientLoop(host: server.host, port: server.port, eventsPerIteration: 128)
        self.readyAt = Array(repeating: 0, count: count)
        self.phases = Array(repeating: .away, count: count)
        self.connections = Array(repeating: 0, count: count)
    }

    /// The number of sessions, ready or not.
    var count: Int { self.phases.count }

    /// Connects disconnected sessions, at most `window` at a time, and waits until `target` sessions are ready.
    func connect(
        upTo target: Int? = nil,
        window: Int,
        timeout: Int64 = 120_000,
        _ context: BenchContext
    ) throws(BenchError) {
        let target = target ?? self.count
        let deadline = self.clock.milliseconds + timeout
        var next = 0
        while self.readyCount < target {
            while self.loop.count - self.readyCount < window, self.loop.count < target,
                let session = self.nextRetry() ?? self.nextAway(&next)
            {
                self.open(session)
                // Read answers before all connections are opened.
                if session.isMultiple(of: 64) { self.iterate(timeoutNanoseconds: 0) }
            }
            self.iterate(timeoutNanoseconds: 20_000_000)
            context.progress.show("connecting", self.readyCount, of: target)
            try context.checkStop()
            guard self.clock.milliseconds < deadline else {
                throw BenchError("only \(self.readyCount) of \(target) sessions connected; last error: \(self.lastEnd)")
            }
        }
    }

    /// Receives frames for the given time.
    func listen(seconds: Double, _ context: BenchContext) throws(BenchError) {
        let end = self.clock.nanoseconds + Int64(seconds * 1e9)
        while case let left = end - self.clock.nanoseconds, left > 0 {
            self.iterate(timeoutNanoseconds: min(left, 100_000_000))
            try context.checkStop()
        }
    }

    /// Cuts every connection without a close handshake.
    func cutAll() {
        for session in self.connections.indices where self.connections[session] != 0 {
            self.loop.cut(self.connections[session])
            self.forget(session)
        }
    }

    /// Sends a frame from a ready session.
    func send(_ frame: UnsafeRawBufferPointer, from session: Int) {
        self.loop.send(bytes: frame, on: self.connections[session])
    }

    /// Waits for the sockets and reads the received frames.
    func iterate(timeoutNanoseconds: Int64) {
        self.loop.iterate(timeoutNanoseconds: timeoutNanoseconds) { [self] connection, text in
            let session = self.sessions[connection]
            guard self.phases[session] != .ready else { return self.onFrame(session, text) }
            self.handshaken(session, Array(text))
        } _: { [self] connection, event in
            let session = self.sessions[connection]
            switch event {
            case .opened:
                self.phases[session] = .handshake
                self.loop.send(self.handshake.hello(of: session), on: connection)
            case .text(let bytes):
                guard self.phases[session] == .ready else { return self.handshaken(session, bytes) }
                bytes.withUnsafeBytes { self.onFrame(session, $0) }
            case .refused(let answer):
                self.ended(session, "refused with \(answer.status)")
            case .closed(let number, let reason):
                self.ended(session, "closed with \(number) \(reason)")
            case .binary, .ping, .pong:
                break
            }
        }
    }

    private func nextAway(_ next: inout Int) -> Int? {
        while next < self.count {
            defer { next += 1 }
            if self.phases[next] == .away { return next }
        }
        return nil
    }

    private func nextRetry() -> Int? { self.retries.popLast() }

    private func open(_ session: Int) {
        let connection = self.loop.open(path: self.handshake.path, subprotocol: self.handshake.subprotocol)
        while self.sessions.count <= connection { self.sessions.append(0) }
        self.sessions[connection] = session
        self.connections[session] = connection
        self.phases[session] = .connecting
    }

    /// Handles a frame that arrives before the session is ready.
    private func handshaken(_ session: Int, _ frame: [UInt8]) {
        switch self.handshake.receive(frame, by: session) {
        case .wait: break
        case .refused(let reason): self.lastEnd = reason
        case .ready:
            self.phases[session] = .ready
            self.readyAt[session] = self.clock.nanoseconds
            self.readyCount += 1
        }
    }

    private func ended(_ session: Int, _ reason: String) {
        self.lastEnd = reason
        if self.phases[session] == .ready {
            self.dropped += 1
        } else {
            self.failedAttempts += 1
            self.retries.append(session)
        }
        self.forget(session)
    }

    private func forget(_ session: Int) {
        if self.phases[session] == .ready { self.readyCount -= 1 }
        self.phases[session] = .away
        self.connections[session] = 0
    }
}

@available(*, unavailable)
extension SessionFleet: Sendable {}
