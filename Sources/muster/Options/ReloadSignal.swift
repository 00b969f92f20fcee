import Dispatch
import Foundation

/// SIGHUP as a wish to read files anew, for as long as it is kept.
final class ReloadSignal {
    private let source: any DispatchSourceSignal

    /// Takes the signal over, which would end the process otherwise.
    init(_ reload: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        self.source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        self.source.setEventHandler(handler: reload)
        self.source.resume()
    }
}

@available(*, unavailable)
extension ReloadSignal: Sendable {}
