import MusterCore

/// The ways to log in.
struct ProvidersBody: Encodable {
    /// A provider with a button.
    struct Provider: Encodable {
        let id: String
        let name: String
        let available: Bool
    }

    let passwords: Bool
    let providers: [Provider]
}

/// The beginning of a sign-in.
struct SignInStartBody: Encodable {
    let url: String
    let flow: String
}

/// The identities of a user.
struct IdentitiesBody: Encodable {
    /// One identity, without its subject.
    struct Identity: Encodable {
        let id: IdentityID
        let provider: String
        let name: String
        let at: Timestamp
        let lastLoginAt: Timestamp
    }

    let password: Bool
    let identities: [Identity]
}

/// The rest of a logout, which the browser does.
struct LogoutBody: Encodable {
    let logoutUrl: String
}
