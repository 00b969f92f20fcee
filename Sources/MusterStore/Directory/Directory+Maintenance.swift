import MusterCore
import Postgres

extension Directory {
    /// Makes tomorrow's partitions, and drops what has outlived its time: fixes, notifications, logins, invites, idle
    /// devices, suggestions, answers of providers, events, share pictures, and photos that nothing uses.
    ///
    /// Call it before serving, because fixes need partitions, and then every hour.
    ///
    /// - Throws: `unavailable`.
    package func maintain() async throws(DirectoryError) {
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
        // An expired invite still says `gone` for a month.
        try await self.query(
            "DELETE FROM muster.invite WHERE expires_at <= $1",
            [.timestamptz(now - 30 * 86_400_000)]
        )
        // A device stays while it is connected, and while the person's position is one of its fixes.
        try await self.query(
            """
            DELETE FROM muster.device d WHERE d.last_seen <= $1
                AND NOT EXISTS (SELECT FROM muster.live_session l WHERE l.device_id = d.id)
                AND NOT EXISTS (SELECT FROM muster.position p WHERE p.device_id = d.id)
            """,
            [.timestamptz(now - self.configuration.deviceLifetime)]
        )
        try await self.sweepSuggestions(at: now)
        try await self.sweepProviderAnswers(at: now)
        try await self.sweepEvents(at: now)
        try await self.sweepShares(at: now)
        for row in ["report WHERE closed_at", "take_down WHERE at"] {
            try await self.query("DELETE FROM muster.\(row) <= $1", [.timestamptz(now - 90 * 86_400_000)])
        }
        try await self.sweepPhotos(at: now)
    }
}
