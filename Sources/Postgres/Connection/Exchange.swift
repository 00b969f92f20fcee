/// What was sent to the server as one unit, and what has come back for it so far.
///
/// A pipeline ends at its sync: a failure in it skips the rest of it and nothing beyond. A script ends when the server
/// has nothing more to say; a COPY in it waits for the rows.
///
/// A class, because it is changed in place at the head of a queue: for a value each of the twenty changes of a batch
/// costs an allocation.
final class Exchange {
    /// Something that the server answers.
    enum Step {
        case prepare(sql: String, name: String)
        case execute(sql: String, name: String?)
        case sync
    }

    /// What the exchange consists of.
    enum Kind {
        case pipeline([Step])
        case script
    }

    /// Names the exchange to whoever started it.
    let id: UInt64
    let kind: Kind
    var nextStep = 0
    /// Whether the step's answer was read and only the mark of its end is missing.
    var isStepAnswered = false
    var results: [PostgresResult] = []
    var failure: PostgresError?

    init(id: UInt64, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// How it went, once it is over.
    var outcome: Result<[PostgresResult], PostgresError> {
        if let failure = self.failure { .failure(failure) } else { .success(self.results) }
    }

    /// Keeps the first failure: what follows it are its consequences.
    func fail(_ error: PostgresError) {
        if self.failure == nil { self.failure = error }
    }
}

@available(*, unavailable)
extension Exchange: Sendable {}

/// The end of an exchange.
struct ExchangeOutcome {
    let id: UInt64
    let result: Result<[PostgresResult], PostgresError>
}
