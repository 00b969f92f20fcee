/// Known clock errors, each of which turns a wrong time into a plausible one when corrected.
enum ClockMistake {
    /// An error, and the conversion of the received value to milliseconds since the Unix epoch.
    private struct Known {
        let rule: String
        /// The length of one unit in milliseconds.
        var unit: Int64 = 1
        /// The number of units in a millisecond, where they are shorter.
        var fraction: Int64 = 1
        /// The milliseconds from the Unix epoch to the epoch of the received value.
        var epoch: Int64 = 0
    }

    /// The period of the ten-bit counter of GPS weeks.
    private static let rollover: Int64 = 1_024 * 7 * 86_400_000
    /// The beginning of 2001, from which Apple's systems count.
    private static let appleEpoch: Int64 = 978_307_200_000
    /// 6 January 1980, from which GPS counts.
    private static let satelliteEpoch: Int64 = 315_964_800_000

    private static let isInSeconds = "is in seconds and must be in milliseconds"
    private static let hasRolledOver = "the receiver's GPS week number has rolled over"
    private static let milliseconds = "and must count milliseconds since 1970"

    private static let known = [
        Known(rule: Self.isInSeconds, unit: 1_000),
        Known(rule: "is in microseconds and must be in milliseconds", fraction: 1_000),
        Known(rule: "is in nanoseconds and must be in milliseconds", fraction: 1_000_000),
        Known(rule: "is 1024 weeks behind: \(Self.hasRolledOver)", epoch: Self.rollover),
        Known(rule: "is 2048 weeks behind: \(Self.hasRolledOver)", epoch: 2 * Self.rollover),
        Known(rule: "is 1024 weeks ahead: the receiver's GPS week number is wrong", epoch: -Self.rollover),
        Known(rule: "counts seconds since 2001 \(Self.milliseconds)", unit: 1_000, epoch: Self.appleEpoch),
        Known(rule: "counts from 2001 and must count from 1970", epoch: Self.appleEpoch),
        Known(rule: "counts seconds since 1980 \(Self.milliseconds)", unit: 1_000, epoch: Self.satelliteEpoch),
        Known(rule: "counts from 1980 and must count from 1970", epoch: Self.satelliteEpoch),
    ]

    /// A clock that was never set starts at the Unix epoch, perhaps west of Greenwich, and phones do not run for longer
    /// than a year without being set.
    private static let unset: ClosedRange<Int64> = -86_400_000...365 * 86_400_000
    /// The Unix time in seconds from 2001 to 2100.
    private static let secondsOfOtherDays: Range<Int64> = 978_307_200..<4_102_444_800

    /// The error of an implausible time, as text that follows the name of its field; nil when it is unknown.
    static func rule(of at: Timestamp, isPlausible: (Timestamp) -> Bool) -> String? {
        let mistake = self.known.first { mistake in
            let units = at.milliseconds / mistake.fraction
            let (scaled, isTooLarge) = units.multipliedReportingOverflow(by: mistake.unit)
            guard !isTooLarge else { return false }
            let (milliseconds, isOutside) = scaled.addingReportingOverflow(mistake.epoch)
            return !isOutside && isPlausible(Timestamp(milliseconds: milliseconds))
        }
        if let mistake { return mistake.rule }
        // A phone that was never set does not run for eleven days. So this is a count of seconds of another day.
        if self.secondsOfOtherDays.contains(at.milliseconds) { return self.isInSeconds }
        return self.unset.contains(at.milliseconds) ? "is close to 1970: the clock of the device is not set" : nil
    }
}
