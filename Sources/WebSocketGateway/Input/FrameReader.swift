// A validator of client frames (RFC 6455, 5) in front of libwebsockets. The library accepts some invalid frames, and
// answers only one of several pings. The library gets only valid frames, without pings. After an invalid frame or a
// close frame it gets nothing more.
//
//     FIN RSV opcode | MASK length | [length of 16 or 64 bits] | mask | payload
//
// A data frame is passed on as it arrives, as soon as its header is complete. A control frame is checked when it is
// complete.

/// An incremental validator of a client's frames.
struct FrameReader {
    /// The result of reading bytes.
    struct Outcome: Equatable {
        /// Bytes at the beginning of the buffer that the library gets.
        var passed = 0
        /// Bytes of an incomplete header or control frame at the end.
        ///
        /// The caller passes them again, followed by more.
        var waiting = 0
        /// The offset of the last pong in the pongs; nil when no ping was answered.
        var lastPong: Int?
        /// Whether a frame violated the protocol.
        var isBroken = false
    }

    private enum Opcode {
        static let continuation: UInt8 = 0
        static let binary: UInt8 = 2
        static let close: UInt8 = 8
        static let ping: UInt8 = 9
        static let pong: UInt8 = 10
    }

    private static let maskBytes = 4

    /// The remaining payload bytes of the current data frame.
    private var remaining = 0
    /// Whether a fragmented message is incomplete.
    private var isFragmented = false
    /// Whether all further input is ignored.
    private(set) var isDone = false

    /// Reads bytes, and moves those for the library to the beginning of the buffer.
    ///
    /// - Parameters:
    ///   - bytes: the bytes left over from the last call, followed by new ones.
    ///   - pongs: the buffer to which the answers to pings are appended.
    /// - Returns: the number of bytes for the library, and the number of bytes left over.
    mutating func read(_ bytes: UnsafeMutableRawBufferPointer, pongs: inout [UInt8]) -> Outcome {
        var outcome = Outcome()
        var index = 0
        while index < bytes.count, !self.isDone {
            if self.remaining > 0 {
                let count = min(self.remaining, bytes.count - index)
                self.pass(count, of: bytes, &index, &outcome)
                self.remaining -= count
                continue
            }
            let frame = UnsafeMutableRawBufferPointer(rebasing: bytes[index...])
            guard frame.count >= 2 else { break }
            let (opcode, isControl) = (frame[0] & 0x0F, frame[0] & 0x08 != 0)
            guard self.isAllowed(frame[0], frame[1]) else {
                self.break(&outcome)
                break
            }
            guard let (header, length) = Self.header(of: frame) else { break }
            guard let length else {
                self.break(&outcome)
                break
            }
            guard isControl else {
                self.isFragmented = frame[0] & 0x80 == 0
                self.remaining = length
                self.pass(header, of: bytes, &index, &outcome)
                continue
            }
            guard frame.count >= header + length else { break }
            let mask = UnsafeRawBufferPointer(rebasing: frame[(header - Self.maskBytes)..<header])
            let payload = UnsafeRawBufferPointer(rebasing: frame[header..<header + length])
            switch opcode {
            case Opcode.ping:
                outcome.lastPong = pongs.count
                pongs.append(0x80 | Opcode.pong)
                pongs.append(UInt8(length))
                for (offset, byte) in payload.enumerated() { pongs.append(byte ^ mask[offset & 3]) }
                index += header + length
            case Opcode.close where !Self.isClose(payload, mask):
                self.break(&outcome)
            case Opcode.close:
                self.pass(header + length, of: bytes, &index, &outcome)
                self.isDone = true
            default: self.pass(header + length, of: bytes, &index, &outcome)
            }
        }
        outcome.waiting = self.isDone ? 0 : bytes.count - index
        return outcome
    }

    private mutating func `break`(_ outcome: inout Outcome) {
        outcome.isBroken = true
        self.isDone = true
    }

    private func pass(
        _ count: Int,
        of bytes: UnsafeMutableRawBufferPointer,
        _ index: inout Int,
        _ outcome: inout Outcome
    ) {
        // Pings before these bytes leave a gap.
        if outcome.passed != index, let start = bytes.baseAddress {
            (start + outcome.passed).copyMemory(from: start + index, byteCount: count)
        }
        outcome.passed += count
        index += count
    }

    /// Returns whether a frame may begin with these two bytes (RFC 6455, 5.1, 5.2, 5.4 and 5.5).
    private func isAllowed(_ first: UInt8, _ second: UInt8) -> Bool {
        let isFinal = first & 0x80 != 0
        let hasReservedBits = first & 0x70 != 0
        let isMasked = second & 0x80 != 0
        guard !hasReservedBits, isMasked else { return false }
        switch first & 0x0F {
        case Opcode.continuation: return self.isFragmented
        case 1, Opcode.binary: return !self.isFragmented
        case Opcode.close...Opcode.pong: return isFinal && second & 0x7F <= 125
        default: return false
        }
    }

    /// Returns the sizes of a frame's header and payload; nil while the header is incomplete.
    ///
    /// The payload size is nil when its encoding is invalid.
    private static func header(of frame: UnsafeMutableRawBufferPointer) -> (header: Int, length: Int?)? {
        let short = Int(frame[1] & 0x7F)
        let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
        let header = 2 + lengthBytes + self.maskBytes
        guard frame.count >= header else { return nil }
        guard lengthBytes > 0 else { return (header, short) }
        let length = frame[2..<2 + lengthBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The length must use the shortest form and at most 63 bits (5.2).
        let isShortest = length >= (lengthBytes == 2 ? 126 : 65_536)
        return (header, isShortest ? Int(exactly: length) : nil)
    }

    /// Returns whether the payload of a close frame is valid (RFC 6455, 5.5.1 and 7.4).
    private static func isClose(_ payload: UnsafeRawBufferPointer, _ mask: UnsafeRawBufferPointer) -> Bool {
        guard payload.count != 1 else { return false }
        guard payload.count >= 2 else { return true }
        let bytes = payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
        switch UInt16(bytes[0]) << 8 | UInt16(bytes[1]) {
        // 1012 to 1014 are registered since (RFC 6455, 11.7): this server closes with 1012, which clients echo.
        case 1000...1003, 1007...1014, 3000...4999: break
        default: return false
        }
        return String(validating: bytes[2...], as: UTF8.self) != nil
    }
}
