import MusterCore
import Postgres

extension Directory {
    /// Creates the partitions of the next day, and deletes expired rows.
    ///
    /// These are fixes, notifications, logins, invites, idle devices, suggestions, answers of providers, events, share
    /// pictures, and unused photos. Call it before serving, because fixes need partitions, and then every hour.
    ///
    /// - Throws: `unavailable`.
    package func maintain() async throws {
        let now = self.now
        try await self.query(
            "SELECT created, dropped FROM muster.maintain_partitions($1 * interval '1 millisecond', $2)",
            [.float8(Double(self.configuration.retention)), .timestamptz(now)]
        )
        try await self.query(
            "DELETE FROM muster.notification WHERE at <= $1",
            [.timestamptz(now - self.configuration.retention)]
        )
        try await self.query("DELETE FROM muster.session_token WHERE expires_at <= $1", [.timestamptz(now)])
        // An expired invite is still reported as `gone` for a month.
        try await self.query(
            "DELETE FROM muster.invite WHERE expires_at <= $1",
            [.timestamptz(now - 30 * 86_400_000)]
        )
        // A device is kept while it is connected, while it has a token of its own, and while the user's position is one
        // of its fixes. Logins recognise it for longer.
        try await self.query(
            """
            WITH gone AS (
                DELETE FROM muster.device d WHERE d.last_seen <= $1
                    AND NOT EXISTS (SELECT FROM muster.live_session l WHERE l.device_id = d.id)
                    AND NOT EXISTS (SELECT FROM muster.position p WHERE p.device_id = d.id)
                    AND NOT EXISTS (SELECT FROM muster.device_token t WHERE t.device_id = d.id)
                RETURNING d.user_id, d.key, d.last_seen
            )
            INSERT INTO muster.known_device AS k (user_id, key_hash, last_seen)
            SELECT g.user_id, sha256(convert_to(g.key, 'UTF8')), g.last_seen FROM gone g WHERE g.last_seen > $2
            ON CONFLICT (user_id, key_hash) DO UPDATE SET last_seen = greatest(k.last_seen, excluded.last_seen)
            """,
            [.timestamptz(now - self.configuration.deviceLifetime), .timestamptz(now - Self.deviceMemory)]
        )
        try await self.query(
            "DELETE FROM muster.known_device WHERE last_seen <= $1",
            [.timestamptz(now - Self.deviceMemory)]
        )
        try await self.sweepReportKeys()
        try await self.sweepSignIns(at: now)
        try await self.sweepSuggestions(at: now)
        try await self.sweepProviderAnswers(at: now)
        try await self.sweepEvents(at: now)
        try await self.sweepShares(at: now)
        try await self.sweepPushTargets(at: now)
        for row in ["report WHERE closed_at", "take_down WHERE at"] {
            try await self.query("DELETE FROM muster.\(row) <= $1", [.timestamptz(now - 90 * 86_400_000)])
        }
        try await self.sweepPhotos(at: now)
    }
}
