import MusterCore
import Postgres

extension JournalBatch {
    /// Writes the progress of devices: one update of each row.
    ///
    /// The anchor and the pending fix of a device change with few fixes; a batch without such a change omits their
    /// columns.
    static func deviceStatements(_ devices: [JournalFixes.Device]) -> [PostgresStatement] {
        guard !devices.isEmpty else { return [] }
        let hasChanges = devices.contains { $0.memory != nil }
        var parameters: [PostgresValue] = []
        parameters.reserveCapacity(11)
        parameters.append(.ids(devices.lazy.map { $0.device }))
        parameters.append(.int64Array(devices.map { $0.acknowledged }))
        parameters.append(.timestamps(devices.lazy.map { $0.lastSeen }))
        parameters.append(.ids(devices.lazy.map { $0.user }))
        parameters.append(.int64Array(devices.map { $0.clockOffset.map(Int64.init) }))
        if hasChanges {
            parameters.append(.boolArray(devices.map { $0.memory != nil }))
            parameters.append(
                .timestamptzArray(unixMilliseconds: devices.map { $0.memory?.anchor?.movedAt?.milliseconds })
            )
            parameters.append(.float8Array(devices.map { $0.memory?.anchor?.coordinate.latitude }))
            parameters.append(.float8Array(devices.map { $0.memory?.anchor?.coordinate.longitude }))
            parameters.append(.float4Array(devices.map { $0.memory?.anchor?.accuracy }))
            parameters.append(.timestamptzArray(unixMilliseconds: devices.map { $0.memory?.pendingAt?.milliseconds }))
        }
        return [PostgresStatement(hasChanges ? deviceAndMemorySQL : deviceSQL, parameters)]
    }
}

private let deviceSQL = makeDeviceSQL(assignments: "", columns: "")

private let deviceAndMemorySQL = makeDeviceSQL(
    assignments: """
        ,
                moved_at = CASE WHEN x.is_news THEN x.moved_at ELSE d.moved_at END,
                anchor_lat = CASE WHEN x.is_news THEN x.lat ELSE d.anchor_lat END,
                anchor_lon = CASE WHEN x.is_news THEN x.lon ELSE d.anchor_lon END,
                anchor_accuracy = CASE WHEN x.is_news THEN x.accuracy ELSE d.anchor_accuracy END,
                held_at = CASE WHEN x.is_news THEN x.held_at ELSE d.held_at END
        """,
    columns: """
        , unnest($6::boolean[]) AS is_news,
                unnest($7::timestamptz[]) AS moved_at, unnest($8::float8[]) AS lat, unnest($9::float8[]) AS lon,
                unnest($10::float4[]) AS accuracy, unnest($11::timestamptz[]) AS held_at
        """
)

// An account can only be deleted when its device is missing. The check runs after the devices are locked: see
// 0005-erasure.sql.
private func makeDeviceSQL(assignments: String, columns: String) -> String {
    """
    WITH raised AS (
        UPDATE muster.device d
        SET acked_seq = greatest(d.acked_seq, x.seq), last_seen = greatest(d.last_seen, x.seen),
            clock_offset = x.clock_offset\(assignments)
        FROM (
            SELECT unnest($1::bigint[]) AS id, unnest($2::bigint[]) AS seq, unnest($3::timestamptz[]) AS seen,
                unnest($5::bigint[]) AS clock_offset\(columns)
        ) x
        WHERE d.id = x.id
        RETURNING d.id
    )
    SELECT muster.forget_fixes_of_deleted($4) WHERE (SELECT count(*) FROM raised) < cardinality($1)
    """
}
