/// The headers of server frames, which have no mask (RFC 6455, 5.2).
enum FrameHeader {
    /// Appends a whole text frame.
    static func appendText(_ payload: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(0x81)
        let count = payload.count
        if count < 126 {
            bytes.append(UInt8(count))
        } else if count < 65_536 {
            bytes.append(126)
            bytes.append(UInt8(count >> 8))
            bytes.append(UInt8(count & 0xFF))
        } else {
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(count >> shift & 0xFF)) }
        }
        bytes.append(contentsOf: payload)
    }

    /// Appends a ping of one byte: libwebsockets does not tell of the pong of an empty one.
    static func appendPing(to bytes: inout [UInt8]) {
        bytes.append(0x89)
        bytes.append(1)
        bytes.append(0x6D)
    }

    /// Appends a close frame with code and reason.
    static func appendClose(number: UInt16, reason: String, to bytes: inout [UInt8]) {
        let reason = reason.utf8.prefix(123)
        bytes.append(0x88)
        bytes.append(UInt8(2 + reason.count))
        bytes.append(UInt8(number >> 8))
        bytes.append(UInt8(number & 0xFF))
        bytes.append(contentsOf: reason)
    }
}
