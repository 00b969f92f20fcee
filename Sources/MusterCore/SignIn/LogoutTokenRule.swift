/// The rule by which the claims of a logout token are accepted (OpenID Connect Back-Channel Logout, section 2.6).
package struct LogoutTokenRule: Sendable {
    /// What a logout token ends.
    package struct Logout: Sendable, Equatable {
        /// The number of the token, which is used once.
        package let identifier: String
        /// The session at the provider; nil for all of the subject.
        package let session: String?
        /// The subject.
        package let subject: String?
        /// The time of issue.
        package let issuedAt: Timestamp
    }

    /// The member of `events` that makes a token a logout token.
    package static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// The greatest age of a token, in milliseconds.
    package static let age: Int64 = 300_000

    let issuer: String
    let client: String
    let audiences: Set<String>

    /// Creates a rule for one provider.
    package init(issuer: String, client: String, audiences: Set<String> = []) {
        self.issuer = issuer
        self.client = client
        self.audiences = audiences
    }

    /// Checks claims and the media type of the token.
    ///
    /// - Throws: the first problem.
    package func check(_ claims: TokenClaims, type: String?, now: Timestamp) throws(TokenProblem) -> Logout {
        if let type {
            let name = type.lowercased()
            guard ["jwt", "logout+jwt", "application/logout+jwt"].contains(name) else { throw .type }
        }
        guard claims["iss"]?.text == self.issuer else { throw .issuer }
        try IDTokenRule.checkAudience(of: claims, client: self.client, others: self.audiences)
        guard let issue = claims.issuedAt, issue <= now + IDTokenRule.skew,
            issue + Self.age + IDTokenRule.skew >= now
        else { throw .issuedAt }
        if let expiry = claims["exp"] {
            guard let time = expiry.time, time + IDTokenRule.skew > now else { throw .expired }
        }
        guard case .object(let events) = claims["events"], case .object = events[Self.event] else { throw .event }
        guard claims["nonce"] == nil else { throw .nonce }
        guard let identifier = claims["jti"]?.text, (1...255).contains(identifier.utf8.count),
            !identifier.utf8.contains(0)
        else { throw .identifier }
        guard claims["sub"] == nil || claims.subject != nil else { throw .subject }
        guard claims["sid"] == nil || claims.session != nil else { throw .target }
        guard claims.session != nil || claims.subject != nil else { throw .target }
        return Logout(
            identifier: identifier,
            session: claims.session,
            subject: claims.subject,
            issuedAt: issue
        )
    }
}
