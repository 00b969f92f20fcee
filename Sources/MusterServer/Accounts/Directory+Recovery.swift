import MusterCore
import Postgres

extension Directory {
    /// Adds the last usable position of each member whose shown position is too inaccurate for gatherings.
    ///
    /// In nearly all cases no member needs it.
    ///
    /// - Throws: `unavailable`.
    func findUsablePositions(of group: inout GroupSnapshot) async throws {
        let places = group.members.indices.filter {
            group.members[$0].position?.fix.accuracy ?? 0 > FixGate.accuracyLimit
        }
        guard !places.isEmpty else { return }
        let result = try await self.query(
            """
            SELECT u.number, f.device_id AS position_device, f.seq, f.at, f.lat, f.lon, f.accuracy, f.altitude, f.speed,
                f.course, f.battery, f.trigger, p.stationary, d.clock_offset IS NOT NULL AS is_clock_known
            FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, number)
                JOIN muster.position p ON p.user_id = u.id
                CROSS JOIN LATERAL (
                    SELECT * FROM muster.fix x
                    WHERE x.user_id = u.id AND x.at > $2 AND x.at <= $4 AND x.verdict IN ('ok', 'future')
                        AND coalesce(x.accuracy, 0) <= $3
                    ORDER BY x.at DESC, x.seq DESC LIMIT 1
                ) f
                LEFT JOIN muster.device d ON d.id = f.device_id
            """,
            [
                .ids(places.map { group.members[$0].user.id }), .timestamptz(self.now - StoredDevice.leadingAge),
                .float8(Double(FixGate.accuracyLimit)), .timestamptz(self.now + FixGate.tolerance),
            ]
        )
        for row in result {
            group.members[places[Int(try row.int64("number")) - 1]].usablePosition = try row.storedPosition()
        }
    }

    /// Updates each user's stored position to the newest visible fix of the last day.
    ///
    /// `muster.position` is written at most once a second, so after a crash the last visible fixes are only in
    /// `muster.fix`. Clients do not send acknowledged fixes again. A `late` fix is visible only when it is the newest
    /// one, and this query reads only the newest one. The history does not record whether a user was stationary; a user
    /// who was, counts as stationary for 10 s more.
    ///
    /// A stored position ahead of now was written while the server's clock was ahead; any newer fix replaces it.
    ///
    /// This runs once at the start and not at each `hello`: reading the partitions of the history costs fifteen times
    /// as much as reading the position.
    ///
    /// Call it after the journal has acquired the database, before any client is admitted.
    ///
    /// - Throws: `unavailable`.
    /// - Returns: the number of updated positions.
    @discardableResult
    func recoverPositions() async throws -> Int {
        let result = try await self.query(
            """
            INSERT INTO muster.position (user_id, device_id, seq, at, lat, lon, accuracy, altitude, speed, course, battery,
                trigger, stationary, verdict)
            SELECT a.id, f.device_id, f.seq, f.at, f.lat, f.lon, f.accuracy, f.altitude, f.speed, f.course, f.battery,
                f.trigger, coalesce(f.trigger = 'ping', false)
                    OR coalesce(q.stationary AND f.at <= q.at + interval '10 s', false), f.verdict
            FROM muster.account a
                LEFT JOIN muster.position q ON q.user_id = a.id AND q.at <= $2
                CROSS JOIN LATERAL (
                    SELECT * FROM muster.fix x
                    WHERE x.user_id = a.id AND x.at > $1 AND x.at <= $2 AND x.at >= coalesce(q.at, $1)
                        AND (x.at > coalesce(q.at, $1) OR x.device_id = q.device_id AND x.seq > q.seq)
                        AND x.verdict IN ('ok', 'future', 'inaccurate', 'late')
                    ORDER BY x.at DESC, x.seq DESC LIMIT 1
                ) f
                JOIN muster.device d ON d.id = f.device_id AND d.user_id = a.id
            ORDER BY a.id
            ON CONFLICT (user_id) DO UPDATE SET device_id = excluded.device_id, seq = excluded.seq, at = excluded.at,
                lat = excluded.lat, lon = excluded.lon, accuracy = excluded.accuracy, altitude = excluded.altitude,
                speed = excluded.speed, course = excluded.course, battery = excluded.battery,
                trigger = excluded.trigger, stationary = excluded.stationary, verdict = excluded.verdict
            WHERE muster.position.at <= excluded.at OR muster.position.at > $2
            """,
            [.timestamptz(self.now - 86_400_000), .timestamptz(self.now + FixGate.tolerance)]
        )
        return result.affectedRows
    }
}
