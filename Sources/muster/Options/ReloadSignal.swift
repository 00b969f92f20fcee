import Dispatch
import Foundation

/// Handles SIGHUP as a request to reload files, for the lifetime of the object.
final class ReloadSignal {
    private let source: any DispatchSourceSignal

    /// Installs the handler; without it the signal would end the process.
    init(_ reload: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        self.source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: .global())
        self.source.setEventHandler(handler: reload)
        self.source.resume()
    }
}

@available(*, unavailable)
extension ReloadSignal: Sendable {}
