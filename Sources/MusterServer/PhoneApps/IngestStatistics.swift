import Synchronization

/// The outcome of a report of a phone's own app.
enum IngestOutcome: String, CaseIterable, Sendable {
    /// All of it is stored, or repeats what is.
    case ok
    /// Parts of it, or all, could not be used; they are shown to the user.
    case junk
    /// Its token is unknown.
    case unauthorized
    /// It came too fast, and is to be sent again.
    case limited
    /// It could not be stored in time, and is to be sent again.
    case unavailable
    /// It is too long.
    case tooLarge = "too_large"
}

/// Counts the reports of phones' own apps.
final class IngestStatistics: Sendable {
    private let state = Mutex<[IngestOutcome: Int]>([:])

    /// The counters so far.
    var counts: [IngestOutcome: Int] { self.state.withLock { $0 } }

    /// Counts a report.
    func count(_ outcome: IngestOutcome) { self.state.withLock { $0[outcome, default: 0] += 1 } }
}
