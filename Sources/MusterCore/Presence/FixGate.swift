// Each fix gets one verdict: the first of this list that applies, in the order of severity:
//
//   malformed      more than 24 h ahead, older than the retention; `FixReader` finds all other faults of a fix
//   duplicate      its number was seen before
//   late           more than 5 min old on arrival          shown when newest      never evaluated
//   out_of_order   older than the shown one                not shown              evaluated when accurate and plausible
//   inaccurate     accuracy above 100 m                    shown                  never evaluated
//   implausible    a teleport (JumpGuard)                  when confirmed         when confirmed
//   secondary      another device leads (DeviceLead, which looks at all devices of a person after this gate)
//   future         more than 60 s ahead, taken as now      shown                  evaluated
//   ok                                                     shown                  evaluated
//
// So a late fix that is also inaccurate is `late`. An inaccurate fix from the future is `inaccurate` and taken as now.
// A malformed fix consumes its number: it is answered, and the client does not send it again.
//
// Whether a fix is malformed is decided by the device's own time, everything else by the corrected time
// (`ClockOffset`). The first fixes of a phone 90 s ahead are `future`. As soon as its clock is known they are `ok`, at
// their corrected time.
//
// An inaccurate, late or older fix is never a teleport and never confirms one.
//
// An evaluated fix determines `isStationary`. An inaccurate or implausible fix inherits the value of the last evaluated
// one, because it says nothing about movement. A late fix is never stationary.

