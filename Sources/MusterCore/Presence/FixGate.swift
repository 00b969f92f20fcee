// Each fix gets one verdict, the first of this list that holds; whatever follows in it is less grave:
//
//   malformed      out of range, exactly 0,0, more than 24 h ahead, older than the retention
//   duplicate      its number was seen before
//   late           more than 5 min old on arrival          shown when newest      never evaluated
//   out_of_order   older than what is shown                not shown              evaluated when accurate and plausible
//   inaccurate     accuracy above 100 m                    shown                  never evaluated
//   implausible    a teleport (JumpGuard)                  when confirmed         when confirmed
//   secondary      another device leads (DeviceLead, which looks at all devices of a person after this gate)
//   future         more than 60 s ahead, taken as now      shown                  evaluated
//   ok                                                     shown                  evaluated
//
// So a late fix that is also inaccurate is `late`, and one from the future that is inaccurate is `inaccurate`, taken as now.
// A malformed fix uses its number up: it is answered, and comes no more.
//
// Whether a fix is malformed is judged by the device's own time, everything else by the corrected one (ClockOffset): the
// first fixes of a phone 90 s ahead are `future`, and as soon as its clock is known they are `ok`, at their right time.
//
// An inaccurate, late or older fix neither is a teleport nor confirms one.
//
// `isStationary` is the fix's own when it is evaluated; one that is not takes over that of the last one that was, because
// it says nothing about movement; a late one is never stationary.

