import MusterCore
import MusterWire

// The JSON of public/docs/protocol.md#connect about accounts, with one type for each body.

/// The body of `POST /v1/accounts`.
struct SignUpBody: Decodable {
    let username: String
    let password: String
    let name: String
}

/// The body of `POST /v1/sessions`.
struct LogInBody: Decodable {
    let username: String
    let password: String
    /// The key of the device, as in `hello`; nil when it is absent.
    let device: String?
}

/// The body of `PATCH /v1/me`; `"avatar": null` removes the avatar, and its absence keeps it.
struct ProfileBody: Decodable {
    private enum CodingKeys: CodingKey {
        case name
        case avatar
    }

    private let name: String?
    /// The id of a photo; nil when the field is absent, and a nested nil for `null`.
    private let avatar: String??

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.name = try fields.decodeIfPresent(String.self, forKey: .name)
        self.avatar =
            fields.contains(.avatar) ? .some(try fields.decodeIfPresent(String.self, forKey: .avatar)) : nil
    }

    /// The requested change.
    ///
    /// - Throws: `badRequest` when the avatar is not the id of a photo, for example a web address.
    func change() throws(FrameError) -> ProfileChange {
        switch self.avatar {
        case nil: return ProfileChange(name: self.name)
        case .some(nil): return ProfileChange(name: self.name, avatar: .removed)
        case .some(let text?):
            guard let photo = PhotoID(text) else {
                let message = "avatar must be the id of a photo that you uploaded, or null."
                throw FrameError(.badRequest, message: message, field: "avatar")
            }
            return ProfileChange(name: self.name, avatar: .replaced(photo))
        }
    }
}

/// A user as other users see them.
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
        // An explicit null, because the field is always present.
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

/// The user's own profile.
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
