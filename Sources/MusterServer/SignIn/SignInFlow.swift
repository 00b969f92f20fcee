import MusterCore

/// The purpose of a sign-in.
enum SignInPurpose: String, Sendable, CaseIterable {
    /// A new login.
    case login
    /// A link of the identity to the account that asks.
    case link
    /// A proof of who uses a login.
    case confirm
}

/// A sign-in under way, as it is stored.
struct SignInFlow: Sendable {
    let provider: String
    let purpose: SignInPurpose
    /// Who links or confirms, and by which login; nil for a login.
    let asker: Authentication?
    let returnTo: String
    let isFresh: Bool
    let startedAt: Timestamp
}

/// A sign-in that came back from the provider.
struct ReturnedFlow: Sendable {
    let flow: SignInFlow
    /// The hash of the secret that stays in the tab.
    let flowHash: [UInt8]
    /// The provider's code, sealed.
    let code: [UInt8]
    /// The issuer that the way back named.
    let issuer: String?
    let expiresAt: Timestamp
}

/// Where a new login comes from, when another provider made it.
struct LoginSource: Sendable {
    let identity: IdentityID
    let session: String?
    let provider: String
    /// The provider's tokens, sealed.
    let tokens: [UInt8]
}

/// The id of a linked identity.
typealias IdentityID = Identifier<LinkedIdentity>

/// An account at another provider that leads to an account here.
struct LinkedIdentity: Sendable {
    let id: IdentityID
    let provider: String
    let createdAt: Timestamp
    let lastLoginAt: Timestamp
}
