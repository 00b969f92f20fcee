extension [UInt8] {
    /// Appends the low 32 bits of what is at most that.
    mutating func append(bigEndian number: Int) { self.append(bigEndian: UInt32(number)) }

    /// Appends a number, its highest byte first.
    mutating func append<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number) {
        for byte in 1...Number.bitWidth / 8 {
            self.append(UInt8(truncatingIfNeeded: number >> Number(Number.bitWidth - 8 * byte)))
        }
    }
}

extension ArraySlice<UInt8> {
    /// Reads 32 bits off the front; nil when there are fewer.
    mutating func readBigEndian() -> Int? { self.readBigEndian(UInt32.self).map { Int($0) } }

    /// Reads a number off the front; nil when there is too little.
    mutating func readBigEndian<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        self.readBytes(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number($1) }
    }

    /// Reads so many bytes off the front; nil when there are fewer.
    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard self.count >= count else { return nil }
        defer { self = self.dropFirst(count) }
        return self.prefix(count)
    }
}
