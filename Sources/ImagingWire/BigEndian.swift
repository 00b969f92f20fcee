extension [UInt8] {
    /// Appends the low 32 bits of a number that fits in them.
    mutating func append(bigEndian number: Int) { self.append(bigEndian: UInt32(number)) }

    /// Appends a number, the highest byte first.
    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number) {
        for byte in 1...Number.bitWidth / 8 {
            self.append(UInt8(truncatingIfNeeded: number >> Number(Number.bitWidth - 8 * byte)))
        }
    }
}

extension ArraySlice<UInt8> {
    /// Reads 32 bits from the front; nil when there are fewer.
    mutating func readBigEndian() -> Int? { self.readBigEndian(UInt32.self).map { Int($0) } }

    /// Reads a number from the front; nil when there are too few bytes.
    mutating func readBigEndian<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        self.readBytes(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number($1) }
    }

    /// Reads `count` bytes from the front; nil when there are fewer.
    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard self.count >= count else { return nil }
        defer { self = self.dropFirst(count) }
        return self.prefix(count)
    }
}
