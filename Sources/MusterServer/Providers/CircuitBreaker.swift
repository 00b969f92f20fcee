/// Leaves a server alone that fails again and again, and tries now and then whether it is back.
///
/// Closed, it lets everything through. Five failures in a row open it for 30 s, or for as long as the server asked for. Then one
/// request may try: its success closes the breaker, its failure opens it for twice as long, up to 10 min.
struct CircuitBreaker: Sendable {
    /// Failures in a row that open it.
    static let tolerance = 5
    /// Milliseconds for which it is open at first, and at most.
    static let (shortest, longest): (Int64, Int64) = (30_000, 600_000)

    /// Whether a request may be made.
    enum Admission: Equatable {
        case ordinary
        /// The one that tries whether the server is back.
        case probe
        /// None is made for so many milliseconds.
        case refused(Int64)
    }

    /// Whether something changed that operators want to know.
    enum Change: Equatable {
        case none
        case opened
        case closed
    }

    /// Failures since the last success.
    private(set) var failures = 0
    /// Until when no request is made; nil while it is closed.
    private(set) var openUntil: Int64?
    private var span = Self.shortest
    private var isProbing = false

    /// Asks whether a request may be made.
    mutating func admit(now: Int64) -> Admission {
        guard let openUntil else { return .ordinary }
        if now < openUntil { return .refused(openUntil - now) }
        if self.isProbing { return .refused(Self.shortest) }
        self.isProbing = true
        return .probe
    }

    /// Notes that a server answered what can be read.
    mutating func succeed(_ admission: Admission) -> Change {
        // What began before it opened tells of an earlier time.
        guard self.openUntil == nil || admission == .probe else { return .none }
        let change = self.openUntil == nil ? Change.none : .closed
        self = CircuitBreaker()
        return change
    }

    /// Notes that a server failed, and for how many milliseconds it wants to be left alone.
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
        // A server that asks for less than usual the first time gets that; later it has failed as often.
        self.openUntil = now + (admission == .probe ? max(wanted, self.span) : retryAfter == nil ? self.span : wanted)
        return .opened
    }

    /// Notes that a request told nothing of the server.
    mutating func abandon(_ admission: Admission) {
        if admission == .probe { self.isProbing = false }
    }
}
