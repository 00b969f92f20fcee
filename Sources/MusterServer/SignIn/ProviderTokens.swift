import MusterCore

/// The tokens of a provider for one login.
struct ProviderTokens: Sendable, Codable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case access = "access_token"
        case identity = "id_token"
        case refresh = "refresh_token"
    }

    /// The access token.
    var access: String?
    /// The ID token, which a logout at the provider names.
    var identity: String?
    /// The refresh token.
    var refresh: String?
}

/// An account at a provider, after all checks.
struct VerifiedIdentity: Sendable, Equatable {
    let provider: String
    let issuer: String
    let subject: String
    /// The session at the provider, if it is named.
    var session: String?
    /// When the provider made the token.
    var issuedAt: Timestamp
    /// The name to show, if it is known.
    var name: String?
    /// The name for logging in there, if it is known.
    var username: String?
    /// Whether the claims satisfy `require`.
    var isAdmitted: Bool
}
