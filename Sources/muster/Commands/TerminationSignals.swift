import Dispatch
import Foundation

/// SIGTERM and SIGINT as something to wait for.
///
/// A second signal ends the process at once.
final class TerminationSignals {
    private let stream: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// Takes the two signals over.
    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        self.sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    /// Returns when the first signal has come, and lets the next one kill.
    func first() async {
        for await _ in self.stream { break }
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
        for source in self.sources { source.cancel() }
    }
}

@available(*, unavailable)
extension TerminationSignals: Sendable {}
