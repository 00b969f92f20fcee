/// A set of ASCII characters.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates the set of letters, digits and `marks`.
    init(lettersDigitsAnd marks: StaticString) {
        for range in [0x30...0x39, 0x41...0x5A, 0x61...0x7A] as [ClosedRange<UInt8>] {
            for byte in range { self.insert(byte) }
        }
        marks.withUTF8Buffer { for byte in $0 { self.insert(byte) } }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { self.low |= 1 << UInt64(byte) } else { self.high |= 1 << UInt64(byte & 63) }
    }

    /// Returns whether the set contains a byte.
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return self.low >> UInt64(byte) & 1 != 0 }
        return byte < 128 && self.high >> UInt64(byte & 63) & 1 != 0
    }
}
