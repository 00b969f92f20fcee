import MusterCore
import MusterStore

// The JSON of PROTOCOL 10 about accounts, one type a body.

/// `POST /v1/accounts`.
struct SignUpBody: Decodable {
    let username: String
    let password: String
    let name: String
}

/// `POST /v1/sessions`.
struct LogInBody: Decodable {
    let username: String
    let password: String
}

/// `PATCH /v1/me`; `"avatar": null` removes the picture, its absence keeps it.
struct ProfileBody: Decodable {
    private enum CodingKeys: CodingKey {
        case name
        case avatar
    }

    let change: ProfileChange

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let avatar: ProfileChange.Avatar =
            if !fields.contains(.avatar) {
                .unchanged
            } else if let address = try fields.decodeIfPresent(String.self, forKey: .avatar) {
                .replaced(address)
            } else {
                .removed
            }
        self.change = ProfileChange(name: try fields.decodeIfPresent(String.self, forKey: .name), avatar: avatar)
    }
}

/// A person as others see them.
struct UserBody: Encodable {
    private enum CodingKeys: CodingKey {
        case id
        case name
        case avatar
    }

    let profile: UserProfile

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(self.profile.id, forKey: .id)
        try fields.encode(self.profile.name, forKey: .name)
        // An explicit null: the field is always there.
        try fields.encode(self.profile.avatar, forKey: .avatar)
    }
}

/// The answer to signing up and logging in.
struct CredentialsBody: Encodable {
    let user: UserBody
    let token: String
    let expiresAt: Timestamp

    init(_ credentials: Credentials) {
        self.user = UserBody(profile: credentials.user)
        self.token = credentials.token
        self.expiresAt = credentials.expiresAt
    }
}

/// One's own profile.
struct AccountBody: Encodable {
    private enum CodingKeys: CodingKey {
        case id
        case username
        case name
        case avatar
    }

    let account: Account

    init(_ account: Account) { self.account = account }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(self.account.profile.id, forKey: .id)
        try fields.encode(self.account.username, forKey: .username)
        try fields.encode(self.account.profile.name, forKey: .name)
        try fields.encode(self.account.profile.avatar, forKey: .avatar)
    }
}
