// The frames of a client (RFC 6455, 5), before libwebsockets reads them, which takes some that it must not and answers one ping
// of several. The library gets the frames that are right, without pings; behind one that is wrong, or a close, nothing more.
//
//     FIN RSV opcode | MASK length | [length of 16 or 64 bits] | mask | payload
//
// A data frame is passed on as it comes, once its header has. A control frame is judged when all of it has come.

/// Judges the frames of a client as their bytes come.
struct FrameReader {
    /// What became of bytes that came.
    struct Outcome: Equatable {
        /// Bytes for the library, at the beginning.
        var passed = 0
        /// Bytes that are left of a header or a control frame, behind those that were read: they come again, with more.
        var waiting = 0
        /// Where in the pongs the last one begins; nil when no ping was answered.
        var lastPong: Int?
        /// Whether a frame broke the protocol.
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

    /// Bytes of the payload of a data frame that are still to come.
    private var remaining = 0
    /// Whether a message has begun and not ended.
    private var isFragmented = false
    /// Whether nothing more is read.
    private(set) var isDone = false

    /// Reads what came, and moves what the library gets together.
    ///
    /// - Parameters:
    ///   - bytes: what waited last time, and what came.
    ///   - pongs: gets the frames that answer pings.
    /// - Returns: how much the library gets, and what waits.
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
        // Pings in front of it leave a gap.
        if outcome.passed != index, let start = bytes.baseAddress {
            (start + outcome.passed).copyMemory(from: start + index, byteCount: count)
        }
        outcome.passed += count
        index += count
    }

    /// Whether a frame may begin with these two bytes (RFC 6455, 5.1, 5.2, 5.4 and 5.5).
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

    /// The bytes of a frame's header, and of its payload, nil when its length is written as it must not be; nil while the header
    /// has not come.
    private static func header(of frame: UnsafeMutableRawBufferPointer) -> (header: Int, length: Int?)? {
        let short = Int(frame[1] & 0x7F)
        let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
        let header = 2 + lengthBytes + self.maskBytes
        guard frame.count >= header else { return nil }
        guard lengthBytes > 0 else { return (header, short) }
        let length = frame[2..<2 + lengthBytes].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The shortest form, and 63 bits at most (5.2).
        let isShortest = length >= (lengthBytes == 2 ? 126 : 65_536)
        return (header, isShortest ? Int(exactly: length) : nil)
    }

    /// Whether the payload of a close frame is one (RFC 6455, 5.5.1 and 7.4).
    private static func isClose(_ payload: UnsafeRawBufferPointer, _ mask: UnsafeRawBufferPointer) -> Bool {
        guard payload.count != 1 else { return false }
        guard payload.count >= 2 else { return true }
        let bytes = payload.enumerated().map { $0.element ^ mask[$0.offset & 3] }
        switch UInt16(bytes[0]) << 8 | UInt16(bytes[1]) {
        case 1000...1003, 1007...1011, 3000...4999: break
        default: return false
        }
        return String(validating: bytes[2...], as: UTF8.self) != nil
    }
}
