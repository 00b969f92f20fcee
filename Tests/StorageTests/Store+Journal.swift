import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer

extension Store {
    /// Checks that each fix of a device is stored once, and that the device's acknowledged number agrees.
    func expectFixes(_ range: ClosedRange<Int64>, of arrival: Arrival) async throws {
        let row = try await self.pool.query(
            """
            SELECT count(*) AS n, count(DISTINCT seq) AS numbers, min(seq) AS first, max(seq) AS last,
                (SELECT acked_seq FROM muster.device WHERE id = $1) AS acked
            FROM muster.fix WHERE device_id = $1
            """,
            [.int64(arrival.device.rawValue)]
        )[0]
        #expect(try row.int64("n") == Int64(range.count))
        #expect(try row.int64("numbers") == Int64(range.count))
        #expect(try row.int64("first") == range.lowerBound)
        #expect(try row.int64("last") == range.upperBound)
        #expect(try row.int64("acked") == range.upperBound)
    }

    /// The stored acknowledged number of a device.
    func acknowledged(_ arrival: Arrival) async throws -> Int64 {
        let result = try await self.pool.query(
            "SELECT acked_seq FROM muster.device WHERE id = $1",
            [.int64(arrival.device.rawValue)]
        )
        return try #require(result.first).int64("acked_seq")
    }

    /// Terminates the backend that holds the writer's lock.
    ///
    /// - Returns: the number of terminated backends: one, or none while the journal reconnects.
    func endJournalBackend() async throws -> Int {
        try await self.pool.query(
            """
            SELECT pg_terminate_backend(pid) AS ended FROM pg_locks
            WHERE locktype = 'advisory' AND classid = 1836413812 AND objid = 1 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        ).rowCount
    }

    /// Makes commits of the whole cluster wait, after they are durable, for a standby that does not exist.
    ///
    /// Returns once they do.
    func holdCommits() async throws {
        _ = try await self.pool.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        _ = try await self.pool.query("SELECT pg_reload_conf()")
        // Another process of PostgreSQL applies the setting with a delay, so the test commits until one commit waits.
        let probe = PostgresPool(PostgresPool.Configuration(connectionString: self.connectionString))
        let commits = Task {
            while !Task.isCancelled { _ = try await probe.query("SELECT pg_logical_emit_message(true, 'probe', '')") }
        }
        try await waitUntil { try await self.heldCommits() == 1 }
        commits.cancel()
        _ = try await self.pool.query(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        )
        _ = await commits.result
        await probe.close()
        try await waitUntil { try await self.heldCommits() == 0 }
    }

    /// The number of commits that wait for a standby.
    func heldCommits() async throws -> Int64 { try await self.count("pg_stat_activity WHERE wait_event = 'SyncRep'") }

    /// Stops commits from waiting.
    func releaseCommits() async throws {
        _ = try await self.pool.query("ALTER SYSTEM RESET synchronous_standby_names")
        _ = try await self.pool.query("SELECT pg_reload_conf()")
    }

    /// Terminates the backend of `rival` each time it takes the lock, until `condition` holds.
    func keepFromWriting(_ rival: TestJournal, until condition: () -> Bool) async throws {
        while !condition() {
            let reconnects = rival.journal.metrics.reconnects
            _ = try await self.endJournalBackend()
            try await waitUntil { condition() || rival.journal.metrics.reconnects > reconnects }
        }
    }
}
