/// A `timestamptz`: on the wire, microseconds since 2000-01-01.
struct PostgresMoment: PostgresDecodable {
    /// Milliseconds between the Unix epoch and PostgreSQL's.
    static let epochOffset: Int64 = 946_684_800_000

    let unixMilliseconds: Int64

    /// The binary form of a moment; what lies beyond the years that it can say becomes its extreme.
    static func wireMicroseconds(unixMilliseconds: Int64) -> Int64 {
        let (shifted, underflow) = unixMilliseconds.subtractingReportingOverflow(Self.epochOffset)
        let (microseconds, overflow) = shifted.multipliedReportingOverflow(by: 1000)
        guard !underflow, !overflow else { return unixMilliseconds < 0 ? .min : .max }
        return microseconds
    }

    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        guard type == .timestamptz, let microseconds: Int64 = bytes.bigEndian() else { return nil }
        // The extremes stand for −infinity and infinity and have no milliseconds.
        guard microseconds != .min, microseconds != .max else { return nil }
        // Rounded down, also before the epoch.
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1000)
        self.unixMilliseconds = quotient - (remainder < 0 ? 1 : 0) + Self.epochOffset
    }
}
