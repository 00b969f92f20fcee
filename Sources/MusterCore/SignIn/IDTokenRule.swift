/// The rule by which the claims of an ID token are accepted (OpenID Connect Core, section 3.1.3.7).
package struct IDTokenRule: Sendable {
    /// The tolerated difference between two clocks, in milliseconds.
    package static let skew: Int64 = 120_000
    /// The greatest age of a token, in milliseconds.
    static let age: Int64 = 600_000

    /// The provider.
    let issuer: String
    /// The name of this server at the provider.
    let client: String
    /// Other audiences that a token may name.
    let audiences: Set<String>
    /// The number of the request.
    let nonce: String
    /// `at_hash` of the access token that came along; nil without an access token.
    let accessTokenHash: String?
    /// When a request that demanded a new login was sent; nil when it did not.
    let freshSince: Timestamp?

    /// Creates a rule for the answer to one request.
    package init(
        issuer: String,
        client: String,
        audiences: Set<String> = [],
        nonce: String,
        accessTokenHash: String? = nil,
        freshSince: Timestamp? = nil
    ) {
        self.issuer = issuer
        self.client = client
        self.audiences = audiences
        self.nonce = nonce
        self.accessTokenHash = accessTokenHash
        self.freshSince = freshSince
    }

    /// Checks claims.
    ///
    /// - Returns: the subject.
    /// - Throws: the first problem.
    package func check(_ claims: TokenClaims, now: Timestamp) throws(TokenProblem) -> String {
        guard claims["iss"]?.text == self.issuer else { throw .issuer }
        try Self.checkAudience(of: claims, client: self.client, others: self.audiences)
        guard let expiry = claims["exp"]?.time, expiry + Self.skew > now else { throw .expired }
        guard let issue = claims.issuedAt, issue <= now + Self.skew, issue + Self.age + Self.skew >= now else {
            throw .issuedAt
        }
        if let start = claims["nbf"] {
            guard let time = start.time, time <= now + Self.skew else { throw .notBefore }
        }
        guard claims["nonce"]?.text == self.nonce else { throw .nonce }
        if let hash = claims["at_hash"] {
            guard let own = self.accessTokenHash, hash.text == own else { throw .accessTokenHash }
        }
        guard let subject = claims.subject else { throw .subject }
        if let since = self.freshSince, let authentication = claims["auth_time"] {
            guard let time = authentication.time, time + Self.skew >= since else { throw .authenticationTime }
        }
        return subject
    }

    /// Checks that a token is for one client and, besides it, only for admitted audiences.
    static func checkAudience(
        of claims: TokenClaims,
        client: String,
        others: Set<String>
    ) throws(TokenProblem) {
        guard let audience = claims.audience, audience.contains(client),
            audience.allSatisfy({ $0 == client || others.contains($0) })
        else { throw .audience }
        guard let party = claims["azp"] else {
            guard audience.allSatisfy({ $0 == client }) else { throw .authorizedParty }
            return
        }
        guard party.text == client else { throw .authorizedParty }
    }
}
