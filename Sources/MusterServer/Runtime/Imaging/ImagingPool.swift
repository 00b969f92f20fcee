import EventLoop
import Glibc
import ImagingWire
import Synchronization
import WebSocketGateway

// A hostile picture costs one child and nothing else. The server passes the bytes to a process that may open neither
// files nor connections. Its memory and time are limited, and it is killed when it does not answer. A child may also be
// killed from outside: by an operator, or by a system that needs its memory. This is no fault of the picture, which is
// tried once more.
//
// The threads and the queue are those of a private `BlockingPool`. Children start on demand; a child that has answered
// waits for the next picture.

/// Converts bytes to pictures in child processes, a few at a time.
final class ImagingPool: Sendable {
    /// The limits of concurrency, of the queue, and of time.
    struct Limits: Sendable {
        /// The maximum number of children.
        var children = 2
        /// The maximum number of waiting pictures; further ones are refused.
        var waiting = 16
        /// Milliseconds from sending a picture to a child until its answer.
        var deadline: Int64 = 10_000
    }

    /// The counters of one operation.
    struct Counts: Sendable {
        /// The durations of children, whatever they answered.
        var seconds = Histogram.seconds
        /// Pictures that wait for a child.
        var waiting = 0
        /// Failures by reason.
        var failures: [ImagingFailure: Int] = [:]
    }

    private struct State {
        var idle: [ImagingChild] = []
        var counts: [ImagingOperation: Counts] = [:]
        var isClosed = false
    }

    private let program: String?
    private let limits: Limits
    private let clock: MonotonicClock
    private let logger: Logger
    private let threads: BlockingPool
    private let state = Mutex(State())
    /// Failed starts of a child.
    private let starts = Mutex(FailureLog())
    /// Limits the lines about children that died, which a client's pictures can cause.
    private let deaths: RepeatGate

    /// Creates a pool; nothing is started yet.
    ///
    /// - Parameters:
    ///   - program: the path of `muster-imaging`; nil when there is none, and every operation fails.
    ///   - limits: the limits of the pool.
    ///   - clock: measures operations and their deadlines.
    ///   - logger: logs children that died.
    init(program: String?, limits: Limits = Limits(), clock: MonotonicClock = .system, logger: Logger) {
        self.program = program
        self.limits = limits
        self.clock = clock
        self.logger = logger
        self.deaths = RepeatGate(clock: clock)
        // One more thread, which a pool reserves for work other than jobs.
        self.threads = BlockingPool(threads: limits.children + 1, limit: limits.children + limits.waiting)
    }

    /// The counters so far, for every operation.
    var counts: [ImagingOperation: Counts] {
        let counts = self.state.withLock { $0.counts }
        return Dictionary(uniqueKeysWithValues: ImagingOperation.allCases.map { ($0, counts[$0] ?? Counts()) })
    }

    /// The process ids of idle children; for tests.
    var idleProcesses: [pid_t] { self.state.withLock { $0.idle.map(\.process) } }

    /// Converts bytes to pictures.
    ///
    /// - Throws: the reason of the failure.
    func make(_ operation: ImagingOperation, of bytes: [UInt8]) async throws(ImagingFailure) -> [Picture] {
        let request = ImagingRequest(operation, bytes)
        self.count(operation) { $0.waiting += 1 }
        let result = await self.threads.job { () -> Result<[Picture], ImagingFailure> in
            self.count(operation) { $0.waiting -= 1 }
            return self.run(request)
        }
        if result == nil { self.count(operation) { $0.waiting -= 1 } }
        do throws(ImagingFailure) {
            return try (result ?? .failure(.busy)).get()
        } catch {
            self.count(operation) { $0.failures[error, default: 0] += 1 }
            throw error
        }
    }

    /// Ends the children after the work in progress.
    ///
    /// Blocks.
    func close() {
        self.threads.close()
        let idle = self.state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for child in idle { child.end() }
    }

    // MARK: On a thread of the pool

    /// Runs a request in a child; in a second one, if the first was killed from outside.
    private func run(_ request: ImagingRequest) -> Result<[Picture], ImagingFailure> {
        let start = self.clock.nanoseconds
        defer {
            let seconds = Double(self.clock.nanoseconds - start) / 1e9
            self.count(request.operation) { $0.seconds.observe(seconds) }
        }
        for child in [self.checkOutChild, self.startChild] {
            guard let child = child() else { return .failure(.unavailable) }
            do throws(ImagingChild.Silence) {
                let reply = try child.perform(request, within: self.limits.deadline)
                self.giveBack(child)
                switch reply {
                case .made(let pictures): return .success(pictures)
                case .refused(let refusal): return .failure(.refused(refusal))
                }
            } catch {
                if let failure = self.failure(of: child, error, request) { return .failure(failure) }
            }
        }
        return .failure(.unavailable)
    }

    /// Ends a child that gave no answer.
    ///
    /// - Returns: the failure; nil when another attempt makes sense.
    private func failure(
        of child: ImagingChild,
        _ silence: ImagingChild.Silence,
        _ request: ImagingRequest
    ) -> ImagingFailure? {
        let signal = child.end()
        let what: (text: String, failure: ImagingFailure?) =
            switch (silence, signal) {
            case (.late, _): ("took too long", .deadly)
            case (.nonsense, _): ("sent an invalid answer", .deadly)
            case (.gone, SIGKILL), (.gone, SIGTERM): ("was killed", nil)
            // A child ends by itself only when it cannot start, for example without its libraries.
            case (.gone, 0): ("could not start; `muster-imaging --check` says why", .unavailable)
            case (.gone, _): ("crashed", .deadly)
            }
        if self.deaths.admits(what.text) {
            self.logger.warning(
                "an imaging process \(what.text)",
                ["imaging.operation": .text(request.operation.rawValue), "imaging.signal": .number(Int64(signal))]
            )
        }
        return what.failure
    }

    /// An idle child, or a new one.
    private func checkOutChild() -> ImagingChild? { self.state.withLock { $0.idle.popLast() } ?? self.startChild() }

    private func startChild() -> ImagingChild? {
        guard let program = self.program, let child = ImagingChild(program: program, clock: self.clock) else {
            self.log(
                self.starts.withLock { starts in
                    starts.failed(at: self.clock.milliseconds) {
                        LogEvent(
                            .error,
                            "no imaging process can be started",
                            [("program", self.program ?? "")]
                        )
                    }
                }
            )
            return nil
        }
        self.log(
            self.starts.withLock { starts in
                starts.succeeded(at: self.clock.milliseconds) { LogEvent(.info, "children decode pictures again") }
            }
        )
        return child
    }

    private func log(_ event: LogEvent?) {
        if let event { self.logger.log(event, component: "imaging") }
    }

    private func giveBack(_ child: ImagingChild) {
        let isKept = self.state.withLock { state in
            guard !state.isClosed, !child.isOld else { return false }
            state.idle.append(child)
            return true
        }
        if !isKept { child.end() }
    }

    private func count(_ operation: ImagingOperation, _ change: (inout Counts) -> Void) {
        self.state.withLock { change(&$0.counts[operation, default: Counts()]) }
    }
}
