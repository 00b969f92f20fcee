// Rule (DESIGN 4): a link of two members closes when they are within R at two successive fixes of each, or for 60 s
// unchallenged. It opens when they are beyond 1.5 R (accuracy and movement credited) without a break for 60 s and at two fixes.
//
//              within R                   2 fixes of each, or 60 s
//     apart ────────────► closing ─────────────────────────────────► linked
//       ▲                    │ not within R                            │ ▲
//       ├────────────────────┘                         beyond 1.5 R    │ │ not beyond 1.5 R
//       │                                                              ▼ │
//       └──────────────────────────────────────────────────────────── opening
//                           60 s and 2 fixes
//
// Invariants: one fix alone neither closes nor opens anything at once; between R and 1.5 R nothing changes but that a
// closing is given up; every way through takes a fix or its deadline, never a tick.

/// How two members stand to each other.
enum LinkState: Sendable, Equatable {
    /// Not together.
    case apart
    /// Within R since a moment, at so many fixes of the one with the lower and the higher slot.
    case closing(since: Timestamp, lower: UInt8, higher: UInt8)
    /// Together.
    case linked
    /// Beyond 1.5 R since a moment, at so many fixes of either.
    case opening(since: Timestamp, fixes: UInt8)

    /// How long in milliseconds a closing must go unchallenged, and an opening unbroken.
    static let patience: Int64 = 60_000

    /// Whether the two count as together.
    var isLinked: Bool {
        switch self {
        case .apart, .closing: false
        case .linked, .opening: true
        }
    }

    /// When time alone changes the state; nil when only a fix does.
    var deadline: Timestamp? {
        switch self {
        case .apart, .linked: nil
        case .closing(let since, _, _): since + Self.patience
        case .opening(let since, let fixes): fixes >= 2 ? since + Self.patience : nil
        }
    }

    /// One of the two has a new fix.
    mutating func fixed(isLower: Bool, isWithin: Bool, isBeyond: Bool, at instant: Timestamp) {
        switch self {
        case .apart:
            if isWithin { self = .closing(since: instant, lower: isLower ? 1 : 0, higher: isLower ? 0 : 1) }
        case .closing(let since, var lower, var higher):
            guard isWithin else {
                self = .apart
                return
            }
            if isLower { lower = min(lower + 1, 2) } else { higher = min(higher + 1, 2) }
            self = lower == 2 && higher == 2 ? .linked : .closing(since: since, lower: lower, higher: higher)
        case .linked:
            if isBeyond { self = .opening(since: instant, fixes: 1) }
        case .opening(let since, let fixes):
            self = isBeyond ? .opening(since: since, fixes: min(fixes + 1, 2)) : .linked
        }
        self.timePassed(to: instant)
    }

    /// Time went on without a fix.
    mutating func timePassed(to instant: Timestamp) {
        guard let deadline = self.deadline, deadline <= instant else { return }
        switch self {
        case .closing: self = .linked
        case .opening: self = .apart
        case .apart, .linked: break
        }
    }
}
