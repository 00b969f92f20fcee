/// A parameter of a statement, sent in PostgreSQL's binary format with its type.
package enum PostgresValue: Sendable, Hashable {
    /// SQL NULL, whose type follows from the statement.
    case null
    case bool(Bool)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case float4(Float)
    case float8(Double)
    case text(String)
    case bytea([UInt8])
    /// A JSON document as text, stored as `jsonb`.
    case jsonb(String)
    /// A time in milliseconds since the Unix epoch.
    case timestamptz(unixMilliseconds: Int64)
    case boolArray([Bool?])
    case int16Array([Int16?])
    case int32Array([Int32?])
    case int64Array([Int64?])
    case float4Array([Float?])
    case float8Array([Double?])
    case textArray([String?])
    case byteaArray([[UInt8]?])
    case jsonbArray([String?])
    /// Times in milliseconds since the Unix epoch.
    case timestamptzArray(unixMilliseconds: [Int64?])
}

extension PostgresValue {
    /// NULL when `value` is `nil`.
    package static func optional(_ value: Bool?) -> Self { value.map { .bool($0) } ?? .null }

    /// NULL when `value` is `nil`.
    package static func optional(_ value: Int16?) -> Self { value.map { .int16($0) } ?? .null }

    /// NULL when `value` is `nil`.
    package static func optional(_ value: Int32?) -> Self { value.map { .int32($0) } ?? .null }

    /// NULL when `value` is `nil`.
    package static func optional(_ value: Int64?) -> Self { value.map { .int64($0) } ?? .null }

    /// NULL when `value` is `nil`.
    package static func optional(_ value: Float?) -> Self { value.map { .float4($0) } ?? .null }

    /// NULL when `value` is `nil`.
    package static func optional(_ value: Double?) -> Self { value.map { .float8($0) } ?? .null }

    /// NULL when `value` is `nil`.
    package static func optional(_ value: String?) -> Self { value.map { .text($0) } ?? .null }

    /// NULL when `value` is `nil`.
    package static func optional(_ value: [UInt8]?) -> Self { value.map { .bytea($0) } ?? .null }

    /// NULL when `milliseconds` is `nil`, else a `timestamptz`.
    package static func optionalTimestamptz(unixMilliseconds milliseconds: Int64?) -> Self {
        milliseconds.map { .timestamptz(unixMilliseconds: $0) } ?? .null
    }
}
