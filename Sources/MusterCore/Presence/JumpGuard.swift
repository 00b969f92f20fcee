// Rule (`implausible`): a fix that lies (d − accA − accB) / max(Δt, 1 s) > 100 m/s from the last accepted one is held: accepted
// when the next fix agrees with it, rejected when that agrees with the old place. No single fix, however confident, moves anyone.
// Of one whose own `speed` is at least half of that it takes 350 m/s: else each fix of an airliner were held, and none would
// agree with the one before. A fix from a Wi-Fi access point that was moved has no speed, and stays held.
//
//                    plausible                              implausible from both: it is held instead
//                     ┌─────┐                                            ┌─────┐
//                     ▼     │             implausible                    ▼     │
//     (nothing) ──► accepted ──────────────────────────────────────► accepted, held
//                     ▲ ▲                                                │  │
//                     │ └────────── agrees with the old place ───────────┘  │
//                     └──── agrees with the held one, which is accepted ────┘
//
// A fix agrees with the one from which it is plausible, and with the nearer of the two when it is so from both. One that is
// older than the last accepted fix is weighed and changes nothing.
//
// One reading delivered twice, by two apps or by a retry without `seq`, is one: a second that was taken less than a second
// apart from the held fix does not confirm it, and one such of the accepted fix does not reject it.
//
// Invariant: what is held is newer than nothing that was accepted after it.

/// Holds teleports back until another fix confirms them.
struct JumpGuard: Sendable {
    /// The speed in metres per second beyond which nobody moves on the ground.
    static let fastest = 100.0
    /// The same in the air, which only a fix with a speed of its own can tell.
    static let fastestFlight = 350.0
    /// How far apart in milliseconds two readings must have been taken to be two.
    static let moment: Int64 = 1000

    /// What is said of a fix.
    enum Verdict: Sendable, Equatable {
        /// It is believed, and with it the one that was held, if any.
        case accepted(confirming: HeldFix?)
        /// It is not believed as long as no other one confirms it.
        case implausible
    }

    private struct Place: Sendable {
        var coordinate: Coordinate
        var at: Timestamp
        var accuracy: Float

        init(_ fix: Fix, at: Timestamp) {
            self.coordinate = fix.coordinate
            self.at = at
            self.accuracy = fix.accuracy ?? 0
        }

        /// Whether a person may have come here from another place, who moves at `ownSpeed` by their device's word.
        func isPlausible(after other: Self, ownSpeed: Float?) -> Bool {
            let credit = Double(self.accuracy) + Double(other.accuracy)
            let seconds = max(Double(abs(self.at - other.at)) / 1000, 1)
            // A fix from an access point that was moved has no speed.
            let witnessed = min(2 * Double(ownSpeed ?? 0), JumpGuard.fastestFlight)
            let fastest = max(JumpGuard.fastest, witnessed)
            return self.coordinate.isWithin(fastest * seconds + credit, of: other.coordinate)
        }
    }

    private var accepted: Place?
    /// Whether storage knows what is held; here it lies in the padding between the others, and every device has one.
    private var isHeldNoted = true
    @Boxed private(set) var held: HeldFix? {
        didSet { self.isHeldNoted = false }
    }

    /// Begins with a position that was accepted before, if one is known, and with what was held then.
    init(accepted: StoredPosition? = nil, held: HeldFix? = nil) {
        guard let accepted, let at = accepted.fix.at, accepted.fix.accuracy ?? 0 <= FixGate.accuracyLimit else {
            return
        }
        self.accepted = Place(accepted.fix, at: at)
        self.held = held
        self.isHeldNoted = true
    }

    /// Weighs an accurate fix that was taken at `at`.
    mutating func weigh(_ fix: Fix, at: Timestamp) -> Verdict {
        let place = Place(fix, at: at)
        guard let accepted = self.accepted else { return self.accept(place) }
        let agreesWithOld = place.isPlausible(after: accepted, ownSpeed: fix.speed)
        if at < accepted.at { return agreesWithOld ? .accepted(confirming: nil) : .implausible }
        guard let held = self.held else { return agreesWithOld ? self.accept(place) : self.postpone(fix, at: at) }

        let other = Place(held.fix, at: held.at)
        let agreesWithHeld = place.isPlausible(after: other, ownSpeed: fix.speed)
        let isNearerToHeld =
            place.coordinate.distance(to: other.coordinate) < place.coordinate.distance(to: accepted.coordinate)
        if agreesWithHeld, !agreesWithOld || isNearerToHeld {
            guard abs(at - held.at) >= Self.moment else { return .implausible }
            let newest = max(place.at, other.at) == place.at ? place : other
            return self.accept(newest, confirming: held)
        }
        guard agreesWithOld else { return self.postpone(fix, at: at) }
        return at - accepted.at < Self.moment ? .accepted(confirming: nil) : self.accept(place)
    }

    /// Takes what was accepted at a time ahead of now as accepted now, and forgets what is held from such a time.
    mutating func turnBack(to now: Timestamp) {
        if let accepted = self.accepted, accepted.at > now { self.accepted?.at = now }
        if let held = self.held, held.at - now > FixGate.tolerance { self.held = nil }
    }

    /// Forgets what is held when it will come again.
    mutating func rollBack(to number: Int64) {
        if let held = self.held, held.fix.sequence > number { self.held = nil }
    }

    /// Whether something is held, or no more, that storage does not know; from now on it is taken as known.
    mutating func consumeNews() -> Bool {
        defer { self.isHeldNoted = true }
        return !self.isHeldNoted
    }

    private mutating func accept(_ place: Place, confirming held: HeldFix? = nil) -> Verdict {
        self.accepted = place
        if self.held != nil { self.held = nil }
        return .accepted(confirming: held)
    }

    private mutating func postpone(_ fix: Fix, at: Timestamp) -> Verdict {
        var fix = fix
        let claimed = fix.at
        fix.at = at
        self.held = HeldFix(fix: fix, at: at, claimed: claimed, isStationary: false)
        return .implausible
    }
}
