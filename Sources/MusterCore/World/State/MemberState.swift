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
    /// Both parts of an entry, and the versions at which they changed.
    private struct Published {
        var profile: RosterEntry.Profile
        var profileVersion: UInt64
        var positionVersion: UInt64
        var position: RosterEntry.Position
    }

    let user: UserID
    var sharing: Sharing
    var role: GroupSnapshot.Role
    /// Position fields that any version of this epoch carried.
    var everShown: RosterEntry.Position.Fields = []
    /// Whether any version of this epoch carried a `lastSeen`.
    var everHadLastSeen = false
    /// Whether the end of the turn looks at them.
    var isMarked = false
    /// What was last published; nil until the first time.
    private var last: Published?

    /// The entry as last published; nil until the first time.
    var published: RosterEntry? {
        self.last.map { last in
            RosterEntry(
                user: self.user,
                profile: last.profile,
                profileVersion: last.profileVersion,
                position: last.position,
                positionVersion: last.positionVersion
            )
        }
    }

    /// Creates a member of whom nothing was published yet.
    init(user: UserID, role: GroupSnapshot.Role, sharing: Sharing) {
        self.user = user
        self.role = role
        self.sharing = sharing
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

        guard var last = self.last else {
            self.last = Published(
                profile: parts.profile,
                profileVersion: version,
                positionVersion: version,
                position: parts.position
            )
            return self.published
        }
        var change = RosterEntry(user: self.user)
        if last.profile != parts.profile {
            last.profile = parts.profile
            last.profileVersion = version
            change.profile = parts.profile
        }
        if last.position != parts.position {
            last.position = parts.position
            last.positionVersion = version
            change.position = parts.position
        }
        self.last = last
        guard change.profile != nil || change.position != nil else { return nil }
        change.profileVersion = last.profileVersion
        change.positionVersion = last.positionVersion
        return change
    }
}
