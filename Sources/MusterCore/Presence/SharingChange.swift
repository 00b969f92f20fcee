/// A requested change of a user's sharing setting for one group or for every group.
package struct SharingChange: Sendable, Equatable {
    /// The aspect that it changes.
    package enum Choice: Sendable, Equatable {
        /// The precision, the time at which it ends, nil when it does not expire, and what follows.
        case mode(Sharing.Mode, until: Timestamp?, then: Sharing.After)
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
    ///
    /// An end after which the precision is the same is none.
    package init(
        id: SharingChangeID,
        user: UserID,
        group: GroupID?,
        mode: Sharing.Mode,
        until: Timestamp? = nil,
        then: Sharing.After = .live
    ) {
        self.id = id
        self.user = user
        self.group = group
        let until = mode.rawValue == then.rawValue ? nil : until
        self.choice = .mode(mode, until: until, then: until == nil ? .live : then)
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

    /// Whether the change may reduce visibility before its end.
    package var isNarrow: Bool {
        switch self.choice {
        case .mode(let mode, _, _): mode != .live
        case .pictures(let isAllowed): !isAllowed
        }
    }

    /// Whether the change applies to a group.
    func concerns(_ group: GroupID) -> Bool { self.group == nil || self.group == group }
}
