import MusterCore

/// Numbers notifications like storage: per user, and the same number for a repeated subject.
struct ReplayNumbers {
    private struct Subject: Hashable {
        let user: UserID
        let kind: String
        let subject: String
    }

    private var last: [UserID: Int64] = [:]
    private var known: [Subject: Int64] = [:]

    /// Returns the number of a notification.
    mutating func number(_ record: NotificationRecord) -> Int64 {
        let subject = record.content.subject.map {
            Subject(user: record.user, kind: record.content.kind, subject: $0)
        }
        if let number = subject.flatMap({ self.known[$0] }) { return number }
        let number = self.last[record.user, default: 0] + 1
        self.last[record.user] = number
        if let subject { self.known[subject] = number }
        return number
    }
}
