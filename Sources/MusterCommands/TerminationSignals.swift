import Dispatch
package import EventLoop
import Foundation
import Synchronization

/// SIGTERM and SIGINT as something to wait for.
///
/// Terminals, `timeout` and supervisors often send more than one signal for one wish to end, so what comes after the
/// first is ignored; only another Ctrl-C after a second of waiting ends the process at once.
package final class TerminationSignals {
    private static let patience: Int64 = 1000

    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Takes the two signals over.
    ///
    /// - Parameters:
    ///   - clock: tells how long it was since the first signal.
    ///   - begin: called at the first signal, on a thread of its own.
    package init(clock: MonotonicClock = .system, begin: @escaping @Sendable () -> Void = {}) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let first = SharedMoment()
        self.stream = stream
        // Of its own: the global queues are those of Swift's tasks, which may hang.
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
                if number == SIGINT, now - since > Self.patience { exit(130) }
            }
            source.resume()
            return source
        }
    }

    /// Returns when the first signal has come.
    package func first() async {
        for await _ in self.stream { break }
    }
}

@available(*, unavailable)
extension TerminationSignals: Sendable {}

/// A moment that is set once, from whichever thread comes first.
private final class SharedMoment: Sendable {
    private let moment = Mutex<Int64?>(nil)

    /// Sets the moment unless it is set, and returns it.
    func setOnce(_ now: Int64) -> Int64 {
        self.moment.withLock { moment in
            if let moment { return moment }
            moment = now
            return now
        }
    }
}
