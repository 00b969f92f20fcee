package import MusterCore

/// A person's own view of their account.
package struct Account: Sendable, Equatable {
    /// The name for logging in.
    package var username: String
    /// What others see.
    package var profile: UserProfile

    /// Creates a view.
    package init(username: String, profile: UserProfile) {
        self.username = username
        self.profile = profile
    }
}

/// The result of a login.
package struct Credentials: Sendable, Equatable {
    /// The user of the login.
    package var user: UserProfile
    /// The secret that the client keeps; the database holds only its hash.
    package var token: String
    /// When the token expires.
    package var expiresAt: Timestamp
}

/// The user and the login that a token belongs to.
package struct Authentication: Sendable, Equatable {
    /// The person.
    package var user: UserID
    /// The login that made the token.
    package var login: LoginID
}

/// A change to a profile; nil fields stay unchanged.
package struct ProfileChange: Sendable, Equatable {
    /// The change to the avatar.
    package enum Avatar: Sendable, Equatable {
        case unchanged
        case removed
        /// Replaced by a photo that the user uploaded as an avatar.
        case replaced(PhotoID)
    }

    /// The new name.
    package var name: String?
    /// The change to the avatar.
    package var avatar: Avatar

    /// Creates a change.
    package init(name: String? = nil, avatar: Avatar = .unchanged) {
        self.name = name
        self.avatar = avatar
    }
}

/// A `hello` that was accepted.
package struct Admission: Sendable, Equatable {
    package var arrival: Arrival
    package var login: LoginID
    /// When the token expires.
    package var expiresAt: Timestamp

    /// Creates an admission.
    package init(arrival: Arrival, login: LoginID, expiresAt: Timestamp) {
        self.arrival = arrival
        self.login = login
        self.expiresAt = expiresAt
    }
}
