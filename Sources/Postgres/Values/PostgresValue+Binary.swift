extension PostgresValue {
    /// The type with which the value is sent.
    var type: PostgresType {
        switch self {
        case .null: .unspecified
        case .bool: .bool
        case .int16: .int2
        case .int32: .int4
        case .int64: .int8
        case .float4: .float4
        case .float8: .float8
        case .text: .text
        case .bytea: .bytea
        case .jsonb: .jsonb
        case .timestamptz: .timestamptz
        case .boolArray: .boolArray
        case .int16Array: .int2Array
        case .int32Array: .int4Array
        case .int64Array: .int8Array
        case .float4Array: .float4Array
        case .float8Array: .float8Array
        case .textArray: .textArray
        case .byteaArray: .byteaArray
        case .jsonbArray: .jsonbArray
        case .timestamptzArray: .timestamptzArray
        }
    }
}

extension BinaryBuffer {
    /// Appends the binary form of `value` without a length; nothing for NULL.
    mutating func append(_ value: PostgresValue) {
        switch value {
        case .null: break
        case .bool(let value): self.append(UInt8(value ? 1 : 0))
        case .int16(let value): self.append(value)
        case .int32(let value): self.append(value)
        case .int64(let value): self.append(value)
        case .float4(let value): self.append(value.bitPattern)
        case .float8(let value): self.append(value.bitPattern)
        case .text(let value): self.append(utf8: value)
        case .bytea(let value): value.withUnsafeBytes { self.append(bytes: $0) }
        case .jsonb(let value):
            self.append(UInt8(1))
            self.append(utf8: value)
        case .timestamptz(let milliseconds):
            self.append(PostgresMoment.wireMicroseconds(unixMilliseconds: milliseconds))
        case .boolArray(let elements):
            self.appendArray(of: .bool, elements) { $0.appendField(UInt8($1 ? 1 : 0)) }
        case .int16Array(let elements):
            self.appendArray(of: .int2, elements) { $0.appendField($1) }
        case .int32Array(let elements):
            self.appendArray(of: .int4, elements) { $0.appendField($1) }
        case .int64Array(let elements):
            self.appendArray(of: .int8, elements) { $0.appendField($1) }
        case .float4Array(let elements):
            self.appendArray(of: .float4, elements) { $0.appendField($1.bitPattern) }
        case .float8Array(let elements):
            self.appendArray(of: .float8, elements) { $0.appendField($1.bitPattern) }
        case .textArray(let elements):
            self.appendArray(of: .text, elements) { $0.appendField($1) }
        case .byteaArray(let elements):
            self.appendArray(of: .bytea, elements) { $0.appendField($1) }
        case .jsonbArray(let elements):
            self.appendArray(of: .jsonb, elements) { $0.appendJSONField($1) }
        case .timestamptzArray(let elements):
            self.appendArray(of: .timestamptz, elements) {
                $0.appendField(PostgresMoment.wireMicroseconds(unixMilliseconds: $1))
            }
        }
    }

    /// Appends a one-dimensional array in the format that `PostgresArray` reads.
    private mutating func appendArray<Element>(
        of type: PostgresType,
        _ elements: [Element?],
        _ appendField: (inout BinaryBuffer, Element) -> Void
    ) {
        self.append(Int32(elements.isEmpty ? 0 : 1))
        self.append(Int32(elements.contains { $0 == nil } ? 1 : 0))
        self.append(type.oid)
        guard !elements.isEmpty else { return }
        self.append(Int32(elements.count))
        self.append(Int32(1))
        for element in elements {
            if let element { appendField(&self, element) } else { self.append(Int32(-1)) }
        }
    }
}
