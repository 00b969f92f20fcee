/// A reusable buffer for building the text of a frame.
struct FrameText {
    /// The text.
    private(set) var bytes: [UInt8] = []

    /// Removes the text, and keeps the memory.
    mutating func clear() { self.bytes.removeAll(keepingCapacity: true) }

    /// Appends a constant text.
    mutating func append(_ text: StaticString) {
        self.bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends bytes.
    mutating func append(_ text: [UInt8]) { self.bytes.append(contentsOf: text) }

    /// Appends a non-negative integer.
    mutating func append(_ number: Int64) { self.append(UInt64(number), minimumDigits: 1) }

    /// Appends an angle, given in units of 10⁻⁷ degree, in degrees.
    mutating func append(degrees: Int64) {
        if degrees < 0 { self.bytes.append(UInt8(ascii: "-")) }
        self.append(degrees.magnitude / 10_000_000, minimumDigits: 1)
        self.bytes.append(UInt8(ascii: "."))
        self.append(degrees.magnitude % 10_000_000, minimumDigits: 7)
    }

    private mutating func append(_ number: UInt64, minimumDigits: Int) {
        // 2⁶⁴ has 20 digits.
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var start = digits.count
            var rest = number
            while rest > 0 || digits.count - start < minimumDigits {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            self.bytes.append(contentsOf: digits[start...])
        }
    }
}
