import MusterCore
import Postgres

// Each batch raises `acked_seq` of the devices whose fixes it contains. With thousands of moving users nearly every fix
// in a batch is from a different device. Updating a device's row costs more than inserting the fix. A batch of many
// devices therefore stores their progress in one row of `muster.journal_progress`, at a very low cost per device. The
// rows of all these devices are updated together, once in ten seconds.
//
// Invariants
// - A device's progress is in its row or in `muster.journal_progress`, and is stored there in the transaction that
//   stores its fixes.
// - `acked_seq` is up to date for every reader that depends on it. A writer flushes existing progress before it is
//   ready, and no `hello` is accepted before. After that, `hello` needs `acked_seq` only for devices that the world
//   does not hold. The world holds a device for a minute after its last fix, which is much longer than a flush is
//   delayed.
// - Fixes of a deleted account that arrive after the deletion are removed when a device of the account is missing: in
//   the same transaction when its row is written at once, otherwise at the flush.

/// The progress of devices from batches that did not update the devices' rows.
struct DeviceProgress {
    /// Where a batch stores the progress of its devices.
    enum Plan {
        /// In their rows.
        case written
        /// In a row of `muster.journal_progress`; in the device's own row when its anchor or pending fix changed as
        /// well.
        case logged
        /// In their rows, together with those of all previously logged devices.
        case flushed
    }

    private let logsFrom: Int
    private let delay: Int64
    private var logged: [DeviceID: JournalFixes.Device] = [:]
    /// When the oldest unflushed progress was logged, in nanoseconds.
    private var start: Int64?

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - logsFrom: the minimum number of devices in a batch whose progress is logged.
    ///   - delay: the maximum delay of the flush, in nanoseconds.
    init(logsFrom: Int, delay: Int64) {
        self.logsFrom = logsFrom
        self.delay = delay
    }

    /// The time until the next flush is due, in nanoseconds; nil when nothing is logged.
    func timeLeft(now: Int64) -> Int64? { self.start.map { max(0, $0 + self.delay - now) } }

    /// The plan for a batch with the given number of devices.
    func plan(deviceCount: Int, now: Int64) -> Plan {
        if self.timeLeft(now: now) == 0 { return .flushed }
        return deviceCount >= self.logsFrom ? .logged : .written
    }

    /// The statements that store the progress of a batch's devices.
    ///
    /// - Parameters:
    ///   - plan: where the progress is stored.
    ///   - devices: the devices of the batch, ordered by user.
    ///   - batch: the number of the batch.
    /// - Returns: statements for the batch's transaction.
    func statements(_ plan: Plan, devices: [JournalFixes.Device], batch: Int64) -> [PostgresStatement] {
        switch plan {
        case .written:
            return JournalBatch.deviceStatements(self.logged.isEmpty ? devices : devices.map(self.merged))
        case .logged:
            let changes = devices.filter { $0.memory != nil }
            return JournalBatch.deviceStatements(changes.map(self.merged))
                + Self.logStatements(devices.filter { $0.memory == nil }, batch: batch)
        case .flushed:
            var all = self.logged
            for device in devices { all[device.device] = self.merged(device) }
            return JournalBatch.deviceStatements(all.values.sorted { ($0.user, $0.device) < ($1.user, $1.device) })
                + ["DELETE FROM muster.journal_progress"]
        }
    }

    /// Records the commit of a batch.
    mutating func committed(_ plan: Plan, devices: [JournalFixes.Device], now: Int64) {
        switch plan {
        case .written:
            guard !self.logged.isEmpty else { return }
            for device in devices { self.logged[device.device] = nil }
        case .logged:
            self.start = self.start ?? now
            for device in devices {
                guard device.memory == nil else {
                    self.logged[device.device] = nil
                    continue
                }
                // In place, because this runs for nearly every fix: one dictionary lookup instead of two.
                self.logged[device.device, default: device].follow(by: device)
            }
        case .flushed:
            self.flushed()
        }
    }

    /// Records that `flush` was executed.
    mutating func flushed() {
        self.logged.removeAll(keepingCapacity: true)
        self.start = nil
    }

    /// A device merged with its logged progress.
    private func merged(_ device: JournalFixes.Device) -> JournalFixes.Device {
        guard var merged = self.logged[device.device] else { return device }
        merged.follow(by: device)
        return merged
    }
}

extension JournalFixes.Device {
    /// Adopts the values of a later batch; `acknowledged` and `lastSeen` never decrease.
    fileprivate mutating func follow(by later: Self) {
        let before = self
        self = later
        self.acknowledged = max(later.acknowledged, before.acknowledged)
        self.lastSeen = max(later.lastSeen, before.lastSeen)
    }
}

extension DeviceProgress {
    private static func logStatements(_ devices: [JournalFixes.Device], batch: Int64) -> [PostgresStatement] {
        guard let lastSeen = devices.map(\.lastSeen).min() else { return [] }
        return [
            PostgresStatement(
                """
                INSERT INTO muster.journal_progress (batch, last_seen, devices, users, acked_seqs, clock_offsets)
                VALUES ($1, $2, $3, $4, $5, $6)
                """,
                [
                    .int64(batch), .timestamptz(lastSeen), .ids(devices.map(\.device)), .ids(devices.map(\.user)),
                    .int64Array(devices.map(\.acknowledged)), .int32Array(devices.map(\.clockOffset)),
                ]
            )
        ]
    }

    /// Applies the progress that any writer has logged to the devices' rows.
    ///
    /// A row that a later batch advanced further has a newer clock offset than the log.
    static let flush: PostgresStatement = """
        WITH logged AS (
            DELETE FROM muster.journal_progress
            RETURNING batch, last_seen, devices, users, acked_seqs, clock_offsets
        ), entry AS (
            SELECT x.id, max(x.user_id) AS user_id, max(x.seq) AS seq, max(l.last_seen) AS seen,
                (array_agg(x.clock_offset ORDER BY l.batch DESC))[1] AS clock_offset
            FROM logged l, unnest(l.devices, l.users, l.acked_seqs, l.clock_offsets)
                AS x(id, user_id, seq, clock_offset)
            GROUP BY x.id
        ), raised AS (
            UPDATE muster.device d
            SET acked_seq = greatest(d.acked_seq, e.seq), last_seen = greatest(d.last_seen, e.seen),
                clock_offset = CASE WHEN e.seq >= d.acked_seq THEN e.clock_offset ELSE d.clock_offset END
            FROM entry e
            WHERE d.id = e.id
            RETURNING d.id
        )
        SELECT muster.forget_fixes_of_deleted((SELECT array_agg(user_id) FROM entry))
        WHERE (SELECT count(*) FROM raised) < (SELECT count(*) FROM entry)
        """
}
