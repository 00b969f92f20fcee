/// What a person says about how much one group, or every group, sees of them.
package struct SharingWord: Sendable, Equatable, Codable {
    /// What it is about.
    package enum Choice: Sendable, Equatable, Codable {
        /// How much is seen, and when it returns to `live`; nil for never by itself.
        case mode(Sharing.Mode, until: Timestamp?)
        /// Whether share pictures may show them.
        case pictures(Bool)
    }

    /// What later words replace: those of one person about one group, or every group, and one of two things.
    package struct Subject: Sendable, Hashable {
        package let user: UserID
        package let group: GroupID?
        package let isOfPictures: Bool
    }

    /// Rises with each word of a person: the latest one stands, in whatever order they are stored.
    package let id: SharingWordID
    package let user: UserID
    /// The group that it is about; nil for all of them.
    package let group: GroupID?
    package let choice: Choice

    /// Creates a word about how much is seen.
    package init(id: SharingWordID, user: UserID, group: GroupID?, mode: Sharing.Mode, until: Timestamp? = nil) {
        self.id = id
        self.user = user
        self.group = group
        self.choice = .mode(mode, until: mode == .live ? nil : until)
    }

    /// Creates a word about pictures.
    package init(id: SharingWordID, user: UserID, group: GroupID?, pictures: Bool) {
        self.id = id
        self.user = user
        self.group = group
        self.choice = .pictures(pictures)
    }

    /// What it replaces, and is replaced by.
    package var subject: Subject {
        let isOfPictures = if case .pictures = self.choice { true } else { false }
        return Subject(user: self.user, group: self.group, isOfPictures: isOfPictures)
    }

    /// Whether others may see less by it.
    package var isNarrow: Bool {
        switch self.choice {
        case .mode(let mode, _): mode != .live
        case .pictures(let isAllowed): !isAllowed
        }
    }

    /// Whether it is about a group.
    func concerns(_ group: GroupID) -> Bool { self.group == nil || self.group == group }
}
