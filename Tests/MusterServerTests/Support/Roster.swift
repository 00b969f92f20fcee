import MusterWire

/// A client's view of a group's roster, from `roster` and `update` frames.
struct Roster {
    /// A member's fields as last received; withdrawn fields are absent.
    struct Member {
        private(set) var fields: [String: JSONValue] = [:]

        subscript(_ key: String) -> JSONValue? { self.fields[key] }

        var presence: String { self.fields["presence"]?.string ?? "" }
        var sharing: String { self.fields["sharing"]?.string ?? "" }
        var latitude: Double? { self.fields["lat"]?.double }
        var longitude: Double? { self.fields["lon"]?.double }

        mutating func merge(_ member: JSONValue) {
            for (key, value) in member.fields { self.fields[key] = value.isNull && key != "avatar" ? nil : value }
        }
    }

    private(set) var epoch = ""
    private(set) var version: Int64 = 0
    private(set) var members: [String: Member] = [:]
    private(set) var gathering: JSONValue?

    /// The member, or one without fields.
    subscript(_ user: String) -> Member { self.members[user] ?? Member() }

    /// Applies a `roster` or `update` frame as a client does.
    mutating func apply(_ frame: Frame) {
        if frame.type == "roster" {
            if frame["full"].bool == true { self.members = [:] }
            self.epoch = frame["epoch"].string ?? ""
            if !frame["gathering"].isAbsent { self.gathering = frame["gathering"] }
        }
        self.version = frame["version"].int ?? 0
        for member in frame["members"].elements {
            guard let user = member["user"].string else { continue }
            self.members[user, default: Member()].merge(member)
        }
        for user in frame["gone"].strings { self.members[user] = nil }
    }
}
