package import MusterCore
import Postgres

/// A person's own view of their account.
struct Account: Sendable, Equatable {
    /// The name for logging in.
    var username: String
    /// What others see.
    var profile: UserProfile
}

/// The result of a login.
package struct Credentials: Sendable, Equatable {
    /// The user of the login.
    package var user: UserProfile
    /// The secret that the client keeps; the database holds only its hash.
    package var token: String
    /// When the token expires.
    var expiresAt: Timestamp
}

/// A login that ended, with what ends the session at the provider that made it.
struct EndedLogin: Sendable {
    let id: LoginID
    /// The provider's id in the configuration; nil after a login by password.
    let provider: String?
    /// The provider's tokens, sealed.
    let tokens: [UInt8]?

    /// Reads a deleted row.
    init(_ row: PostgresRow) throws {
        self.id = try row.id("id")
        self.provider = try row.optionalText("provider")
        self.tokens = try row.isNull("tokens") ? nil : try row.bytes("tokens")
    }
}

/// The user and the login that a token belongs to.
struct Authentication: Sendable, Equatable {
    /// The person.
    var user: UserID
    /// The login that made the token.
    var login: LoginID
}

/// A change to a profile; nil fields stay unchanged.
struct ProfileChange: Sendable, Equatable {
    /// The new name.
    var name: String?
    /// The change to the avatar, which is a photo that the user uploaded as an avatar.
    var avatar = FieldChange<PhotoID>.unchanged
}

/// A `hello` that was accepted.
package struct Admission: Sendable, Equatable {
    package var arrival: Arrival
    var login: LoginID
    /// When the token expires.
    var expiresAt: Timestamp
}
