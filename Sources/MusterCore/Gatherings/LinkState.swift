// Rule (README.md, 2): a link of two members closes when d ≤ R at two successive fixes of each, or for 60 s
// unchallenged. It opens when they are beyond 1.5 R, after accuracy and movement credit. That must last for 60 s
// without a break, and include two fixes of the member who left.
//
//              within R            2 fixes of each, or 60 s
//     apart ────────────► closing ──────────────────────────► linked
//       ▲                    │ not within R                     │ ▲
//       ├────────────────────┘                  beyond 1.5 R    │ │ not beyond 1.5 R
//       │                                                       ▼ │
//       └───────────────────────────────────────────────────── opening
//                       60 s and 2 fixes of the one who left
//
// Details, because the noise of 40 h must not link a neighbour 185 m away:
// - The 60 s only count once each of the two has had a fix within R. Without fixes, no evidence could challenge the
//   link.
// - When neither has moved for 5 min (`MemberPosition.hasSettled`), they were apart and did not move. A few fixes
//   within R are then noise, whose error drifts slowly. Such a pair closes when it was unchallenged for 10 min *and* at
//   two fixes of each. A member who arrives has moved, so arriving remains as quick as the rule says.
// - The member who left is the one whose fix was first beyond, or the other one while they are not settled. A seated
//   friend does not confirm a stray fix, though each of their fixes is beyond 1.5 R of it. Only the member's own next
//   fix can.
// - For two moving members, a fix is inconclusive when the two fixes are more than a minute apart: how far the member
//   with the older fix has moved since is unknown. The same holds when the speed is a mean over more than two minutes,
//   which may mix rest and ride. Such a fix opens no link, and neither confirms nor ends an opening.
// - Only separate fixes count, taken at least one second apart (`MemberStay`). A fix delivered twice counts once.
//
// Invariants: one fix alone neither closes nor opens anything, now or later, whatever others report; between R and 1.5
// R the only change is that a closing is abandoned; each transition needs a fix or its deadline, never a tick.

/// The state of the link between two members.
enum LinkState: Sendable, Equatable {
    /// Not linked.
    case apart
    /// Within R since a moment, with the number of fixes of the members with the lower and the higher slot; `isSettled`
    /// if both members are settled.
    case closing(since: Timestamp, lower: UInt8, higher: UInt8, isSettled: Bool)
    /// Linked.
    case linked
    /// Beyond 1.5 R since a fix of the member with the lower slot (`isLower`) or of the other one; `fixes` counts those
    /// of the member who left.
    case opening(since: Timestamp, fixes: UInt8, isLower: Bool)

    /// The evaluation of one fix for a pair.
    struct Sample: Sendable {
        /// Whether the fix is that of the member with the lower slot.
        var isLower: Bool
        /// Whether the two are within R.
        var isWithin: Bool
        /// Whether the two are beyond 1.5 R, after accuracy and movement credit.
        var isBeyond: Bool
        /// Whether the fix is conclusive for two members who are not near.
        var isInformative = true
        /// Whether both members are settled.
        var isSettled = false
        /// Whether the member who reported the fix is settled.
        var isOwnerSettled = false
        /// Whether the fix is a separate one, and not delivered again.
        var isNew = true
    }

    /// The time in milliseconds that a closing must go unchallenged, and an opening unbroken.
    static let confirmationTime: Int64 = 60_000
    /// The time in milliseconds that the closing of two settled members must go unchallenged.
    static let settledConfirmationTime: Int64 = 600_000

    /// Whether the two members are linked.
    var isLinked: Bool {
        switch self {
        case .apart, .closing: false
        case .linked, .opening: true
        }
    }

    /// Whether the link is closing or opening.
    var isPassing: Bool {
        switch self {
        case .apart, .linked: false
        case .closing, .opening: true
        }
    }

    /// The moment at which the passage of time alone changes the state; nil if only a fix does.
    var deadline: Timestamp? {
        switch self {
        case .apart, .linked: nil
        case .closing(let since, let lower, let higher, let isSettled):
            !isSettled && lower > 0 && higher > 0 ? since + Self.confirmationTime : nil
        case .opening(let since, let fixes, _): fixes >= 2 ? since + Self.confirmationTime : nil
        }
    }

    /// Updates the state with a new fix of one of the two.
    mutating func fixed(_ sample: Sample, at instant: Timestamp) {
        switch self {
        case .apart:
            guard sample.isWithin else { return }
            self = .closing(
                since: instant,
                lower: sample.isLower && sample.isNew ? 1 : 0,
                higher: sample.isLower || !sample.isNew ? 0 : 1,
                isSettled: sample.isSettled
            )
        case .closing(let since, var lower, var higher, _):
            guard sample.isWithin else {
                self = .apart
                return
            }
            if sample.isNew {
                if sample.isLower { lower = min(lower + 1, 2) } else { higher = min(higher + 1, 2) }
            }
            let isProven = lower == 2 && higher == 2
            let isOldEnough = !sample.isSettled || instant - since >= Self.settledConfirmationTime
            self =
                isProven && isOldEnough
                ? .linked : .closing(since: since, lower: lower, higher: higher, isSettled: sample.isSettled)
        case .linked:
            if sample.isBeyond, sample.isInformative {
                self = .opening(since: instant, fixes: sample.isNew ? 1 : 0, isLower: sample.isLower)
            }
        case .opening(let since, let fixes, let isLower):
            guard sample.isInformative else { break }
            guard sample.isBeyond else {
                self = .linked
                break
            }
            let counts = sample.isNew && (sample.isLower == isLower || !sample.isOwnerSettled)
            self = .opening(since: since, fixes: counts ? min(fixes + 1, 2) : fixes, isLower: isLower)
        }
        self.timePassed(to: instant)
    }

    /// Updates the state after time has passed without a fix.
    mutating func timePassed(to instant: Timestamp) {
        guard let deadline = self.deadline, deadline <= instant else { return }
        switch self {
        case .closing: self = .linked
        case .opening: self = .apart
        case .apart, .linked: break
        }
    }
}
