/// A group that is being loaded, and the requests that wait for it.
struct PendingLoad {
    /// Sessions that cannot be admitted before the group is loaded.
    var sessions: [SessionID] = []
    /// Whether a report without a session needs the group, to show its position there.
    var isForReport = false
    /// Queries for the group's tile layers.
    var questions: [ClusterRequest] = []
    /// Requests for the group's visibility snapshot.
    var views: [Int64] = []
    /// The revision that deleted the group in the meantime; a snapshot read before it is void.
    var deletedBy: Int64?

    /// Whether nothing waits for it any more.
    var isForNobody: Bool {
        self.sessions.isEmpty && !self.isForReport && self.questions.isEmpty && self.views.isEmpty
    }
}