/// Assigns verdicts to the fixes of one device as they arrive.
package struct FixGate: Sendable {
    /// The maximum lead of a fix over the server's clock, in milliseconds, with which the fix keeps its time.
    package static let tolerance: Int64 = 60_000
    /// The time in milliseconds by which a fix may be ahead without being malformed.
    static let aheadLimit: Int64 = 24 * 3_600_000
    /// The age on arrival, in milliseconds, above which a fix is late.
    static let lateAge: Int64 = 5 * 60_000
    /// The accuracy radius in metres above which a fix does not drive gatherings.
    package static let accuracyLimit: Float = 100

    private var window: SequenceWindow
    private var detector: StationaryDetector
    private var clock: ClockOffset
    private var jumps: JumpGuard

    /// Creates a gate for a device whose fixes up to and including `acknowledged` are stored.
    ///
    /// - Parameters:
    ///   - acknowledged: the highest stored number.
    ///   - accepted: the device's last accepted position, when one is known.
    ///   - clockOffset: the stored clock correction; nil when the clock was unknown.
    ///   - pendingFix: the fix that waits for confirmation, as in the history.
    init(
        acknowledged: Int64,
        accepted: StoredPosition? = nil,
        clockOffset: Int64? = nil,
        pendingFix: Fix? = nil
    ) {
        self.window = SequenceWindow(acknowledged: acknowledged)
        self.detector = StationaryDetector(accepted: accepted)
        self.clock = ClockOffset(milliseconds: clockOffset)
        let waiting = pendingFix.flatMap { fix in
            fix.at.map { PendingFix(fix: fix, at: $0, claimed: $0 - (clockOffset ?? 0), isStationary: false) }
        }
        self.jumps = JumpGuard(accepted: accepted, pendingFix: waiting)
    }

    /// The highest number that was evaluated, or acknowledged before.
    package var highest: Int64 { self.window.highest }

    /// The correction in milliseconds that is added to the device's times; nil while its clock is unknown.
    package var clockOffset: Int64? { self.clock.isKnown ? self.clock.milliseconds : nil }

    /// The time of the fix that waits for confirmation; nil when none waits.
    package var pendingAt: Timestamp? { self.jumps.pendingFix?.at }

    /// Returns whether the pending fix must be stored or removed from storage, and marks it as stored.
    mutating func consumeChange() -> Bool { self.jumps.consumeChange() }

    /// Evaluates a fix.
    ///
    /// - Parameters:
    ///   - fix: the fix.
    ///   - now: the arrival time.
    ///   - newestShown: the time of the user's shown position, from any device.
    ///   - retention: the time in milliseconds for which history is kept.
    /// - Returns: the fault of a malformed fix, or the verdict with its consequences.
    mutating func evaluate(
        _ fix: Fix,
        receivedAt now: Timestamp,
        newestShown: Timestamp?,
        retention: Int64
    ) -> FixEvaluation {
        let claimed = fix.at ?? now
        let isNew = self.window.insert(fix.sequence)
        if let fault = Self.timeFault(takenAt: claimed, receivedAt: now, retention: retention) {
            return .malformed(fault)
        }
        if isNew, fix.at != nil { self.clock.learn(claimed, receivedAt: now) }
        let corrected = fix.at.map { $0 + self.clock.milliseconds } ?? now
        let isFuture = corrected - now > Self.tolerance
        let at = isFuture ? now : corrected
        // A shown time ahead of now comes from a clock that was wrong, and does not make any fix old.
        let isNewest = newestShown.map { at >= $0 || $0 > now } ?? true
        let isInaccurate = fix.accuracy.map { $0 > Self.accuracyLimit } ?? false

        var evaluated = EvaluatedFix(
            verdict: .ok,
            at: at,
            isStationary: false,
            isShown: isNewest,
            drivesGatherings: false
        )
        if !isNew {
            evaluated.verdict = .duplicate
            evaluated.isShown = false
            evaluated.isStationary = self.detector.isStationary
        } else if now - at > Self.lateAge {
            evaluated.verdict = .late
        } else if isInaccurate {
            evaluated.verdict = isNewest ? .inaccurate : .outOfOrder
            evaluated.isStationary = self.detector.isStationary
        } else {
            self.evaluate(fix, isFuture: isFuture, newestShown: newestShown, into: &evaluated)
        }
        return .evaluated(evaluated)
    }

    /// Limits recorded times to now, after the server's clock was corrected.
    mutating func rewind(to now: Timestamp) {
        self.clock.rewind(to: now)
        self.jumps.rewind(to: now)
        self.detector.rewind(to: now)
    }

    /// Evaluates an accurate fix that is neither late nor a duplicate.
    private mutating func evaluate(
        _ fix: Fix,
        isFuture: Bool,
        newestShown: Timestamp?,
        into evaluated: inout EvaluatedFix
    ) {
        switch self.jumps.evaluate(fix, at: evaluated.at) {
        case .implausible:
            evaluated.verdict = evaluated.isShown ? .implausible : .outOfOrder
            evaluated.isStationary = self.detector.isStationary
            evaluated.isShown = false
        case .accepted(var pendingFix):
            if let fix = pendingFix?.fix, let at = pendingFix?.at {
                pendingFix?.isStationary = self.detector.accept(fix.coordinate, at: at, trigger: fix.trigger)
                evaluated.isShown = evaluated.isShown && evaluated.at >= at
            }
            evaluated.confirmed = pendingFix
            evaluated.verdict = evaluated.isShown ? (isFuture ? .future : .ok) : .outOfOrder
            evaluated.isStationary = self.detector.accept(fix.coordinate, at: evaluated.at, trigger: fix.trigger)
            evaluated.drivesGatherings = true
        }
    }

    /// Forgets the numbers above `number`, which storage did not accept and the client will resend.
    package mutating func rollBack(to number: Int64) {
        self.window.rollBack(to: number)
        self.jumps.rollBack(to: number)
    }

    /// The fault of a fix's time; nil when it has none.
    ///
    /// The message names the clock error, if it is a known one.
    ///
    /// - Parameters:
    ///   - at: the time of the fix, by its device's clock.
    ///   - now: the arrival time.
    ///   - retention: the time in milliseconds for which history is kept.
    /// - Returns: a sentence that begins with `at`, or nil.
    package static func timeFault(takenAt at: Timestamp, receivedAt now: Timestamp, retention: Int64) -> String? {
        func isPlausible(_ at: Timestamp) -> Bool { at - now <= self.aheadLimit && now - at <= retention }
        guard !isPlausible(at) else { return nil }
        let rule =
            ClockMistake.rule(of: at, isPlausible: isPlausible)
            ?? (at > now ? "must not be more than 24 h ahead" : "must not be older than the retention period")
        return "at \(rule)."
    }
}
