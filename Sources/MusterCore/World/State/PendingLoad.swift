/// A group that is being read, and who wants it.
struct PendingLoad {
    /// Sessions that cannot be let in before.
    var sessions: [SessionID] = []
    /// Whether a report without a session wants its position shown there.
    var isForReport = false
    /// Questions about its layer that wait for it.
    var questions: [AtlasRequest] = []
    /// Requests that want to know what it shows.
    var views: [Int64] = []
    /// The revision that deleted the group in the meantime; what was read before it is void.
    var deletedBy: Int64?

    /// Whether nobody waits for it any more.
    var isForNobody: Bool {
        self.sessions.isEmpty && !self.isForReport && self.questions.isEmpty && self.views.isEmpty
    }
}
