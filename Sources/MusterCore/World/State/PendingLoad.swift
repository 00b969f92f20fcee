/// A group that is being read, and who wants it.
struct PendingLoad {
    /// Sessions that cannot be let in before.
    var sessions: [SessionID] = []
    /// Whether a report without a session wants its position shown there.
    var isForReport = false
    /// The revision that deleted the group in the meantime; what was read before it is void.
    var deletedBy: Int64?
}
