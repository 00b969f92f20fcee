import MusterCore

// The JSON of public/docs/protocol.md#follow-a-group about groups, with one type for each body.

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
