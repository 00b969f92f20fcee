import Dispatch
package import EventLoop
import Foundation
import Synchronization

/// Waits for SIGTERM or SIGINT.
///
/// Terminals, `timeout` and supervisors often send several signals for one request to end. So signals after the first
/// are ignored; only another Ctrl-C more than a second later ends the process at once.
package final class TerminationSignals {
    private static let timeout: Int64 = 1000

    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Installs handlers for both signals.
    ///
    /// - Parameters:
    ///   - clock: measures the time since the first signal.
    ///   - begin: called at the first signal, on a separate thread.
    package init(clock: MonotonicClock = .system, begin: @escaping @Sendable () -> Void = {}) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let first = SharedMoment()
        self.stream = stream
        // A separate queue: the global queues also run Swift's tasks, which may block.
        let queue = DispatchQueue(label: "signals")
        self.sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let now = clock.milliseconds
                let since = first.setOnce(now)
                if since == now {
                    begin()
                    continuation.yield()
                }
                if number == SIGINT, now - since > Self.timeout { exit(130) }
            }
            source.resume()
            return source
        }
    }

    /// Returns after the first signal.
    package func first() async {
        for await _ in self.stream { break }
    }
}

@available(*, unavailable)
extension TerminationSignals: Sendable {}

/// A time that is set once, by the first of several threads.
private final class SharedMoment: Sendable {
    private let moment = Mutex<Int64?>(nil)

    /// Sets the time unless it is set, and returns it.
    func setOnce(_ now: Int64) -> Int64 {
        self.moment.withLock { moment in
            if let moment { return moment }
            moment = now
            return now
        }
    }
}
