import MusterCore
import Postgres

// Position updates are the main cost of a small batch for the PostgreSQL server, and half of it is the spatial index.
//
// - Nearly all users have a row already, so the row is updated. An insertion with a conflict would create the new row
//   twice, including the geography.
// - The arrays are unnested side by side in the SELECT list. With a single call in FROM, the server materialises each
//   array before it joins them, which takes 50 % longer.

extension JournalBatch {
    /// Writes the current positions of users.
    ///
    /// - Parameter now: the time, for fixes without a time of their own.
    /// - Returns: one statement, or none when there are no positions.
    func positionStatements(now: Timestamp) -> [PostgresStatement] {
        guard !self.positions.isEmpty else { return [] }
        let positions = self.positions.sorted { $0.key < $1.key }
        let fixes = positions.map(\.value.position.fix)
        return [
            PostgresStatement(
                positionSQL,
                [
                    .ids(positions.lazy.map { $0.key }), .ids(positions.lazy.map { $0.value.position.device }),
                    .int64Array(fixes.map { $0.sequence }),
                    .timestamptzArray(unixMilliseconds: fixes.map { ($0.at ?? now).milliseconds }),
                    .float8Array(fixes.map { $0.coordinate.latitude }),
                    .float8Array(fixes.map { $0.coordinate.longitude }), .float4Array(fixes.map { $0.accuracy }),
                    .float4Array(fixes.map { $0.altitude }), .float4Array(fixes.map { $0.speed }),
                    .float4Array(fixes.map { $0.course }), .float4Array(fixes.map { $0.battery }),
                    .textArray(fixes.map { $0.trigger?.rawValue }),
                    .boolArray(positions.map { $0.value.position.isStationary }),
                    .textArray(positions.map { $0.value.verdict.rawValue }),
                ]
            )
        ]
    }
}

private let positionSQL = """
    WITH updated AS (
        UPDATE muster.position p
        SET device_id = x.device_id, seq = x.seq, at = x.at, lat = x.lat, lon = x.lon, accuracy = x.accuracy,
            altitude = x.altitude, speed = x.speed, course = x.course, battery = x.battery,
            trigger = x.trigger::muster.fix_trigger, stationary = x.stationary, verdict = x.verdict::muster.fix_verdict
        FROM \(positionRows)
        WHERE p.user_id = x.user_id
        RETURNING p.user_id
    )
    INSERT INTO muster.position (user_id, device_id, seq, at, lat, lon, accuracy, altitude, speed, course, battery,
        trigger, stationary, verdict)
    SELECT x.user_id, x.device_id, x.seq, x.at, x.lat, x.lon, x.accuracy, x.altitude, x.speed, x.course, x.battery,
        x.trigger::muster.fix_trigger, x.stationary, x.verdict::muster.fix_verdict
    FROM \(positionRows)
    WHERE (SELECT count(*) FROM updated) < cardinality($1)
        AND NOT EXISTS (SELECT FROM muster.position p WHERE p.user_id = x.user_id)
    ON CONFLICT (user_id) DO UPDATE SET device_id = excluded.device_id, seq = excluded.seq,
        at = excluded.at, lat = excluded.lat, lon = excluded.lon, accuracy = excluded.accuracy,
        altitude = excluded.altitude, speed = excluded.speed, course = excluded.course,
        battery = excluded.battery, trigger = excluded.trigger, stationary = excluded.stationary,
        verdict = excluded.verdict
    """

private let positionRows = """
    (
            SELECT unnest($1::bigint[]) AS user_id, unnest($2::bigint[]) AS device_id, unnest($3::bigint[]) AS seq,
                unnest($4::timestamptz[]) AS at, unnest($5::float8[]) AS lat, unnest($6::float8[]) AS lon,
                unnest($7::real[]) AS accuracy, unnest($8::real[]) AS altitude, unnest($9::real[]) AS speed,
                unnest($10::real[]) AS course, unnest($11::real[]) AS battery, unnest($12::text[]) AS trigger,
                unnest($13::bool[]) AS stationary, unnest($14::text[]) AS verdict
        ) x JOIN muster.device d ON d.id = x.device_id AND d.user_id = x.user_id
    """
