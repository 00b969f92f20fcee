import MusterCore
import Postgres

extension Directory {
    /// How long a provider's answer is cached, in milliseconds.
    private static let answerLifetime: Int64 = 7 * 86_400_000
    /// The same for Yelp, whose terms allow a day.
    private static let shortLifetime: Int64 = 86_400_000
    /// The SQL expression for the earliest fetch time of a valid answer.
    private static let keptSince = "CASE provider WHEN 'yelp' THEN $2::timestamptz ELSE $1::timestamptz END"
    /// The maximum size of all cached answers, in bytes.
    private static let answerBytes: Int64 = 256 << 20

    /// The cached answer for a key with its age in milliseconds; nil when there is none that is recent enough.
    ///
    /// - Throws: `unavailable`.
    func providerAnswer(to key: String) async throws -> (json: String, age: Int64)? {
        let now = self.now
        let result = try await self.query(
            """
            SELECT answer::text AS answer, fetched_at FROM muster.provider_cache
            WHERE key = $3 AND fetched_at > \(Self.keptSince)
            """,
            Self.lifetimes(at: now) + [.text(key)]
        )
        return try result.first.map { row in
            (try row.text("answer"), max(0, now.milliseconds - (try row.unixMilliseconds("fetched_at"))))
        }
    }

    /// Caches an answer, and deletes the oldest answers beyond the size limit.
    ///
    /// - Throws: `unavailable`.
    func keepProviderAnswer(
        _ json: String,
        places: Int,
        to question: ProviderQuestion
    ) async throws {
        let now = self.now
        try await self.query(
            """
            INSERT INTO muster.provider_cache (key, provider, category, lat, lon, radius, places, bytes, answer, fetched_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (key) DO UPDATE SET places = excluded.places, bytes = excluded.bytes, answer = excluded.answer,
                fetched_at = excluded.fetched_at
            """,
            [
                .text(question.key), .text(question.provider), .text(question.category.rawValue),
                .float8(question.center.latitude), .float8(question.center.longitude), .float8(question.radius),
                .int32(Int32(clamping: places)), .int32(Int32(clamping: json.utf8.count)), .jsonb(json),
                .timestamptz(now),
            ]
        )
        try await self.sweepProviderAnswers(at: now)
    }

    /// Deletes expired answers, and the oldest ones beyond the size limit.
    func sweepProviderAnswers(at now: Timestamp) async throws {
        try await self.query(
            """
            DELETE FROM muster.provider_cache WHERE fetched_at <= \(Self.keptSince) OR key IN (
                SELECT key FROM (
                    SELECT key, sum(bytes) OVER (ORDER BY fetched_at DESC, key) AS total FROM muster.provider_cache
                ) c WHERE total > $3
            )
            """,
            Self.lifetimes(at: now) + [.int64(Self.answerBytes)]
        )
    }

    private static func lifetimes(at now: Timestamp) -> [PostgresValue] {
        [.timestamptz(now - Self.answerLifetime), .timestamptz(now - Self.shortLifetime)]
    }

    /// Stores the health of an external server, as seen by this node, for operators.
    ///
    /// - Throws: `unavailable`.
    func noteProviderHealth(_ health: ProviderHealth) async throws {
        let now = self.now
        try await self.query(
            """
            INSERT INTO muster.provider_state (node, host, provider, failures, reason, open_until, changed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (node, host) DO UPDATE SET provider = excluded.provider, failures = excluded.failures,
                reason = excluded.reason, open_until = excluded.open_until, changed_at = excluded.changed_at
            WHERE provider_state.changed_at <= excluded.changed_at
            """,
            [
                .int16(Int16(self.configuration.node)), .text(health.host), .text(health.provider),
                .int32(Int32(clamping: health.failures)), .optional(health.reason),
                health.openFor.map { .timestamptz(now + $0) } ?? .null, .timestamptz(now),
            ]
        )
    }
}
