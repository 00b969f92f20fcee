import Glibc

/// Finds integers in text without a parser.
enum ByteScanner {
    /// The integer after the first `marker`, and the position of its end.
    static func number(
        after marker: UnsafeRawBufferPointer,
        in bytes: UnsafeRawBufferPointer
    ) -> (value: Int64, end: Int)? {
        guard let position = self.end(of: marker, in: bytes) else { return nil }
        return self.number(at: position, in: bytes)
    }

    /// The integer at a position, and the position of its end.
    static func number(at start: Int, in bytes: UnsafeRawBufferPointer) -> (value: Int64, end: Int)? {
        var position = start
        var number: Int64 = 0
        var digits = 0
        while position < bytes.count, case let digit = bytes[position] &- 0x30, digit < 10 {
            number = number &* 10 &+ Int64(digit)
            digits += 1
            position += 1
        }
        return digits > 0 ? (number, position) : nil
    }

    /// Whether the bytes begin with a text.
    static func begins(_ bytes: UnsafeRawBufferPointer, with text: StaticString) -> Bool {
        guard bytes.count >= text.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// The end position of the first `marker`.
    private static func end(of marker: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, let wanted = marker.baseAddress else { return nil }
        var position = 0
        while position + marker.count <= bytes.count,
            let found = memchr(base + position, Int32(marker[0]), bytes.count - marker.count + 1 - position)
        {
            position = UnsafeRawPointer(found) - base
            // Most candidates already differ in the second byte.
            if marker.count == 1 || bytes[position + 1] == marker[1], memcmp(found, wanted, marker.count) == 0 {
                return position + marker.count
            }
            position += 1
        }
        return nil
    }
}