/// Judges the fixes of one device as they arrive.
package struct FixGate: Sendable {
    /// How far ahead of the server's clock, in milliseconds, a fix may be and keep its time.
    package static let tolerance: Int64 = 60_000
    /// How far ahead, in milliseconds, a fix is well-formed.
    package static let aheadLimit: Int64 = 24 * 3_600_000
    /// The age on arrival, in milliseconds, above which a fix is late.
    package static let lateAge: Int64 = 5 * 60_000
    /// The radius in metres above which a fix decides nothing.
    package static let accuracyLimit: Float = 100

    private var window: SequenceWindow
    private var detector: StationaryDetector
    private var clock: ClockOffset
    private var jumps: JumpGuard

    /// Creates a gate for a device of which storage holds everything up to and including `acknowledged`.
    ///
    /// - Parameters:
    ///   - acknowledged: the highest number that storage holds.
    ///   - accepted: the device's last accepted position, when one is known.
    ///   - clockOffset: the `clockOffset` of the device's gate before this one; nil when its clock was not known.
    ///   - held: the fix that waits for another to confirm it, as history has it.
    package init(acknowledged: Int64, accepted: StoredPosition? = nil, clockOffset: Int64? = nil, held: Fix? = nil) {
        self.window = SequenceWindow(acknowledged: acknowledged)
        self.detector = StationaryDetector(accepted: accepted)
        self.clock = ClockOffset(milliseconds: clockOffset)
        let waiting = held.flatMap { fix in
            fix.at.map { HeldFix(fix: fix, at: $0, claimed: $0 - (clockOffset ?? 0), isStationary: false) }
        }
        self.jumps = JumpGuard(accepted: accepted, held: waiting)
    }

    /// The highest number that was judged, or acknowledged before.
    package var highest: Int64 { self.window.highest }

    /// What is added to the device's times, in milliseconds, because its clock is wrong; nil while its clock is not known.
    package var clockOffset: Int64? { self.clock.isKnown ? self.clock.milliseconds : nil }

    /// When the fix was taken that waits for another to confirm it; nil when none waits.
    package var heldAt: Timestamp? { self.jumps.held?.at }

    /// Whether a fix is held, or no more, that storage does not know; from now on it is taken as known.
    package mutating func consumeNews() -> Bool { self.jumps.consumeNews() }

    /// Judges a fix.
    ///
    /// - Parameters:
    ///   - fix: what came.
    ///   - now: when it arrived.
    ///   - newestShown: when the position of the person that is shown was taken, by whatever device.
    ///   - retention: milliseconds for which history is kept.
    /// - Returns: that it is no fix, or what is done with it.
    package mutating func judge(
        _ fix: Fix,
        receivedAt now: Timestamp,
        newestShown: Timestamp?,
        retention: Int64
    ) -> FixJudgement {
        let claimed = fix.at ?? now
        let isNew = self.window.insert(fix.sequence)
        if let fault = Self.fault(of: fix, takenAt: claimed, receivedAt: now, retention: retention) {
            return .malformed(fault)
        }
        if isNew, fix.at != nil { self.clock.learn(claimed, receivedAt: now) }
        let corrected = fix.at.map { $0 + self.clock.milliseconds } ?? now
        let isFuture = corrected - now > Self.tolerance
        let at = isFuture ? now : corrected
        // A time ahead of now is that of a clock which was wrong, and newer than nothing.
        let isNewest = newestShown.map { at >= $0 || $0 > now } ?? true
        let isInaccurate = fix.accuracy.map { $0 > Self.accuracyLimit } ?? false

        var judged = JudgedFix(verdict: .ok, at: at, isStationary: false, isShown: isNewest, drivesGatherings: false)
        if !isNew {
            judged.verdict = .duplicate
            judged.isShown = false
            judged.isStationary = self.detector.isStationary
        } else if now - at > Self.lateAge {
            judged.verdict = .late
        } else if isInaccurate {
            judged.verdict = isNewest ? .inaccurate : .outOfOrder
            judged.isStationary = self.detector.isStationary
        } else {
            self.weigh(fix, isFuture: isFuture, newestShown: newestShown, into: &judged)
        }
        return .judged(judged)
    }

    /// Forgets times ahead of now, after the server's clock was put right.
    package mutating func turnBack(to now: Timestamp) {
        self.clock.turnBack(to: now)
        self.jumps.turnBack(to: now)
        self.detector.turnBack(to: now)
    }

    /// Judges an accurate fix that is neither late nor repeated.
    private mutating func weigh(_ fix: Fix, isFuture: Bool, newestShown: Timestamp?, into judged: inout JudgedFix) {
        switch self.jumps.weigh(fix, at: judged.at) {
        case .implausible:
            judged.verdict = judged.isShown ? .implausible : .outOfOrder
            judged.isStationary = self.detector.isStationary
            judged.isShown = false
        case .accepted(var held):
            if let fix = held?.fix, let at = held?.at {
                held?.isStationary = self.detector.accept(fix.coordinate, at: at, trigger: fix.trigger)
                judged.isShown = judged.isShown && judged.at >= at
            }
            judged.confirmed = held
            judged.verdict = judged.isShown ? (isFuture ? .future : .ok) : .outOfOrder
            judged.isStationary = self.detector.accept(fix.coordinate, at: judged.at, trigger: fix.trigger)
            judged.drivesGatherings = true
        }
    }

    /// Forgets the numbers above `number`, which storage could not take and which will come again.
    package mutating func rollBack(to number: Int64) {
        self.window.rollBack(to: number)
        self.jumps.rollBack(to: number)
    }

    /// What makes a fix malformed; nil when nothing does.
    private static func fault(
        of fix: Fix,
        takenAt at: Timestamp,
        receivedAt now: Timestamp,
        retention: Int64
    ) -> FixFault? {
        let place = fix.coordinate
        if fix.sequence < 1 { return FixFault(.sequence, "is less than 1") }
        if !Coordinate.latitudes.contains(place.latitude) { return FixFault(.latitude, "is outside -90...90") }
        if !Coordinate.longitudes.contains(place.longitude) { return FixFault(.longitude, "is outside -180...180") }
        if place.latitude == 0, place.longitude == 0 { return FixFault(.latitude, "and lon are both 0") }
        if let accuracy = fix.accuracy, !(accuracy >= 0 && accuracy.isFinite) {
            return FixFault(.accuracy, "is negative or not finite")
        }
        return self.timeFault(takenAt: at, receivedAt: now, retention: retention)
    }

    /// What makes the time of a fix malformed; nil when nothing does.
    ///
    /// A clock that is wrong in a known way is told so.
    ///
    /// - Parameters:
    ///   - at: when it was taken, as its device says.
    ///   - now: when it arrived.
    ///   - retention: milliseconds for which history is kept.
    /// - Returns: the fault of `at`, or nil.
    package static func timeFault(takenAt at: Timestamp, receivedAt now: Timestamp, retention: Int64) -> FixFault? {
        func isPlausible(_ at: Timestamp) -> Bool { at - now <= self.aheadLimit && now - at <= retention }
        guard !isPlausible(at) else { return nil }
        if let rule = ClockMistake.rule(of: at, isPlausible: isPlausible) { return FixFault(.at, rule) }
        return FixFault(.at, at > now ? "is more than 24 h ahead" : "is older than what is kept")
    }
}
