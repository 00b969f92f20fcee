/// A user removed from a group in this batch, or a member of a group deleted in it.
struct GroupDeparture {
    let user: UserID
    let group: GroupID
    /// The roster version of the removal.
    let version: UInt64
}
