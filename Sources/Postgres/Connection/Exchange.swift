/// A unit of requests to the server, and its responses so far.
///
/// A pipeline ends at its sync: an error skips the rest of the pipeline, but nothing after it. A script ends when the
/// server reports no more results; a COPY in it waits for the rows.
///
/// A class, because it is changed in place at the head of a queue. As a value, each of the twenty changes of a batch
/// would cost an allocation.
final class Exchange {
    /// A request with a response of its own.
    enum Step {
        case prepare(sql: String, name: String)
        case execute(sql: String, name: String?)
        case sync
    }

    /// The kind of an exchange, with its requests.
    enum Kind {
        case pipeline([Step])
        case script
    }

    /// The id by which the caller finds the outcome.
    let id: UInt64
    let kind: Kind
    var nextStep = 0
    /// Whether the step's response has been read and only its end mark is missing.
    var isStepAnswered = false
    var results: [PostgresResult] = []
    var failure: PostgresError?

    init(id: UInt64, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    /// The outcome after the end of the exchange.
    var outcome: Result<[PostgresResult], PostgresError> {
        if let failure = self.failure { .failure(failure) } else { .success(self.results) }
    }

    /// Keeps the first error, because later ones are its consequences.
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
