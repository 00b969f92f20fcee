/// A Swift type that can be decoded from a cell in PostgreSQL's binary format.
protocol PostgresDecodable {
    /// Decodes a value; nil when `type` is not supported or the bytes are invalid.
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType)
}

extension UnsafeRawBufferPointer {
    /// Returns a big-endian integer that fills the whole buffer.
    func bigEndian<Integer: FixedWidthInteger>(as _: Integer.Type = Integer.self) -> Integer? {
        guard self.count == MemoryLayout<Integer>.size else { return nil }
        return Integer(bigEndian: self.loadUnaligned(as: Integer.self))
    }
}

extension Bool: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        guard type == .bool, let byte: UInt8 = bytes.bigEndian() else { return nil }
        self = byte != 0
    }
}

extension Int16: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        guard type == .int2, let value: Int16 = bytes.bigEndian() else { return nil }
        self = value
    }
}

extension Int32: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        if let narrow = Int16(binary: bytes, type: type) {
            self = Int32(narrow)
        } else {
            guard type == .int4, let value: Int32 = bytes.bigEndian() else { return nil }
            self = value
        }
    }
}

extension Int64: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        if let narrow = Int32(binary: bytes, type: type) {
            self = Int64(narrow)
        } else if type == .oid, let value: UInt32 = bytes.bigEndian() {
            self = Int64(value)
        } else {
            guard type == .int8, let value: Int64 = bytes.bigEndian() else { return nil }
            self = value
        }
    }
}

extension Float: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        guard type == .float4, let bits: UInt32 = bytes.bigEndian() else { return nil }
        self = Float(bitPattern: bits)
    }
}

extension Double: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        if let narrow = Float(binary: bytes, type: type) {
            self = Double(narrow)
        } else {
            guard type == .float8, let bits: UInt64 = bytes.bigEndian() else { return nil }
            self = Double(bitPattern: bits)
        }
    }
}

extension String: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) {
        switch type {
        case .text, .varchar, .bpchar, .name, .char, .json, .unknown:
            self.init(validating: bytes, as: UTF8.self)
        case .jsonb:
            // The first byte is the version of the format, which is 1.
            guard bytes.first == 1 else { return nil }
            self.init(validating: bytes.dropFirst(), as: UTF8.self)
        case _ where type.isUserDefined:
            self.init(validating: bytes, as: UTF8.self)
        default:
            return nil
        }
    }
}

extension [UInt8]: PostgresDecodable {
    init?(binary bytes: UnsafeRawBufferPointer, type: PostgresType) { self.init(bytes) }
}
