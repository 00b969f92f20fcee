import EventLoop
import MusterCore
import Postgres

extension JournalWriter {
    /// Requires commits to reach the disk, also on a server with a weaker default.
    private static let durability: PostgresStatement =
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"

    /// Connects, becomes the only writer, and finds out what became of a batch in doubt.
    func acquireDatabase() throws(PostgresError) {
        try self.session.connect()
        try self.acquireLock()
        try self.session.pipeline([Self.durability])
        try self.flushProgress()
        let state = try self.session.pipeline([WriterRow.query])[0].onlyRow()
        if let state, try state.int64("writer") == self.row.writer {
            if let attempt = self.inDoubt, try state.int64("batch") == attempt.number {
                self.succeeded(attempt, seconds: nil, numbers: try self.lookUpNumbers())
            }
        } else {
            if self.hasOwnedDatabase { try self.dropDurableFixes() }
            try self.takeOver()
        }
        self.inDoubt = nil
        self.progress.flushed()
        if self.hasOwnedDatabase { self.tracker.reconnected() }
        self.hasOwnedDatabase = true
        self.collect()
        // A connection does not imply that writes succeed: with a full disk only the connection works.
        if !self.failures.isFailing { self.log(LogEvent(.info, "journal: ready, \(self.waiting.count) records wait")) }
        if self.waiting.isEmpty { self.noteSuccess() }
    }

    /// Carries over to the devices' rows what was logged of them; `acked_seq` may be relied on only then.
    func flushProgress() throws(PostgresError) {
        try self.session.pipeline([DeviceProgress.flush])
        self.progress.flushed()
    }

    private func acquireLock() throws(PostgresError) {
        while true {
            let row = try self.session.pipeline([WriterRow.lock])[0].onlyRow()
            if try row?.bool("taken") == true {
                self.waitsForOther = false
                return
            }
            if !self.waitsForOther {
                self.log(
                    LogEvent(.warning, "journal: another server writes to this database, waiting for its end")
                )
                self.waitsForOther = true
            }
            self.rest(nanoseconds: 250_000_000)
            if self.tracker.isStopping { throw PostgresError(.cancelled, message: "the journal was closed") }
        }
    }

    /// Registers this writer, and deletes the previous writer's sessions and suspended groups.
    private func takeOver() throws(PostgresError) {
        self.lastBatch = 0
        try self.session.pipeline([
            "DELETE FROM muster.live_session", "DELETE FROM muster.group_set_aside",
            self.row.takeOver(atUnixMilliseconds: self.clock.wallMilliseconds),
        ])
    }

    /// Marks waiting fixes as duplicates that are already durable, after another server wrote to the database.
    private func dropDurableFixes() throws(PostgresError) {
        self.log(LogEvent(.warning, "journal: another server wrote to this database in between"))
        self.collect()
        let result = try self.session.execute(
            "SELECT id, acked_seq FROM muster.device WHERE id = ANY($1)",
            [.int64Array(self.waiting.devices.map(\.rawValue))]
        )
        var durable: [DeviceID: Int64] = [:]
        for row in result { durable[try row.id("id")] = try row.int64("acked_seq") }
        self.waiting.neutralizeFixes { fix in (durable[fix.device] ?? 0) >= fix.fix.sequence }
    }
}
