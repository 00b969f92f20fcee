import MusterCore
import MusterWire
import Postgres

extension Directory {
    /// How long a sign-in may take at the provider, in milliseconds.
    static let flowLifetime: Int64 = 600_000
    /// How long a ticket is valid, in milliseconds.
    static let ticketLifetime: Int64 = 60_000

    /// Stores a sign-in that begins.
    ///
    /// - Throws: `unavailable`.
    func begin(_ flow: SignInFlow, state: AccessToken, tab: AccessToken) async throws {
        try await self.query(
            """
            INSERT INTO muster.login_flow (id, provider, purpose, user_id, login_id, return_to, is_fresh, state_hash,
                flow_hash, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .id(self.nextID(at: flow.startedAt) as Identifier<SignInFlow>), .text(flow.provider),
                .text(flow.purpose.rawValue), .optional(flow.asker?.user.rawValue),
                .optional(flow.asker?.login.rawValue), .text(flow.returnTo), .bool(flow.isFresh), .bytea(state.hash),
                .bytea(tab.hash), .timestamptz(flow.startedAt), .timestamptz(flow.startedAt + Self.flowLifetime),
            ]
        )
    }

    /// Keeps the code of a sign-in that came back, and replaces its state by a ticket.
    ///
    /// - Throws: `unavailable`.
    /// - Returns: where the browser goes; nil when no sign-in at this provider waits for the state.
    func keepCode(
        _ code: [UInt8],
        issuer: String?,
        state: String,
        provider: String,
        ticket: AccessToken
    ) async throws -> String? {
        let result = try await self.query(
            """
            UPDATE muster.login_flow SET state_hash = NULL, ticket_hash = $3, code = $4, response_issuer = $5,
                expires_at = $6
            WHERE state_hash = $1 AND provider = $2 AND expires_at > $7 RETURNING return_to
            """,
            [
                .bytea(AccessToken(text: state).hash), .text(provider), .bytea(ticket.hash), .bytea(code),
                .optional(issuer), .timestamptz(self.now + Self.ticketLifetime), .timestamptz(self.now),
            ]
        )
        return try result.first?.text("return_to")
    }

    /// Ends a sign-in that came back with an error.
    ///
    /// - Throws: `unavailable`.
    /// - Returns: where the browser goes; nil when no sign-in at this provider waits for the state.
    func endFlow(state: String, provider: String) async throws -> String? {
        let result = try await self.query(
            """
            DELETE FROM muster.login_flow WHERE state_hash = $1 AND provider = $2 AND expires_at > $3
            RETURNING return_to
            """,
            [.bytea(AccessToken(text: state).hash), .text(provider), .timestamptz(self.now)]
        )
        return try result.first?.text("return_to")
    }

    /// Removes the sign-in of a ticket, which is spent whatever follows.
    ///
    /// - Throws: `gone` when there is none, `unavailable`.
    func takeFlow(ticket: String) async throws -> ReturnedFlow {
        let result = try await self.query(
            """
            DELETE FROM muster.login_flow WHERE ticket_hash = $1
            RETURNING provider, purpose, user_id, login_id, return_to, is_fresh, flow_hash, code, response_issuer,
                created_at, expires_at
            """,
            [.bytea(AccessToken(text: ticket).hash)]
        )
        guard let row = result.first else { throw Self.ticketGone }
        let flow = ReturnedFlow(
            flow: SignInFlow(
                provider: try row.text("provider"),
                purpose: try row.choice("purpose"),
                asker: try row.isNull("login_id")
                    ? nil : Authentication(user: try row.id("user_id"), login: try row.id("login_id")),
                returnTo: try row.text("return_to"),
                isFresh: try row.bool("is_fresh"),
                startedAt: try row.timestamp("created_at")
            ),
            flowHash: try row.bytes("flow_hash"),
            code: try row.bytes("code"),
            issuer: try row.optionalText("response_issuer"),
            expiresAt: try row.timestamp("expires_at")
        )
        guard flow.expiresAt > self.now else { throw Self.ticketGone }
        return flow
    }

    /// Deletes sign-ins and announced logouts that are over.
    ///
    /// - Throws: `unavailable`.
    func sweepSignIns(at now: Timestamp) async throws {
        try await self.query("DELETE FROM muster.login_flow WHERE expires_at <= $1", [.timestamptz(now)])
        try await self.query(
            "DELETE FROM muster.logout_seen WHERE seen_at <= $1",
            [.timestamptz(now - Self.logoutMemory)]
        )
    }

    private static var ticketGone: FrameError {
        FrameError(.gone, message: "This sign-in is over or was used already; begin it again.")
    }
}
