/// One row of a result.
///
/// Every accessor throws `decoding`, with the column and its content, when the column is missing, has another type, or
/// is NULL without an `optional…` accessor.
package struct PostgresRow: Sendable {
    let result: PostgresResult
    let index: Int
}

extension PostgresRow {
    /// Whether the column is NULL.
    package func isNull(_ column: String) throws(PostgresError) -> Bool {
        try self.cell(column).length < 0
    }

    /// The value of a `boolean`.
    package func bool(_ column: String) throws(PostgresError) -> Bool { try self.decode(column) }

    /// The value of a `smallint`.
    package func int16(_ column: String) throws(PostgresError) -> Int16 { try self.decode(column) }

    /// The value of an `integer` or `smallint`.
    package func int32(_ column: String) throws(PostgresError) -> Int32 { try self.decode(column) }

    /// The value of an `integer` or `smallint`, or `nil` for NULL.
    package func optionalInt32(_ column: String) throws(PostgresError) -> Int32? { try self.decodeOptional(column) }

    /// The value of a `bigint`, `integer` or `smallint`.
    package func int64(_ column: String) throws(PostgresError) -> Int64 { try self.decode(column) }

    /// The value of a `bigint`, `integer` or `smallint`, or `nil` for NULL.
    package func optionalInt64(_ column: String) throws(PostgresError) -> Int64? { try self.decodeOptional(column) }

    /// The value of a `real`.
    package func float4(_ column: String) throws(PostgresError) -> Float { try self.decode(column) }

    /// The value of a `real`, or `nil` for NULL.
    package func optionalFloat4(_ column: String) throws(PostgresError) -> Float? { try self.decodeOptional(column) }

    /// The value of a `double precision` or `real`.
    package func float8(_ column: String) throws(PostgresError) -> Double { try self.decode(column) }

    /// The value of a `double precision` or `real`, or `nil` for NULL.
    package func optionalFloat8(_ column: String) throws(PostgresError) -> Double? { try self.decodeOptional(column) }

    /// The value of a `text`, `varchar`, `name`, `json`, `jsonb` or enum.
    package func text(_ column: String) throws(PostgresError) -> String { try self.decode(column) }

    /// The value of a `text`, `varchar`, `name`, `json`, `jsonb` or enum, or `nil` for NULL.
    package func optionalText(_ column: String) throws(PostgresError) -> String? { try self.decodeOptional(column) }

    /// The value of a `bytea`, or any other type in its binary form.
    package func bytes(_ column: String) throws(PostgresError) -> [UInt8] { try self.decode(column) }

    /// The time of a `timestamptz`, in milliseconds since the Unix epoch, rounded down.
    package func unixMilliseconds(_ column: String) throws(PostgresError) -> Int64 {
        let moment: PostgresMoment = try self.decode(column)
        return moment.unixMilliseconds
    }

    /// The time of a `timestamptz`, in milliseconds since the Unix epoch, rounded down, or `nil` for NULL.
    package func optionalUnixMilliseconds(_ column: String) throws(PostgresError) -> Int64? {
        let moment: PostgresMoment? = try self.decodeOptional(column)
        return moment?.unixMilliseconds
    }

    /// The elements of a `boolean[]`, `nil` for NULL elements.
    package func boolArray(_ column: String) throws(PostgresError) -> [Bool?] { try self.decodeArray(column) }

    /// The elements of a `smallint[]`, `nil` for NULL elements.
    func int16Array(_ column: String) throws(PostgresError) -> [Int16?] { try self.decodeArray(column) }

    /// The elements of a `integer[]`, `nil` for NULL elements.
    package func int32Array(_ column: String) throws(PostgresError) -> [Int32?] { try self.decodeArray(column) }

    /// The elements of a `bigint[]`, `nil` for NULL elements.
    package func int64Array(_ column: String) throws(PostgresError) -> [Int64?] { try self.decodeArray(column) }

    /// The elements of a `real[]`, `nil` for NULL elements.
    package func float4Array(_ column: String) throws(PostgresError) -> [Float?] { try self.decodeArray(column) }

    /// The elements of a `double precision[]`, `nil` for NULL elements.
    package func float8Array(_ column: String) throws(PostgresError) -> [Double?] { try self.decodeArray(column) }

    /// The elements of a `text[]`, `nil` for NULL elements.
    package func textArray(_ column: String) throws(PostgresError) -> [String?] { try self.decodeArray(column) }

    /// The elements of a `bytea[]`, `nil` for NULL elements.
    func bytesArray(_ column: String) throws(PostgresError) -> [[UInt8]?] { try self.decodeArray(column) }

    /// The times of a `timestamptz[]`, in milliseconds since the Unix epoch, `nil` for NULL elements.
    package func unixMillisecondsArray(_ column: String) throws(PostgresError) -> [Int64?] {
        let moments: [PostgresMoment?] = try self.decodeArray(column)
        return moments.map { $0?.unixMilliseconds }
    }
}
