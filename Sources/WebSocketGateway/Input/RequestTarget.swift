// A path must be in its normal form, or it is refused: two paths that are different for a proxy must not be equal here
// (RFC 3986, 6.2.2). So every path with an alternative spelling is refused: escapes of unreserved characters or of
// slashes, and empty and dot segments.
//
// Browsers leave some characters unescaped that RFC 3986 does not allow, such as | in paths and { in queries. They are
// accepted.

/// The validation of a request's target (RFC 9112, 3.2).
enum RequestTarget {
    private static let unreserved = ByteSet(lettersDigitsAnd: "-._~")
    private static let path = ByteSet(lettersDigitsAnd: "-._~!$&'()*+,;=:@/|^[]")
    private static let query = ByteSet(lettersDigitsAnd: "-._~!$&'()*+,;=:@/?|^[]{}`\\\"<>")
    private static let name = ByteSet(lettersDigitsAnd: "-._~!$&'()*+,;=%")
    private static let literal = ByteSet(lettersDigitsAnd: ":.")

    /// Validates a path and its query.
    ///
    /// `bytes` begins with the slash, or is empty.
    static func check(pathAndQuery bytes: UnsafeRawBufferPointer) throws(HeadFault) {
        var index = 0
        var segment = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: "?") {
            switch bytes[index] {
            case UInt8(ascii: "/"):
                try self.check(segment: bytes, segment..<index)
                if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") { throw .emptySegment }
                segment = index + 1
            case UInt8(ascii: "%"):
                try self.check(pathEscape: self.escape(bytes, at: index))
                index += 2
            case let byte: guard self.path.contains(byte) else { throw .target }
            }
            index += 1
        }
        try self.check(segment: bytes, segment..<index)
        index += 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard try self.escape(bytes, at: index) != 0 else { throw .nul }
                index += 2
            } else if !self.query.contains(bytes[index]) {
                throw .target
            }
            index += 1
        }
    }

    /// Returns whether the bytes are a host with an optional port (RFC 9110, 4.2.1 and 7.2).
    static func isAuthority(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return false }
        var index = 0
        if first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 1,
                bytes[1..<end].allSatisfy({ self.literal.contains($0) })
            else { return false }
            index = end + 1
        } else {
            while index < bytes.count, self.name.contains(bytes[index]) { index += 1 }
        }
        guard index > 0 else { return false }
        guard index < bytes.count else { return true }
        return bytes[index] == UInt8(ascii: ":") && bytes[(index + 1)...].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static func check(segment bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(HeadFault) {
        guard (1...2).contains(range.count), bytes[range].allSatisfy({ $0 == UInt8(ascii: ".") }) else { return }
        throw .dotSegment
    }

    private static func check(pathEscape byte: UInt8) throws(HeadFault) {
        if byte == 0 { throw .nul }
        if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { throw .slashEscape }
        if self.unreserved.contains(byte) { throw .plainEscape }
    }

    /// Returns the byte of an escape sequence.
    private static func escape(_ bytes: UnsafeRawBufferPointer, at index: Int) throws(HeadFault) -> UInt8 {
        guard index + 2 < bytes.count, let high = self.digit(bytes[index + 1]), let low = self.digit(bytes[index + 2])
        else { throw .targetEscape }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte & 0xDF) - 0x37
        default: nil
        }
    }
}
