import MusterCore
import MusterStore

// The JSON of PROTOCOL 10, one type a body.

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

/// The answer to `GET /v1/invites/{code}`.
struct InviteBody: Encodable {
    struct Group: Encodable {
        let name: String
        let members: Int
    }

    struct Inviter: Encodable {
        let id: UserID
        let name: String
    }

    let code: String
    let group: Group
    let inviter: Inviter
    let expiresAt: Timestamp

    init(code: String, _ preview: InvitePreview) {
        self.code = code
        self.group = Group(name: preview.groupName, members: preview.memberCount)
        self.inviter = Inviter(id: preview.inviter.id, name: preview.inviter.name)
        self.expiresAt = preview.expiresAt
    }
}

/// The answer to `GET /v1/groups/{id}/gatherings`; `next` is the `after` of the page that follows, null at the end.
struct GatheringsBody: Encodable {
    struct Gathering: Encodable {
        let gathering: GatheringID
        let state: GatheringStatus.State
        let since: Timestamp
        let endedAt: Timestamp?
        let place: GatheringPlace
        let participants: [LeftWithoutYou.Companion]
    }

    private enum CodingKeys: CodingKey {
        case gatherings
        case next
    }

    private let gatherings: [Gathering]
    private let next: GatheringID?

    init(_ gatherings: [PastGathering], isFull: Bool) {
        self.gatherings = gatherings.map {
            Gathering(
                gathering: $0.id,
                state: $0.state,
                since: $0.since,
                endedAt: $0.endedAt,
                place: $0.place,
                participants: $0.participants
            )
        }
        self.next = isFull ? gatherings.last?.id : nil
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(self.gatherings, forKey: .gatherings)
        try fields.encode(self.next, forKey: .next)
    }
}

/// The answer to `POST /v1/locations`: the `ack` frame, in which malformed fixes have the reason `bad_fix`.
struct ReportBody: Encodable {
    struct Rejection: Encodable {
        let seq: Int64
        let reason: String
    }

    let type = "ack"
    let seq: Int64
    let rejected: [Rejection]

    private enum CodingKeys: CodingKey {
        case type
        case seq
        case rejected
    }

    init(_ outcome: ReportOutcome, malformed: [Int64]) {
        self.seq = outcome.acknowledgement.sequence
        let stored = outcome.acknowledgement.rejected.map { Rejection(seq: $0.sequence, reason: $0.verdict.rawValue) }
        let unstored = (malformed + outcome.malformed).map { Rejection(seq: $0, reason: "bad_fix") }
        self.rejected = (stored + unstored).sorted { $0.seq < $1.seq }
    }
}

/// An error as RFC 9457 has it, with the code of PROTOCOL 9.
struct ProblemBody: Encodable {
    let type = "about:blank"
    let title: String
    let status: Int
    let detail: String
    let code: String
    let field: String?
    let retryAfter: Int64?

    private enum CodingKeys: CodingKey {
        case type
        case title
        case status
        case detail
        case code
        case field
        case retryAfter
    }
}
