/// A circuit breaker: stops requests to a server that fails repeatedly, and tests at intervals whether it has
/// recovered.
///
/// A closed breaker allows all requests. Five failures in a row open it for 30 s, or for as long as the server asked
/// for. Then one probe is allowed. Its success closes the breaker; its failure opens it for twice as long, up to 10
/// min.
struct CircuitBreaker: Sendable {
    /// The failures in a row that open the breaker.
    static let tolerance = 5
    /// Milliseconds for which the breaker is open at first, and at most.
    static let (shortest, longest): (Int64, Int64) = (30_000, 600_000)

    /// Whether a request may be made.
    enum Admission: Equatable {
        case ordinary
        /// The request that tests whether the server has recovered.
        case probe
        /// No request is allowed for this many milliseconds.
        case refused(Int64)
    }

    /// A change of state that operators want to know.
    enum Change: Equatable {
        case none
        case opened
        case closed
    }

    /// Failures since the last success.
    private(set) var failures = 0
    /// The end of the open state; nil while the breaker is closed.
    private(set) var openUntil: Int64?
    private var span = Self.shortest
    private var isProbing = false

    /// Decides whether a request is allowed.
    mutating func admit(now: Int64) -> Admission {
        guard let openUntil else { return .ordinary }
        if now < openUntil { return .refused(openUntil - now) }
        if self.isProbing { return .refused(Self.shortest) }
        self.isProbing = true
        return .probe
    }

    /// Records that a server sent a valid answer.
    mutating func succeed(_ admission: Admission) -> Change {
        // A request that began before the breaker opened says nothing about the present.
        guard self.openUntil == nil || admission == .probe else { return .none }
        let change = self.openUntil == nil ? Change.none : .closed
        self = CircuitBreaker()
        return change
    }

    /// Records that a server failed, and for how many milliseconds it asked for no requests.
    mutating func fail(_ admission: Admission, now: Int64, retryAfter: Int64?) -> Change {
        self.failures += 1
        if self.openUntil != nil {
            guard admission == .probe else { return .none }
            self.span = min(self.span * 2, Self.longest)
            self.isProbing = false
        } else if self.failures < Self.tolerance {
            return .none
        }
        let wanted = retryAfter.map { min($0, Self.longest) } ?? 0
        // At the first opening the server's own value applies, even if it is shorter than usual. After a failed probe
        // the longer one applies.
        self.openUntil = now + (admission == .probe ? max(wanted, self.span) : retryAfter == nil ? self.span : wanted)
        return .opened
    }

    /// Records that a request ended without information about the server.
    mutating func abandon(_ admission: Admission) {
        if admission == .probe { self.isProbing = false }
    }
}
