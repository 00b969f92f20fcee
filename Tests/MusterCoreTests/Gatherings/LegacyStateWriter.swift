@testable import MusterCore

/// Writes the binary format in which versions 1 to 3 stored a gathering machine.
struct LegacyStateWriter {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    mutating func write(_ byte: UInt8) { self.bytes.append(byte) }

    mutating func write(_ flag: Bool) { self.write(flag ? UInt8(1) : 0) }

    mutating func write(_ number: Int64) {
        var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
        while rest >= 0x80 {
            self.write(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        self.write(UInt8(rest))
    }

    mutating func write(_ number: Double) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { self.write(UInt8(number.bitPattern >> shift & 0xFF)) }
    }

    mutating func write(_ moment: Timestamp) { self.write(moment.milliseconds) }

    mutating func write<Subject>(_ identifier: Identifier<Subject>) { self.write(identifier.rawValue) }

    mutating func write(_ text: String) {
        self.write(list: Array(text.utf8)) { $0.write($1) }
    }

    mutating func write<Value>(_ value: Value?, _ body: (inout Self, Value) -> Void) {
        self.write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<Element>(list: [Element], _ body: (inout Self, Element) -> Void) {
        self.write(Int64(list.count))
        for element in list { body(&self, element) }
    }
}
