extension RosterEntry.Position.Fields {
    /// Every field that can be absent.
    static let all: Self = [.place, .accuracy, .altitude, .speed, .course, .battery]
}

extension RosterEntry.Position {
    /// The fields that are present.
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

/// A member of a loaded group, with the published roster entry.
struct MemberState {
    /// Both parts of a published entry, and the versions at which they changed.
    private struct Published {
        var profile: RosterEntry.Profile
        var profileVersion: UInt64
        var positionVersion: UInt64
        var position: RosterEntry.Position
    }

    /// The parts of a member that may have changed.
    enum Mark {
        case nothing
        /// The position only.
        case position
        case everything
    }

    let user: UserID
    var sharing: Sharing
    var role: GroupSnapshot.Role
    /// Position fields that any version of this epoch carried.
    var everShown: RosterEntry.Position.Fields = []
    /// Whether any version of this epoch carried a `lastSeen`.
    var everHadLastSeen = false
    /// The parts to compare at the end of the batch.
    var mark = Mark.nothing
    /// The state published last; nil until the first time.
    private var last: Published?

    /// The entry published last; nil until the first time.
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

    /// Creates a member without a published state.
    init(user: UserID, role: GroupSnapshot.Role, sharing: Sharing) {
        self.user = user
        self.role = role
        self.sharing = sharing
    }

    /// Publishes the member's current state as `version`; returns the changed parts, nil when there are none.
    mutating func publish(_ view: MemberView, version: UInt64) -> RosterEntry? {
        let mark = self.mark
        self.mark = .nothing
        var position = view.position(of: self.user, sharing: self.sharing)
        let present = position.present
        self.everShown.formUnion(present)
        position.withdrawn = self.everShown.subtracting(present)
        // A move does not affect the profile.
        if mark == .position, self.last != nil { return self.publish(position, version: version) }

        var profile = view.profile(of: self.user, role: self.role, sharing: self.sharing.mode)
        self.everHadLastSeen = self.everHadLastSeen || profile.lastSeen != nil
        profile.withdrawsLastSeen = self.everHadLastSeen && profile.lastSeen == nil
        guard let known = self.last?.profile else {
            self.last = Published(
                profile: profile,
                profileVersion: version,
                positionVersion: version,
                position: position
            )
            return self.published
        }
        guard known != profile else { return self.publish(position, version: version) }
        self.last?.profile = profile
        self.last?.profileVersion = version
        var change = self.publish(position, version: version) ?? RosterEntry(user: self.user)
        change.profile = profile
        change.profileVersion = version
        change.positionVersion = self.last?.positionVersion ?? version
        return change
    }

    private mutating func publish(_ position: RosterEntry.Position, version: UInt64) -> RosterEntry? {
        guard self.last?.position != position else { return nil }
        self.last?.position = position
        self.last?.positionVersion = version
        return RosterEntry(
            user: self.user,
            profileVersion: self.last?.profileVersion ?? version,
            position: position,
            positionVersion: version
        )
    }
}
