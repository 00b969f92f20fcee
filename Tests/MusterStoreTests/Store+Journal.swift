import MusterCore
import Postgres
import Testing

@testable import MusterStore

extension Store {
    /// Checks that the fixes of a device are there once each, and that its number says so.
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

    /// What the row of a device says of how far it got.
    func acknowledged(_ arrival: Arrival) async throws -> Int64 {
        let result = try await self.pool.query(
            "SELECT acked_seq FROM muster.device WHERE id = $1",
            [.int64(arrival.device.rawValue)]
        )
        return try #require(result.first).int64("acked_seq")
    }

    /// Ends the backend that holds the writer's lock.
    ///
    /// - Returns: how many were ended: one, or none while the journal connects.
    func endJournalBackend() async throws -> Int {
        try await self.pool.query(
            """
            SELECT pg_terminate_backend(pid) AS ended FROM pg_locks
            WHERE locktype = 'advisory' AND classid = 1836413812 AND objid = 1 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        ).rowCount
    }

    /// Ends the backend of `rival` each time when it holds the database, until `condition` holds.
    func keepFromWriting(_ rival: TestJournal, until condition: () -> Bool) async throws {
        while !condition() {
            let reconnects = rival.journal.metrics.reconnects
            _ = try await self.endJournalBackend()
            try await waitUntil { condition() || rival.journal.metrics.reconnects > reconnects }
        }
    }
}
