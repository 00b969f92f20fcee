/// The key by which a repeated report of a tracker is recognised: a hash of `ReportIdentity`.
package struct ReportKey: Hashable, Sendable {
    /// The bits of the hash.
    package var rawValue: Int64

    /// Wraps a hash.
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// What distinguishes two reports of one tracker.
///
/// Phones' apps do not number their reports. They send a whole batch again when its answer was lost.
package struct ReportIdentity: Equatable, Sendable {
    /// The time as the app sent it, before any correction; nil when it sent none.
    package var at: Timestamp?
    package var coordinate: Coordinate
    package var accuracy: Float?
    package var trigger: Fix.Trigger?

    /// The identity of a fix as the app sent it.
    package init(of fix: Fix) {
        self.at = fix.at
        self.coordinate = fix.coordinate
        self.accuracy = fix.accuracy
        self.trigger = fix.trigger
    }

    /// The bytes to be hashed: each part has a fixed length, and an absent one has a value that no other has.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        Self.append(UInt64(bitPattern: self.at?.milliseconds ?? .min), to: &bytes)
        Self.append(self.coordinate.latitude.bitPattern, to: &bytes)
        Self.append(self.coordinate.longitude.bitPattern, to: &bytes)
        Self.append(self.accuracy?.bitPattern ?? .max, to: &bytes)
        bytes.append(UInt8(self.trigger.flatMap { Fix.Trigger.allCases.firstIndex(of: $0) } ?? 255))
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
