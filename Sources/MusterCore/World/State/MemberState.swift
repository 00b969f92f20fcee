/// What a member shows to one group at a moment, before versions.
struct MemberParts {
    var profile: RosterEntry.Profile
    var position: RosterEntry.Position
}

extension RosterEntry.Position.Fields {
    /// Every field that can be absent.
    static let all: Self = [.place, .accuracy, .altitude, .speed, .course, .battery]
}

extension RosterEntry.Position {
    /// The fields that are there.
    var present: Fields {
        var fields: Fields = []
        if self.coordinate != nil { fields.insert(.place) }
        if self.accuracy != nil { fields.insert(.accuracy) }
        if self.altitude != nil { fields.insert(.altitude) }
        if self.speed != nil { fields.insert(.speed) }
        if self.course != nil { fields.insert(.course) }
        if self.battery != nil { fields.insert(.battery) }
        return fields
    }
}

/// A member of a group that the world holds, with what the roster says of them.
struct MemberState {
    let user: UserID
    var role: GroupSnapshot.Role
    var sharing: Sharing
    let joinedAt: Timestamp
    /// The entry as last published; nil until the first time.
    private(set) var published: RosterEntry?
    /// Position fields that any version of this epoch carried.
    var everShown: RosterEntry.Position.Fields = []
    /// Whether any version of this epoch carried a `lastSeen`.
    var everHadLastSeen = false
    /// Whether the end of the turn looks at them.
    var isMarked = false

    /// Creates a member of whom nothing was published yet.
    init(user: UserID, role: GroupSnapshot.Role, sharing: Sharing, joinedAt: Timestamp) {
        self.user = user
        self.role = role
        self.sharing = sharing
        self.joinedAt = joinedAt
    }

    /// Takes over what they show now as `version`; returns the parts that changed, nil when none did.
    mutating func publish(_ parts: MemberParts, version: UInt64) -> RosterEntry? {
        self.isMarked = false
        var parts = parts
        let present = parts.position.present
        self.everShown.formUnion(present)
        parts.position.withdrawn = self.everShown.subtracting(present)
        self.everHadLastSeen = self.everHadLastSeen || parts.profile.lastSeen != nil
        parts.profile.withdrawsLastSeen = self.everHadLastSeen && parts.profile.lastSeen == nil

        var entry = self.published ?? RosterEntry(user: self.user)
        var change = RosterEntry(user: self.user)
        if entry.profile != parts.profile {
            entry.profile = parts.profile
            entry.profileVersion = version
            change.profile = parts.profile
        }
        if entry.position != parts.position {
            entry.position = parts.position
            entry.positionVersion = version
            change.position = parts.position
        }
        self.published = entry
        guard change.profile != nil || change.position != nil else { return nil }
        change.profileVersion = entry.profileVersion
        change.positionVersion = entry.positionVersion
        return change
    }
}
