import Foundation

/// The target of COPY for fixes: `muster.fix`, which routes each row to its partition, or the partition of one day.
struct FixTable {
    private static let columns = """
        (device_id, seq, user_id, at, received_at, lat, lon, accuracy, altitude, speed, course, battery, trigger,
            verdict) FROM STDIN (FORMAT binary)
        """

    /// The COPY for fixes of any day.
    static let anyDay = "COPY muster.fix \(FixTable.columns)"

    private var knownDay: Int64?
    private var knownSQL = FixTable.anyDay

    /// The COPY for fixes of a day, in days since the epoch, in UTC; the one for any day for `nil`.
    ///
    /// The partition is named as in `muster.maintain_partitions`, and may not exist.
    mutating func copySQL(day: Int64?) -> String {
        guard let day else { return Self.anyDay }
        if day != self.knownDay {
            let style = Date.ISO8601FormatStyle(dateSeparator: .omitted).year().month().day()
            let name = Date(timeIntervalSince1970: Double(day) * 86_400).formatted(style)
            self.knownSQL = "COPY muster.fix_\(name) \(Self.columns)"
            self.knownDay = day
        }
        return self.knownSQL
    }
}
