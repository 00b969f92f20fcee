/// A requested change of a user's sharing setting for one group or for every group.
package struct SharingChange: Sendable, Equatable {
    /// The aspect that it changes.
    package enum Choice: Sendable, Equatable {
        /// The precision, and the time at which it returns to `live`; nil when it does not expire.
        case mode(Sharing.Mode, until: Timestamp?)
        /// Whether share pictures may show the user.
        case pictures(Bool)
    }

    /// The key by which later changes replace earlier ones: user, group or all groups, and aspect.
    package struct Subject: Sendable, Hashable {
        package let user: UserID
        package let group: GroupID?
        let isOfPictures: Bool
    }

    /// The id, which rises with each change of a user.
    ///
    /// The latest change wins, in whatever order they are stored.
    package let id: SharingChangeID
    package let user: UserID
    /// The group; nil for all groups.
    package let group: GroupID?
    package let choice: Choice

    /// Creates a change of the precision.
    package init(id: SharingChangeID, user: UserID, group: GroupID?, mode: Sharing.Mode, until: Timestamp? = nil) {
        self.id = id
        self.user = user
        self.group = group
        self.choice = .mode(mode, until: mode == .live ? nil : until)
    }

    /// Creates a change of the permission for pictures.
    package init(id: SharingChangeID, user: UserID, group: GroupID?, pictures: Bool) {
        self.id = id
        self.user = user
        self.group = group
        self.choice = .pictures(pictures)
    }

    /// The key that this change shares with those it replaces.
    package var subject: Subject {
        let isOfPictures = if case .pictures = self.choice { true } else { false }
        return Subject(user: self.user, group: self.group, isOfPictures: isOfPictures)
    }

    /// Whether the change may reduce visibility.
    package var isNarrow: Bool {
        switch self.choice {
        case .mode(let mode, _): mode != .live
        case .pictures(let isAllowed): !isAllowed
        }
    }

    /// Whether the change applies to a group.
    func concerns(_ group: GroupID) -> Bool { self.group == nil || self.group == group }
}
