// Rule: fix times are corrected by the device's clock offset, from its own freshest fixes; a phone up to
// 2 min wrong must not matter, nor a tracker that is wrong by a whole number of quarter hours.
//
// How long after its time a fix arrives is its delay less what the clock is ahead. Of each arrival (all that comes within a
// second is one) the freshest fix counts. Three of the last eight arrivals that agree within 5 s are believed, the freshest
// three if there are several; the offset follows when they differ from it by more than 5 s, so that network delays and
// shuffles change no time.
//
// What follows: one wrong time moves nothing; a clock that is set right is believed again after six arrivals at the latest; a
// phone of which every fix comes equally late, by up to 2 min, cannot be told from one whose clock is behind, and is taken
// as fresh.
//
// Beyond 2 min only quarter hours are learned (`QuarterHours`), as time zones are; the offset is the least lag of the ten
// arrivals that proved it, and holds until three arrivals agree on a lag that is not within 2 min of the same quarter hours;
// of those that are, quicker ones make it less. All else is `future` or, in time, `late`.
//
// The offset is stored with the device, and holds after a restart until three arrivals speak against it: otherwise the fixes
// of a phone that is behind would be older than its own last position, and be history, until its clock is known again.
//
// A clock is known once three arrivals agreed that it is right, or by how much it is wrong: unknown is not the same as right.

/// Learns by how much a device's clock is wrong.
package struct ClockOffset: Sendable {
    /// The greatest error in milliseconds that is corrected without being one of quarter hours; delays of the network may
    /// come on top.
    package static let limit: Int64 = 120_000
    /// Differences in milliseconds up to this one are no error.
    static let tolerance: Int64 = 5_000
    private static let capacity = 8
    private static let agreeing = 3
    private static let separation: Int64 = 1000

    // Half as wide as times are, as every device has eight: beyond 24 days, far beyond the limit, all lags are one.
    private var lags = InlineArray<8, Int32>(repeating: 0)
    @Packed private var lastArrival: Timestamp?
    private var correction: Int32 = 0
    /// How many of `lags` are there.
    private var count: UInt8 = 0
    /// The place in `lags` of the last arrival.
    private var last: UInt8 = 0
    /// Whether three arrivals agreed, now or before the device was stored.
    private(set) var isKnown: Bool
    /// What is known of a clock that seems to be wrong by quarter hours; few are.
    @Boxed private var quarters: QuarterHours?

    /// Begins with what was known of the device's clock; nil when nothing was.
    init(milliseconds: Int64? = nil) {
        self.correction = Int32(clamping: milliseconds ?? 0)
        self.isKnown = milliseconds != nil
    }

    /// What is to be added to the device's times, in milliseconds.
    var milliseconds: Int64 { Int64(self.correction) }

    /// Whether the offset is one of quarter hours.
    private var isOfQuarters: Bool { abs(self.milliseconds) > Self.limit + Self.tolerance }

    /// Takes note of a fix, of which the device says that it was taken at `claimed`.
    mutating func learn(_ claimed: Timestamp, receivedAt now: Timestamp) {
        let lag = now - claimed
        let kept = Int32(clamping: lag)
        let isArrival = self.lastArrival.map { now - $0 >= Self.separation } ?? true
        if isArrival {
            if self.count > 0 { self.last = (self.last + 1) % UInt8(Self.capacity) }
            self.lags[Int(self.last)] = kept
            self.count = min(self.count + 1, UInt8(Self.capacity))
            self.lastArrival = now
        } else {
            self.lags[Int(self.last)] = min(self.lags[Int(self.last)], kept)
        }
        let error = lag - self.milliseconds
        guard abs(error) > Self.tolerance else {
            if self.quarters != nil { self.quarters = nil }
            if !self.isKnown { self.believe() }
            return
        }
        if self.isOfQuarters, 0...QuarterHours.scatter ~= error { return }
        if self.learnQuarters(lag, isArrival: isArrival, at: now) { return }
        self.believe()
    }

    /// Forgets what was learned of arrivals ahead of now: the lags were those of the server's clock.
    mutating func turnBack(to now: Timestamp) {
        guard let lastArrival = self.lastArrival, lastArrival > now else { return }
        self = Self()
    }

    /// Looks at a fix of another lag than the clock explains; whether it proves that the clock is wrong by quarter hours.
    private mutating func learnQuarters(_ lag: Int64, isArrival: Bool, at now: Timestamp) -> Bool {
        guard abs(lag) > Self.limit + Self.tolerance else {
            if self.quarters != nil { self.quarters = nil }
            return false
        }
        guard var quarters = self.quarters, quarters.isLike(lag) else {
            self.quarters = QuarterHours(lag: lag, at: now)
            return false
        }
        quarters.note(lag, isArrival: isArrival, at: now)
        guard let offset = quarters.offset, let correction = Int32(exactly: offset) else {
            self.quarters = quarters
            return false
        }
        self.correction = correction
        self.isKnown = true
        self.quarters = nil
        return true
    }

    private mutating func believe() {
        let known = Int(self.count)
        guard known >= Self.agreeing else { return }
        let sorted = (0..<known).map { Int64(self.lags[$0]) }.sorted()
        let freshest = (0...known - Self.agreeing).first {
            sorted[$0 + Self.agreeing - 1] - sorted[$0] <= Self.tolerance
        }
        guard let lag = freshest.map({ sorted[$0] }) else { return }
        // What comes sooner or later than before from a tracker whose quarter hours are known speaks for them.
        if self.isOfQuarters, QuarterHours.isExplained(lag, by: self.milliseconds) {
            self.correction = min(self.correction, Int32(clamping: lag))
            self.isKnown = true
            return
        }
        // What differs by more is no clock that this rule knows.
        self.isKnown = abs(lag) <= Self.limit + Self.tolerance
        guard abs(lag - self.milliseconds) > Self.tolerance else { return }
        self.correction = Self.tolerance...(Self.limit + Self.tolerance) ~= abs(lag) ? Int32(lag) : 0
    }
}
