import MusterCore
import Postgres

// Each batch raises `acked_seq` of the devices whose fixes it holds. With thousands of people on the move a batch has a
// device for nearly every fix, and overwriting a device's row costs the server more than the fix does. So a batch of
// many devices says how far they got in one row of `muster.journal_progress`, which costs hardly anything a device, and the
// rows of all of them are settled together, once in ten seconds.
//
// Invariants
// - How far a device got is in its row or in `muster.journal_progress`, and one of the two says so in the transaction that
//   stores its fixes.
// - Who reads `acked_seq` to go by it finds it settled. A writer settles what it finds before it is ready, and nobody says
//   `hello` before. While it is, `hello` matters for devices that the world does not hold, and the world holds a device
//   for a minute after its last fix, which is much longer than a settlement is put off.
// - Fixes of a deleted account that came after its deletion are taken back when a device of theirs turns out to be gone:
//   in the same transaction when its row is written at once, else when it is settled.

/// How far devices got by batches that did not write their rows.
struct DeviceProgress {
    /// How a batch says how far its devices got.
    enum Plan {
        /// In their rows.
        case written
        /// In a row of `muster.journal_progress`; in their own where there is other news of a device.
        case logged
        /// In their rows, and in those of all devices that were logged before.
        case settled
    }

    private let logsFrom: Int
    private let delay: Int64
    private var logged: [DeviceID: JournalFixes.Device] = [:]
    /// When the oldest that is not settled was logged, in nanoseconds.
    private var start: Int64?

    /// Starts with everything settled.
    ///
    /// - Parameters:
    ///   - logsFrom: the least number of devices in a batch for which their rows are left for later.
    ///   - delay: how much later, in nanoseconds.
    init(logsFrom: Int, delay: Int64) {
        self.logsFrom = logsFrom
        self.delay = delay
    }

    /// How long until it must be settled, in nanoseconds; nil when nothing is logged.
    func timeLeft(now: Int64) -> Int64? { self.start.map { max(0, $0 + self.delay - now) } }

    /// What is best for a batch with so many devices.
    func plan(deviceCount: Int, now: Int64) -> Plan {
        if self.timeLeft(now: now) == 0 { return .settled }
        return deviceCount >= self.logsFrom ? .logged : .written
    }

    /// What a batch writes of its devices.
    ///
    /// - Parameters:
    ///   - plan: how it does.
    ///   - devices: its devices, by person.
    ///   - batch: its number.
    /// - Returns: the statements, which belong into the batch's transaction.
    func statements(_ plan: Plan, devices: [JournalFixes.Device], batch: Int64) -> [PostgresStatement] {
        switch plan {
        case .written:
            return JournalBatch.deviceStatements(self.logged.isEmpty ? devices : devices.map(self.merged))
        case .logged:
            let news = devices.filter { $0.memory != nil }
            return JournalBatch.deviceStatements(news.map(self.merged))
                + Self.logStatements(devices.filter { $0.memory == nil }, batch: batch)
        case .settled:
            var all = self.logged
            for device in devices { all[device.device] = self.merged(device) }
            return JournalBatch.deviceStatements(all.values.sorted { ($0.user, $0.device) < ($1.user, $1.device) })
                + ["DELETE FROM muster.journal_progress"]
        }
    }

    /// Notes that a batch is committed.
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
                // In place, as this is done for nearly every fix: looked up once, and not once to read and once to write.
                self.logged[device.device, default: device].follow(by: device)
            }
        case .settled:
            self.settled()
        }
    }

    /// Notes that `settlement` has run.
    mutating func settled() {
        self.logged.removeAll(keepingCapacity: true)
        self.start = nil
    }

    /// A device with what was logged of it before.
    private func merged(_ device: JournalFixes.Device) -> JournalFixes.Device {
        guard var merged = self.logged[device.device] else { return device }
        merged.follow(by: device)
        return merged
    }
}

extension JournalFixes.Device {
    /// Takes over what a later batch says of the device, which never goes back.
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

    /// Carries over to the devices' rows what any writer has logged.
    ///
    /// A row that got further by a later batch knows the clock better than the log.
    static let settlement: PostgresStatement = """
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
