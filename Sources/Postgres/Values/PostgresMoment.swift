/// A `timestamptz`: microseconds since 2000-01-01 in the binary format.
struct PostgresMoment: PostgresDecodable {
    /// Milliseconds from the Unix epoch to PostgreSQL's epoch.
    static let epochOffset: Int64 = 946_684_800_000

    let unixMilliseconds: Int64

    /// Returns the binary form of a time.
    ///
    /// Values beyond the representable range become its minimum or maximum.
    static func wireMicroseconds(unixMilliseconds: Int64) -> Int64 {
        let (shifted, underflow) = unixMilliseconds.subtractingReportingOverflow(Self.epochOffset)
        let (microseconds, overflow) = shifted.multipliedReportingOverflow(by: 1000)
        guard !underflow, !overflow else { return unixMilliseconds < 0 ? .min : .max }
        return microseconds
    }

    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        guard type == .timestamptz, let microseconds: Int64 = bytes.bigEndian() else { return nil }
        // The minimum and maximum represent −infinity and infinity, which have no milliseconds.
        guard microseconds != .min, microseconds != .max else { return nil }
        // Rounded down, also before the epoch.
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1000)
        self.unixMilliseconds = quotient - (remainder < 0 ? 1 : 0) + Self.epochOffset
    }
}
