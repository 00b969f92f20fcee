// Rule (README.md, 2): a link of two members closes when d ≤ R at two successive fixes of each, or for 60 s unchallenged. It
// opens when they are beyond 1.5 R (accuracy and movement credited) without a break for 60 s and at two fixes of who went.
//
//              within R            2 fixes of each, or 60 s
//     apart ────────────► closing ──────────────────────────► linked
//       ▲                    │ not within R                     │ ▲
//       ├────────────────────┘                  beyond 1.5 R    │ │ not beyond 1.5 R
//       │                                                       ▼ │
//       └───────────────────────────────────────────────────── opening
//                       60 s and 2 fixes of who went
//
// Readings, because a neighbour 185 m away must not be linked by the noise of 40 h:
// - What nobody could challenge is not unchallenged: the 60 s count once each of the two has had a fix within R.
// - When neither has moved for 5 min (`MemberPosition.hasSettled`), they were apart and nobody went anywhere: a few fixes
//   within R are noise, whose error drifts slowly. Such a pair closes when it was unchallenged for 10 min *and* at two fixes of
//   each. Whoever comes has moved, so arriving is as quick as the rule says.
// - Who went is the one at whose fix they were beyond, or else one who has not settled. A friend who sits where they sat
//   confirms no stray fix, though their every fix is beyond 1.5 R of it: only the member's own next fix can tell.
// - Of two on the move nobody knows how far the one whose fix is older has come since, when that is more than a minute, or
//   when their speed is the mean over more than one, and so perhaps over rest and ride. A fix that finds them so opens no
//   link, and neither confirms nor ends an opening.
// - Fixes are counted that are readings of their own, taken a second apart (`MemberStay`): one delivered twice proves nothing
//   twice.
//
// Invariants: one fix alone neither closes nor opens anything, now or later, whatever others report; between R and 1.5 R
// nothing changes but that a closing is given up; every way through takes a fix or its deadline, never a tick.

/// How two members stand to each other.
enum LinkState: Sendable, Equatable {
    /// Not together.
    case apart
    /// Within R since a moment, at so many fixes of the one with the lower and the higher slot; `isSettled` when neither of
    /// them has moved.
    case closing(since: Timestamp, lower: UInt8, higher: UInt8, isSettled: Bool)
    /// Together.
    case linked
    /// Beyond 1.5 R since a fix of the one with the lower slot or of the other, at so many fixes of who went.
    case opening(since: Timestamp, fixes: UInt8, isLower: Bool)

    /// What one fix says about a pair.
    struct Reading: Sendable {
        /// Whether the fix is that of the one with the lower slot.
        var isLower: Bool
        /// Whether they are within R.
        var isWithin: Bool
        /// Whether they are beyond 1.5 R, with all that may explain it credited.
        var isBeyond: Bool
        /// Whether it says anything of two who are not near.
        var isTelling = true
        /// Whether neither has moved for long.
        var isSettled = false
        /// Whether the one whose fix it is has not moved for long.
        var isOwnerSettled = false
        /// Whether it is another reading than those before, and not one of them delivered twice.
        var isNew = true
    }

    /// How long in milliseconds a closing must go unchallenged, and an opening unbroken.
    static let patience: Int64 = 60_000
    /// How long in milliseconds the closing of two who have not moved must go unchallenged.
    static let settledPatience: Int64 = 600_000

    /// Whether the two count as together.
    var isLinked: Bool {
        switch self {
        case .apart, .closing: false
        case .linked, .opening: true
        }
    }

    /// Whether the state is on its way to another one.
    var isPassing: Bool {
        switch self {
        case .apart, .linked: false
        case .closing, .opening: true
        }
    }

    /// When time alone changes the state; nil when only a fix does.
    var deadline: Timestamp? {
        switch self {
        case .apart, .linked: nil
        case .closing(let since, let lower, let higher, let isSettled):
            !isSettled && lower > 0 && higher > 0 ? since + Self.patience : nil
        case .opening(let since, let fixes, _): fixes >= 2 ? since + Self.patience : nil
        }
    }

    /// One of the two has a new fix.
    mutating func fixed(_ reading: Reading, at instant: Timestamp) {
        switch self {
        case .apart:
            guard reading.isWithin else { return }
            self = .closing(
                since: instant,
                lower: reading.isLower && reading.isNew ? 1 : 0,
                higher: reading.isLower || !reading.isNew ? 0 : 1,
                isSettled: reading.isSettled
            )
        case .closing(let since, var lower, var higher, _):
            guard reading.isWithin else {
                self = .apart
                return
            }
            if reading.isNew {
                if reading.isLower { lower = min(lower + 1, 2) } else { higher = min(higher + 1, 2) }
            }
            let isProven = lower == 2 && higher == 2
            let isPatient = !reading.isSettled || instant - since >= Self.settledPatience
            self =
                isProven && isPatient
                ? .linked : .closing(since: since, lower: lower, higher: higher, isSettled: reading.isSettled)
        case .linked:
            if reading.isBeyond, reading.isTelling {
                self = .opening(since: instant, fixes: reading.isNew ? 1 : 0, isLower: reading.isLower)
            }
        case .opening(let since, let fixes, let isLower):
            guard reading.isTelling else { break }
            guard reading.isBeyond else {
                self = .linked
                break
            }
            let counts = reading.isNew && (reading.isLower == isLower || !reading.isOwnerSettled)
            self = .opening(since: since, fixes: counts ? min(fixes + 1, 2) : fixes, isLower: isLower)
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
