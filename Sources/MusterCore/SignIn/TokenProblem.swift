/// The reason why the claims of a token are refused.
///
/// Its raw value stands in the log.
package enum TokenProblem: String, Error, Sendable, CaseIterable {
    /// `iss` is not the provider, byte for byte.
    case issuer
    /// `aud` does not name this client, or names others that are not admitted.
    case audience
    /// `azp` is missing where it is needed, or names another client.
    case authorizedParty = "authorized_party"
    /// `exp` has passed or is missing.
    case expired
    /// `iat` is missing, too old or ahead of now.
    case issuedAt = "issued_at"
    /// `nbf` is ahead of now.
    case notBefore = "not_before"
    /// `nonce` is not that of the request, or stands where none may.
    case nonce
    /// `at_hash` is not that of the access token.
    case accessTokenHash = "access_token_hash"
    /// `sub` is missing or longer than 255 characters.
    case subject
    /// `auth_time` is before the request that demanded a new login.
    case authenticationTime = "authentication_time"
    /// `typ` is that of another kind of token.
    case type
    /// `events` has no member of the back-channel logout, or one that is no object.
    case event
    /// `jti` is missing.
    case identifier = "jti"
    /// Neither `sid` nor `sub` is present.
    case target
}
