// Rule (`implausible`): a fix is pending when its speed (d − accA − accB) / max(Δt, 1 s) from the last accepted fix
// exceeds 100 m/s. It is accepted when the next fix agrees with it, and rejected when the next fix agrees with the old
// place. No single fix moves a user, whatever accuracy it claims. The limit is up to 350 m/s for a fix whose own
// `speed` is at least half of the computed one. Otherwise each fix of an airliner would be pending, and none would
// agree with the one before. A fix from a Wi-Fi access point that was moved has no speed, and stays pending.
//
//                    plausible                              implausible from both: it is pending instead
//                     ┌─────┐                                            ┌─────┐
//                     ▼     │             implausible                    ▼     │
//     (nothing) ──► accepted ──────────────────────────────────────► accepted, pending
//                     ▲ ▲                                                │  │
//                     │ └────────── agrees with the old place ───────────┘  │
//                     └── agrees with the pending one, which is accepted ───┘
//
// A fix agrees with a fix from which it is plausible, and with the nearer of the two when it is plausible from both. A
// fix that is older than the last accepted one is evaluated but changes nothing.
//
// One reading may be delivered twice, by two apps or by a retry without `seq`. So a fix taken less than a second apart
// from the pending one does not confirm it. A fix less than a second after the accepted one does not reject the
// pending one.
//
// Invariant: the pending fix is not newer than any fix that was accepted after it.

/// Holds implausible jumps back until another fix confirms them.
struct JumpGuard: Sendable {
    /// The maximum plausible speed on the ground, in metres per second.
    static let fastest = 100.0
    /// The maximum plausible speed in the air, which only a fix with its own speed can claim.
    static let fastestFlight = 350.0
    /// The minimum time in milliseconds between two distinct readings.
    static let moment: Int64 = 1000

    /// The result for a fix.
    enum Verdict: Sendable, Equatable {
        /// The fix is believed, together with the pending one that it confirms, if any.
        case accepted(confirming: PendingFix?)
        /// The fix is not believed unless another one confirms it.
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

        /// Whether a user may have come here from another place, moving at `ownSpeed` as their device reports.
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
    /// Whether storage knows the pending fix.
    ///
    /// The field fits into the padding between the others, and every device has one.
    private var isPendingNoted = true
    @Boxed private(set) var pendingFix: PendingFix? {
        didSet { self.isPendingNoted = false }
    }

    /// Begins with the last accepted position, if one is known, and with the fix that was pending then.
    init(accepted: StoredPosition? = nil, pendingFix: PendingFix? = nil) {
        guard let accepted, let at = accepted.fix.at, accepted.fix.accuracy ?? 0 <= FixGate.accuracyLimit else {
            return
        }
        self.accepted = Place(accepted.fix, at: at)
        self.pendingFix = pendingFix
        self.isPendingNoted = true
    }

    /// Evaluates an accurate fix that was taken at `at`.
    mutating func evaluate(_ fix: Fix, at: Timestamp) -> Verdict {
        let place = Place(fix, at: at)
        guard let accepted = self.accepted else { return self.accept(place) }
        let agreesWithOld = place.isPlausible(after: accepted, ownSpeed: fix.speed)
        if at < accepted.at { return agreesWithOld ? .accepted(confirming: nil) : .implausible }
        guard let pendingFix = self.pendingFix else {
            return agreesWithOld ? self.accept(place) : self.postpone(fix, at: at)
        }

        let other = Place(pendingFix.fix, at: pendingFix.at)
        let agreesWithPending = place.isPlausible(after: other, ownSpeed: fix.speed)
        let isNearerToPending =
            place.coordinate.distance(to: other.coordinate) < place.coordinate.distance(to: accepted.coordinate)
        if agreesWithPending, !agreesWithOld || isNearerToPending {
            guard abs(at - pendingFix.at) >= Self.moment else { return .implausible }
            let newest = max(place.at, other.at) == place.at ? place : other
            return self.accept(newest, confirming: pendingFix)
        }
        guard agreesWithOld else { return self.postpone(fix, at: at) }
        return at - accepted.at < Self.moment ? .accepted(confirming: nil) : self.accept(place)
    }

    /// Limits recorded times to now, and drops a pending fix that is ahead of now.
    mutating func rewind(to now: Timestamp) {
        if let accepted = self.accepted, accepted.at > now { self.accepted?.at = now }
        if let pendingFix = self.pendingFix, pendingFix.at - now > FixGate.tolerance { self.pendingFix = nil }
    }

    /// Forgets the pending fix if the client will resend it.
    mutating func rollBack(to number: Int64) {
        if let pendingFix = self.pendingFix, pendingFix.fix.sequence > number { self.pendingFix = nil }
    }

    /// Returns whether the pending fix must be stored or removed from storage, and marks it as stored.
    mutating func consumeChange() -> Bool {
        defer { self.isPendingNoted = true }
        return !self.isPendingNoted
    }

    private mutating func accept(_ place: Place, confirming pendingFix: PendingFix? = nil) -> Verdict {
        self.accepted = place
        if self.pendingFix != nil { self.pendingFix = nil }
        return .accepted(confirming: pendingFix)
    }

    private mutating func postpone(_ fix: Fix, at: Timestamp) -> Verdict {
        var fix = fix
        let claimed = fix.at
        fix.at = at
        self.pendingFix = PendingFix(fix: fix, at: at, claimed: claimed, isStationary: false)
        return .implausible
    }
}
