/// The unread rest of a protobuf message.
///
/// Each read returns nil beyond the end of the message.
struct ProtobufMessage {
    /// The type of a field, as it is encoded.
    enum FieldType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case message = 2
        case fixed32 = 5
    }

    /// The number and the type of a field.
    struct Field: Equatable {
        let number: UInt64
        let type: FieldType
    }

    private var bytes: ArraySlice<UInt8>

    /// Reads bytes as a message.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Whether bytes are left.
    var hasMore: Bool { !self.bytes.isEmpty }

    /// Reads the head of a field; nil for the number 0 and for an unknown type too.
    mutating func readField() -> Field? {
        guard let key = self.readVarint(), key >= 8, let type = FieldType(rawValue: key % 8) else { return nil }
        return Field(number: key / 8, type: type)
    }

    /// Reads an unsigned number of at most 10 bytes; bits beyond 64 are lost.
    mutating func readVarint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = self.bytes.popFirst() else { return nil }
            if shift < 64 { value |= UInt64(byte & 127) << shift }
            if byte < 128 { return value }
        }
        return nil
    }

    /// Reads a number in zigzag encoding.
    mutating func readSigned() -> Double? {
        self.readVarint().map { Double(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
    }

    /// Reads a message inside this one.
    mutating func readMessage() -> ProtobufMessage? { self.readCounted().map { ProtobufMessage($0) } }

    /// Reads a text; damaged letters are replaced.
    mutating func readText() -> String? { self.readCounted().map { String(decoding: $0, as: UTF8.self) } }

    /// Reads a floating-point number of 4 bytes.
    mutating func readFloat() -> Double? {
        self.readBytes(4).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.littleEndian($0)))) }
    }

    /// Reads a floating-point number of 8 bytes.
    mutating func readDouble() -> Double? {
        self.readBytes(8).map { Double(bitPattern: Self.littleEndian($0)) }
    }

    /// Skips the content of a field.
    ///
    /// - Returns: false beyond the end.
    mutating func skip(_ type: FieldType) -> Bool {
        switch type {
        case .varint: self.readVarint() != nil
        case .fixed64: self.readBytes(8) != nil
        case .message: self.readCounted() != nil
        case .fixed32: self.readBytes(4) != nil
        }
    }

    private mutating func readCounted() -> ArraySlice<UInt8>? {
        guard let count = self.readVarint(), count <= UInt64(self.bytes.count) else { return nil }
        return self.readBytes(Int(count))
    }

    private mutating func readBytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= self.bytes.count else { return nil }
        defer { self.bytes = self.bytes.dropFirst(count) }
        return self.bytes.prefix(count)
    }

    private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
