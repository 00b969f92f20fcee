import MusterCore
import MusterWire

// The JSON of public/docs/protocol.md#connect about accounts, with one type for each body.

extension ProfileChange {
    /// Reads the body of `PATCH /v1/me`; `"avatar": null` removes the avatar, and its absence keeps it.
    init(reading fields: JSONFields) throws(FrameError) {
        self.name = try fields.string("name")
        let photo = try fields.string("avatar").map { (text) throws(FrameError) in
            // Not a web address, for example.
            guard let photo = PhotoID(text) else {
                throw fields.error("avatar", "must be the id of a photo that you uploaded, or null")
            }
            return photo
        }
        self.avatar = fields.change("avatar", photo)
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
