/// One who was taken out of a group, or whose group was deleted, in this turn.
struct GroupDeparture {
    let user: UserID
    let group: GroupID
    /// The version of the roster that says so.
    let version: UInt64
}
