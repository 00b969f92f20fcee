/// A member of a group, as its gathering machine knows them.
struct GatheringMember: Sendable, Equatable {
    /// How long in milliseconds one who was usable still counts as taking part.
    static let memory: Int64 = 24 * 3_600_000

    /// Who.
    let user: UserID
    /// Whether they share `live`; others take no part.
    var isSharingLive: Bool
    /// Their last position that was used; nil when they take no part or never had one.
    var position: MemberPosition?
    /// Until when their last position is usable.
    var usableUntil: Timestamp?

    /// Until when they count in S.
    var countsUntil: Timestamp? { self.usableUntil.map { $0 + Self.memory } }
}
