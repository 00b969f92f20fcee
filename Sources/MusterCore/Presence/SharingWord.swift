/// What a person says about how much one group, or every group, sees of them.
package struct SharingWord: Sendable, Equatable, Codable {
    /// Rises with each word of a person: the latest one stands, in whatever order they are stored.
    package let id: SharingWordID
    package let user: UserID
    /// The group that it is about; nil for all of them.
    package let group: GroupID?
    package let mode: Sharing.Mode
    /// When sharing returns to `live`; nil for never by itself.
    package let until: Timestamp?

    /// Creates a word.
    package init(id: SharingWordID, user: UserID, group: GroupID?, mode: Sharing.Mode, until: Timestamp? = nil) {
        self.id = id
        self.user = user
        self.group = group
        self.mode = mode
        self.until = mode == .live ? nil : until
    }

    /// Whether it is about a group.
    func concerns(_ group: GroupID) -> Bool { self.group == nil || self.group == group }
}
