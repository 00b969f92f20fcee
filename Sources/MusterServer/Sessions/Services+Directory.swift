import MusterCore
import MusterStore
import MusterWire
import WebSocketGateway

extension Services {
    /// Asks the directory, and says its failures in the words of the wire.
    func ask<Value>(_ body: () async throws(DirectoryError) -> Value) async throws(FrameError) -> Value {
        do throws(DirectoryError) {
            return try await body()
        } catch {
            if error.underlyingError != nil || error.code == .internal {
                self.logger.warning("a request failed", ["error": .text(error.debugDescription)])
            }
            throw FrameError(error, tag: nil)
        }
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
