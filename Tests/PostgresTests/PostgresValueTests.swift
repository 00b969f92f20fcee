import MusterTestSupport
import Testing

@testable import Postgres

@Suite struct PostgresValueTests {
    /// A parameter, its SQL type on the server, and its value when read back.
    struct Case: Sendable, CustomTestStringConvertible {
        let value: PostgresValue
        let type: String
        let readBack: @Sendable (PostgresRow) throws -> PostgresValue

        var testDescription: String { "\(self.type): \(self.value)".prefix(80).description }
    }

    static let scalars: [Case] =
        [true, false].map { value in
            Case(value: .bool(value), type: "boolean") { .bool(try $0.bool("value")) }
        }
        + [Int16.min, -1, 0, .max].map { value in
            Case(value: .int16(value), type: "smallint") { .int16(try $0.int16("value")) }
        }
        + [Int32.min, -1, 0, .max].map { value in
            Case(value: .int32(value), type: "integer") { .int32(try $0.int32("value")) }
        }
        + [Int64.min, -1, 0, .max].map { value in
            Case(value: .int64(value), type: "bigint") { .int64(try $0.int64("value")) }
        }
        + [0, -0.0, 1.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity].map { value in
            Case(value: .float4(value), type: "real") { .float4(try $0.float4("value")) }
        }
        + [0, 52.520008, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity].map { value in
            Case(value: .float8(value), type: "double precision") { .float8(try $0.float8("value")) }
        }
        + [
            "", "plain", "'; DROP TABLE fix; --", "Zürich 🧭 \u{1F468}\u{200D}\u{1F469}",
            String(repeating: "x", count: 100_000),
        ]
        .map { value in Case(value: .text(value), type: "text") { .text(try $0.text("value")) } }
        + [[], [0], Array(0...255), [UInt8](repeating: 7, count: 70_000)].map { value in
            Case(value: .bytea(value), type: "bytea") { .bytea(try $0.bytes("value")) }
        }
        + [#"{"a": [1, 2.5, null, "ü"]}"#, "null", "[]"].map { value in
            Case(value: .jsonb(value), type: "jsonb") { .jsonb(try $0.text("value")) }
        }
        + [-62_135_596_800_000, -1, 0, 1, 946_684_799_999, 1_735_689_600_123, 253_402_300_799_999].map { value in
            Case(value: .timestamptz(unixMilliseconds: value), type: "timestamp with time zone") {
                .timestamptz(unixMilliseconds: try $0.unixMilliseconds("value"))
            }
        }

    static let arrays: [Case] = [
        Case(value: .boolArray([true, nil, false]), type: "boolean[]") { .boolArray(try $0.boolArray("value")) },
        Case(value: .int16Array([.min, nil, .max]), type: "smallint[]") { .int16Array(try $0.int16Array("value")) },
        Case(value: .int32Array([.min, nil, .max]), type: "integer[]") { .int32Array(try $0.int32Array("value")) },
        Case(value: .int64Array([.min, nil, .max]), type: "bigint[]") { .int64Array(try $0.int64Array("value")) },
        Case(value: .int64Array([]), type: "bigint[]") { .int64Array(try $0.int64Array("value")) },
        Case(value: .int64Array([nil]), type: "bigint[]") { .int64Array(try $0.int64Array("value")) },
        Case(value: .float4Array([1.5, nil, -.infinity]), type: "real[]") { .float4Array(try $0.float4Array("value")) },
        Case(value: .float8Array([1.5, nil, -.infinity]), type: "double precision[]") {
            .float8Array(try $0.float8Array("value"))
        },
        Case(value: .textArray(["", nil, "a,b", "{}", "ü\"\\"]), type: "text[]") {
            .textArray(try $0.textArray("value"))
        },
        Case(value: .byteaArray([[], nil, [0, 255]]), type: "bytea[]") { .byteaArray(try $0.bytesArray("value")) },
        Case(value: .jsonbArray([#"{"a": 1}"#, nil]), type: "jsonb[]") { .jsonbArray(try $0.textArray("value")) },
        Case(value: .timestamptzArray(unixMilliseconds: [0, nil, -1]), type: "timestamp with time zone[]") {
            .timestamptzArray(unixMilliseconds: try $0.unixMillisecondsArray("value"))
        },
    ]

    @Test("a value comes back as it was sent, with the type it was sent as", arguments: scalars + arrays)
    func roundTrip(_ example: Case) async throws {
        let database = try await ThrowawayCluster.shared().connectionString
        try await onWorkerThread {
            let session = PostgresSession(connectionString: database)
            try session.connectWithRetries()
            let sql = "SELECT $1 AS value, pg_typeof($1)::text AS type"
            let row = try #require(try session.execute(sql, [example.value]).first)
            #expect(try row.text("type") == example.type)
            #expect(try example.readBack(row) == example.value)
        }
    }
}
