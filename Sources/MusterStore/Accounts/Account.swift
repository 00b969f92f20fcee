package import MusterCore

/// A person's own view of their account.
package struct Account: Sendable, Equatable {
    /// The name they log in with.
    package var username: String
    /// What others see.
    package var profile: UserProfile

    /// Creates a view.
    package init(username: String, profile: UserProfile) {
        self.username = username
        self.profile = profile
    }
}

/// What a login hands out.
package struct Credentials: Sendable, Equatable {
    /// Who logged in.
    package var user: UserProfile
    /// The secret that the client keeps; the database holds only its hash.
    package var token: String
    /// When the token dies.
    package var expiresAt: Timestamp
}

/// Whom a token stands for.
package struct Authentication: Sendable, Equatable {
    /// The person.
    package var user: UserID
    /// The login that made the token.
    package var login: LoginID
}

/// A change to a profile; what is nil stays as it is.
package struct ProfileChange: Sendable, Equatable {
    /// What becomes of a face.
    package enum Avatar: Sendable, Equatable {
        case unchanged
        case removed
        /// By a photo of the person's own, cut for a face.
        case replaced(PhotoID)
    }

    /// The new name.
    package var name: String?
    /// What becomes of the face.
    package var avatar: Avatar

    /// Creates a change.
    package init(name: String? = nil, avatar: Avatar = .unchanged) {
        self.name = name
        self.avatar = avatar
    }
}

/// An account after a change, and the groups that must hear of it.
package struct ProfileUpdate: Sendable, Equatable {
    package var account: Account
    package var groups: [GroupSnapshot]
}

/// A `hello` that was accepted.
package struct Admission: Sendable, Equatable {
    package var arrival: Arrival
    package var login: LoginID
    /// When the token dies.
    package var expiresAt: Timestamp

    /// Describes an admission.
    package init(arrival: Arrival, login: LoginID, expiresAt: Timestamp) {
        self.arrival = arrival
        self.login = login
        self.expiresAt = expiresAt
    }
}
