/// The answer of a push service, and what follows from it.
package enum PushAnswer: Sendable, Equatable {
    case status(Int, retryAfter: Int64?)
    /// No answer in time, or no connection.
    case silence
    /// An address that may not be connected to.
    case forbidden
    /// The service says that the device is gone.
    case rejected
}

/// What follows from the answer of a push service.
package enum PushOutcome: Sendable, Equatable {
    case sent
    /// The device is gone: its target is deleted.
    case gone
    /// To be sent again after some milliseconds.
    case retry(after: Int64, withoutBody: Bool)
    /// Not to be sent again; `isRefusal` counts against the target.
    case failed(isRefusal: Bool)

    /// The first delay between two attempts in milliseconds, before the random part.
    static let firstDelay: Int64 = 5_000
    /// The longest delay that is not asked for by the service.
    static let longestDelay: Int64 = 900_000
    /// The number of refusals after which a target is disabled.
    package static let mostRefusals = 5
    /// How long a target may fail before it is disabled, in milliseconds.
    package static let longestFailure: Int64 = 3_600_000

    /// Decides what follows from an answer.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - attempt: the number of this attempt, from 1.
    ///   - isWithoutBody: whether the text was left out already.
    ///   - random: a number from 0 to 1, the jitter.
    package init(_ answer: PushAnswer, attempt: Int, isWithoutBody: Bool, random: Double) {
        switch answer {
        case .status(200...299, _): self = .sent
        case .status(404, _), .status(410, _), .rejected: self = .gone
        case .status(413, _):
            self = isWithoutBody ? .failed(isRefusal: false) : .retry(after: 0, withoutBody: true)
        case .status(429, let retryAfter), .status(500..., let retryAfter):
            self = .retry(after: max(retryAfter ?? 0, Self.delay(attempt, random)), withoutBody: isWithoutBody)
        case .silence: self = .retry(after: Self.delay(attempt, random), withoutBody: isWithoutBody)
        case .status(401, _), .status(403, _), .forbidden: self = .failed(isRefusal: true)
        case .status: self = .failed(isRefusal: false)
        }
    }

    /// Full jitter over a delay that triples from attempt to attempt, and at least a second.
    private static func delay(_ attempt: Int, _ random: Double) -> Int64 {
        var bound = Self.firstDelay
        for _ in 1..<max(1, min(attempt, 10)) { bound = min(bound * 3, Self.longestDelay) }
        return max(1_000, Int64(Double(bound) * random))
    }
}
