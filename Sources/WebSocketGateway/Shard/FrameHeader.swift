/// The headers of server frames, which have no mask (RFC 6455, 5.2).
enum FrameHeader {
    /// Appends a whole text frame.
    static func appendText(_ payload: [UInt8], to bytes: inout [UInt8]) {
        let count = payload.count
        if count < 126 {
            self.append(0x8100 | UInt16(count), to: &bytes)
        } else if count < 65_536 {
            self.append(0x817E_0000 | UInt32(count), to: &bytes)
        } else {
            self.append(UInt16(0x817F), to: &bytes)
            self.append(UInt64(count), to: &bytes)
        }
        bytes.append(contentsOf: payload)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a ping with one byte of payload, because libwebsockets does not report the pong of an empty ping.
    static func appendPing(to bytes: inout [UInt8]) {
        bytes.append(0x89)
        bytes.append(1)
        bytes.append(0x6D)
    }

    /// Appends a close frame with a code and a reason.
    static func appendClose(number: UInt16, reason: String, to bytes: inout [UInt8]) {
        let reason = reason.utf8.prefix(123)
        bytes.append(0x88)
        bytes.append(UInt8(2 + reason.count))
        bytes.append(UInt8(number >> 8))
        bytes.append(UInt8(number & 0xFF))
        bytes.append(contentsOf: reason)
    }
}
