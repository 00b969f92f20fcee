/// The result of one check of `muster doctor`.
struct Diagnosis: Sendable {
    enum State: Sendable, Equatable {
        case fine(String)
        /// What is wrong, and how to mend it.
        case wrong(String, remedy: String)
        /// Why it was not looked at.
        case skipped(String)
    }

    /// What was looked at, such as `free disk`.
    let subject: String
    let state: State

    init(_ subject: String, _ state: State) {
        self.subject = subject
        self.state = state
    }

    var isWrong: Bool { if case .wrong = self.state { true } else { false } }

    /// `wrong  free disk: 40 MB are left. Delete something, or move --data-dir`.
    var line: String {
        switch self.state {
        case .fine(let text): "ok     \(self.subject): \(text)"
        case .wrong(let text, let remedy): "wrong  \(self.subject): \(text). \(remedy)"
        case .skipped(let text): "-      \(self.subject): \(text)"
        }
    }
}
