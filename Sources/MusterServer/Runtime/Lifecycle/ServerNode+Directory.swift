import EventLoop
import MusterCore
import MusterWire
import Postgres
import Synchronization
import WebSocketGateway

extension ServerNode {
    /// Logs the end of failures, after the directory has answered.
    func noteSuccess() {
        let event = self.failures.withLock { failures in
            failures.succeeded(at: self.clock.milliseconds) { LogEvent(.info, "requests succeed again") }
        }
        if let event { self.logger.log(event, component: "requests") }
    }

    /// Converts an error to an error of the wire, and logs it unless the caller caused it.
    func frameError(_ error: any Error) -> FrameError {
        let answer = FrameError(error)
        // A cancelled task has no receiver for its answer.
        if !Task.isCancelled, answer.code == .internal || error is PostgresError {
            let event = self.failures.withLock { failures in
                failures.failed(at: self.clock.milliseconds) {
                    LogEvent(.warning, "a request failed", [("error", String(reflecting: error))])
                }
            }
            if let event { self.logger.log(event, component: "requests") }
        }
        return answer
    }

    /// The address that identifies a client without an account; of IPv6 its network.
    ///
    /// It is nil when the address stands for too many clients to limit their rate. This applies to this machine's own
    /// address, and to a proxy that does not name its client.
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

    /// The base address of links: the operator's choice, the address that the client uses, or that of the listener.
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
