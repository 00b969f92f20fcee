import MusterCore
import MusterWire

/// The access rule of a route: checks a request before the handler runs, and passes the caller to the handler.
///
/// A feature adds its own rules in an extension next to its routes.
struct Access<Caller: Sendable>: Sendable {
    /// Returns the caller, or throws the reason of the refusal.
    let admit: @Sendable (RouteRequest) async throws -> Caller

    /// Creates an access rule.
    init(_ admit: @escaping @Sendable (RouteRequest) async throws -> Caller) { self.admit = admit }
}

extension Access<Void> {
    /// Admits every request.
    static var anybody: Self { Access { _ in } }
}

extension Access<UserID> {
    /// Admits the user whose token is in `Authorization: Bearer …`.
    static func login(_ node: ServerNode) -> Self {
        Access { request in
            let directory = try node.readyDirectory()
            let token = try request.bearerToken()
            let user = try await directory.authenticate(token: token).user
            node.noteSuccess()
            return user
        }
    }
}

extension Access<BearerToken> {
    /// Admits every request with a token, which the handler looks up together with other data.
    static func bearer(_ node: ServerNode) -> Self {
        Access { request in
            _ = try node.readyDirectory()
            return BearerToken(text: try request.bearerToken())
        }
    }
}

/// A token that has not been looked up yet.
struct BearerToken: Sendable {
    let text: String
}

extension ServerNode {
    /// Reads the content of a request, for a handler that looks its token up together with that content.
    ///
    /// If the content is invalid, the token is checked first. A client with an invalid token learns only that.
    ///
    /// - Throws: `unauthorized`, `unavailable`, and the error of `read`.
    func reading<Value>(
        for token: BearerToken,
        _ read: () throws(FrameError) -> Value
    ) async throws -> Value {
        do throws(FrameError) {
            return try read()
        } catch {
            let directory = try self.readyDirectory()
            _ = try await directory.authenticate(token: token.text)
            throw error
        }
    }
}
