import EventLoop
import MusterCore
import MusterStore
import MusterWire
import Synchronization
import WebSocketGateway

extension ServerNode {
    /// Asks the directory, and says its failures in the words of the wire.
    func ask<Value>(_ body: () async throws(DirectoryError) -> Value) async throws(FrameError) -> Value {
        do throws(DirectoryError) {
            let value = try await body()
            let event = self.failures.withLock { failures in
                failures.succeeded(at: self.clock.milliseconds) { LogEvent(.info, "requests are answered again") }
            }
            if let event { self.logger.log(event, component: "requests") }
            return value
        } catch {
            throw self.frameError(error)
        }
    }

    /// Says a failure of the directory in the words of the wire, and logs what is no fault of the one who asked.
    func frameError(_ error: DirectoryError) -> FrameError {
        // Nobody misses the answer to a task that was cancelled.
        if !Task.isCancelled, error.underlyingError != nil || error.code == .internal {
            let event = self.failures.withLock { failures in
                failures.failed(at: self.clock.milliseconds) {
                    LogEvent(.warning, "a request failed", [("error", error.debugDescription)])
                }
            }
            if let event { self.logger.log(event, component: "requests") }
        }
        return FrameError(error, tag: nil)
    }

    /// The address by which a client without an account is known, of IPv6 its network, or nil when it stands for too many to be
    /// metered: this machine's own, and a proxy's that does not say for whom it speaks.
    func strangerAddress(of request: HTTPRequest) -> String? {
        self.ownAddress(of: request).map(ClientAddress.network)
    }

    private func ownAddress(of request: HTTPRequest) -> String? {
        let limits = self.configuration.gateway.limits
        guard limits.exemptAddresses.contains(request.peerAddress) else {
            return limits.exemptsLoopback && Self.isLoopback(request.peerAddress) ? nil : request.peerAddress
        }
        return ClientAddress.metered(
            peer: request.peerAddress,
            forwarded: request.headers["x-forwarded-for"],
            trusted: limits.exemptAddresses
        ) { hop in
            let event = ClientAddress.unreadable(hop, from: request.peerAddress)
            if self.strangerLines.admits(event.message) { self.logger.log(event, component: "gateway") }
        }
    }

    private static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }

    /// The address in front of links: what an operator chose, what the client uses, or where we listen.
    func linkBase(host: String?) -> String {
        self.configuration.publicURL ?? host.map { "\(self.scheme)://\($0)" } ?? self.url
    }

    private var scheme: String { self.configuration.gateway.tls == nil ? "http" : "https" }

    /// The address at which the gateway listens.
    var url: String {
        let gateway = self.configuration.gateway
        let host = gateway.host.contains(":") ? "[\(gateway.host)]" : gateway.host
        return "\(self.scheme)://\(host):\(self.gateway?.port ?? gateway.port)"
    }
}

extension FrameError {
    /// The same error as the answer to a request.
    func tagged(_ tag: RequestTag?) -> FrameError {
        var error = self
        error.tag = tag
        return error
    }
}
