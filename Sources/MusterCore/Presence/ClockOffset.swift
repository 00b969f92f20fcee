// Rule: fix times are corrected by the device's clock offset, which is learned from its freshest fixes. A phone whose
// clock is up to 2 min wrong must not matter, nor a tracker that is wrong by a whole number of quarter hours.
//
// The lag of a fix is its arrival time less its own time: the transmission delay less the amount by which the clock is
// ahead. Fixes that arrive within one second are one arrival, and its freshest fix counts. A lag is believed when three
// of the last eight arrivals agree on it within 5 s; the freshest three if there are several such sets. The offset
// follows only when they differ from it by more than 5 s, so network delays and reordering change no time.
//
// Consequences:
// - One wrong time changes nothing.
// - A corrected clock is believed again after six arrivals at the latest.
// - A phone whose fixes are all equally late, by up to 2 min, cannot be told from one whose clock is behind. Its fixes
//   count as fresh.
//
// Beyond 2 min only quarter hours are learned (`QuarterHours`), because time zones are multiples of them. The offset is
// the least lag of the ten arrivals that proved it. It holds until three arrivals agree on a lag that is not within 2
// min of the same quarter hours. Shorter lags within those 2 min reduce the offset. Fixes with any other lag keep their
// time, and become `future` or `late` by the usual limits (`FixGate`).
//
// The offset is stored with the device. After a restart it holds until three arrivals contradict it. Otherwise the
// fixes of a phone whose clock is behind would be older than its own last position. They would count as history until
// its clock is known again.
//
// A clock is known once three arrivals agreed that it is right, or agreed on its error. Unknown is not the same as
// right.

/// Learns the error of a device's clock.
package struct ClockOffset: Sendable {
    /// The maximum error in milliseconds that is corrected without being a multiple of quarter hours; network delays
    /// may add to it.
    package static let limit: Int64 = 120_000
    /// Differences in milliseconds up to this one do not count as an error.
    static let tolerance: Int64 = 5_000
    private static let capacity = 8
    private static let agreeing = 3
    private static let separation: Int64 = 1000

    // Half as wide as timestamps, because every device has eight. Beyond 24 days, far above the limit, all lags are
    // equal.
    private var lags = InlineArray<8, Int32>(repeating: 0)
    @Packed private var lastArrival: Timestamp?
    private var correction: Int32 = 0
    /// The number of valid elements of `lags`.
    private var count: UInt8 = 0
    /// The index in `lags` of the last arrival.
    private var last: UInt8 = 0
    /// Whether three arrivals agreed, now or before the device was stored.
    private(set) var isKnown: Bool
    /// The evidence for an error of quarter hours; present for few devices.
    @Boxed private var quarters: QuarterHours?

    /// Begins with the stored offset of the device's clock; nil when it was unknown.
    init(milliseconds: Int64? = nil) {
        self.correction = Int32(clamping: milliseconds ?? 0)
        self.isKnown = milliseconds != nil
    }

    /// The correction in milliseconds, to be added to the device's times.
    var milliseconds: Int64 { Int64(self.correction) }

    /// Whether the offset is a multiple of quarter hours.
    private var isOfQuarters: Bool { abs(self.milliseconds) > Self.limit + Self.tolerance }

    /// Processes a fix that its device dates at `claimed`.
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
    mutating func rewind(to now: Timestamp) {
        guard let lastArrival = self.lastArrival, lastArrival > now else { return }
        self = Self()
    }

    /// Processes a fix whose lag the current offset does not explain.
    ///
    /// Returns whether it proves an error of quarter hours.
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
        // A lag within range of the known quarter hours confirms them.
        if self.isOfQuarters, QuarterHours.isExplained(lag, by: self.milliseconds) {
            self.correction = min(self.correction, Int32(clamping: lag))
            self.isKnown = true
            return
        }
        // A larger lag is not a clock error that this rule covers.
        self.isKnown = abs(lag) <= Self.limit + Self.tolerance
        guard abs(lag - self.milliseconds) > Self.tolerance else { return }
        self.correction = Self.tolerance...(Self.limit + Self.tolerance) ~= abs(lag) ? Int32(lag) : 0
    }
}
