import MusterCore
import MusterStore
import MusterWire

/// Who may use a route: decides before its handler runs, and tells the handler who asks.
///
/// A feature adds its own kinds in an extension beside its routes.
struct Access<Caller: Sendable>: Sendable {
    /// Says who asks, or throws why nobody does.
    let admit: @Sendable (RouteRequest) async throws(FrameError) -> Caller

    /// Creates a kind of access.
    init(_ admit: @escaping @Sendable (RouteRequest) async throws(FrameError) -> Caller) { self.admit = admit }
}

extension Access<Void> {
    /// Whoever asks.
    static var anybody: Self { Access { (_) async throws(FrameError) in } }
}

extension Access<UserID> {
    /// Whoever is logged in by the token of `Authorization: Bearer …`.
    static func login(_ node: ServerNode) -> Self {
        Access { (request) async throws(FrameError) in
            let directory = try node.readyDirectory()
            let token = try request.bearerToken()
            return try await node.ask { () async throws(DirectoryError) in
                try await directory.authenticate(token: token).user
            }
        }
    }
}

extension Access<BearerToken> {
    /// Whoever sends a token, which the handler looks up beside something else.
    static func bearer(_ node: ServerNode) -> Self {
        Access { (request) async throws(FrameError) in
            _ = try node.readyDirectory()
            return BearerToken(text: try request.bearerToken())
        }
    }
}

/// A token that nobody has looked up yet.
struct BearerToken: Sendable {
    let text: String
}

extension ServerNode {
    /// Reads what a request says, for a handler that looks its token up together with that.
    ///
    /// Who is logged in by no such token is told that, and nothing of what they sent.
    ///
    /// - Throws: `unauthorized`, `unavailable`, and what `read` throws.
    func reading<Value>(
        for token: BearerToken,
        _ read: () throws(FrameError) -> Value
    ) async throws(FrameError) -> Value {
        do throws(FrameError) {
            return try read()
        } catch {
            let directory = try self.readyDirectory()
            _ = try await self.ask { () async throws(DirectoryError) in
                try await directory.authenticate(token: token.text)
            }
            throw error
        }
    }
}
