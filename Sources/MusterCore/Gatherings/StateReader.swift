/// The error for a stored state that is damaged.
struct StateDamage: Error {}

/// A reader of the byte format of state versions 1 to 3.
struct StateReader {
    private var rest: ArraySlice<UInt8>

    /// Creates a reader at the beginning of `bytes`.
    init(_ bytes: [UInt8]) { self.rest = bytes[...] }

    /// Whether all bytes were read.
    var isAtEnd: Bool { self.rest.isEmpty }

    mutating func byte() throws(StateDamage) -> UInt8 {
        guard let byte = self.rest.popFirst() else { throw StateDamage() }
        return byte
    }

    mutating func flag() throws(StateDamage) -> Bool {
        switch try self.byte() {
        case 0: false
        case 1: true
        default: throw StateDamage()
        }
    }

    mutating func integer() throws(StateDamage) -> Int64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try self.byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
        }
        throw StateDamage()
    }

    mutating func double() throws(StateDamage) -> Double {
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try self.byte()) << shift }
        let value = Double(bitPattern: bits)
        guard value.isFinite else { throw StateDamage() }
        return value
    }

    mutating func moment() throws(StateDamage) -> Timestamp {
        // A damaged moment must not overflow when durations are added.
        let milliseconds = try self.integer()
        guard abs(milliseconds / 2) < .max / 8 else { throw StateDamage() }
        return Timestamp(milliseconds: milliseconds)
    }

    mutating func identifier<Subject>() throws(StateDamage) -> Identifier<Subject> { Identifier(try self.integer()) }

    mutating func text() throws(StateDamage) -> String {
        let bytes = try self.list { reader throws(StateDamage) in try reader.byte() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw StateDamage() }
        return text
    }

    mutating func optional<Value>(
        _ body: (inout Self) throws(StateDamage) -> Value
    ) throws(StateDamage) -> Value? {
        try self.flag() ? try body(&self) : nil
    }

    mutating func list<Element>(
        _ body: (inout Self) throws(StateDamage) -> Element
    ) throws(StateDamage) -> [Element] {
        let count = try self.integer()
        // Each element takes at least one byte.
        guard count >= 0, count <= Int64(self.rest.count) else { throw StateDamage() }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try body(&self)) }
        return elements
    }
}
