import MusterCore
import Postgres

/// The only row of `muster.journal_state` with the writer and its progress, and the writer's advisory lock.
struct WriterRow {
    /// The advisory lock of the writer; `taken` is true when it was free.
    static let lock = PostgresStatement(
        "SELECT pg_try_advisory_lock($1, $2) AS taken",
        [.int32(1_836_413_812), .int32(1)]
    )
    /// Reads the `writer` of the row and the number of its last `batch`.
    static let query: PostgresStatement = "SELECT writer, batch FROM muster.journal_state"

    /// The number of this writer.
    let writer = Int64.random(in: 1...Int64.max)

    /// Registers this writer in the row, with no batch so far.
    func takeOver(atUnixMilliseconds now: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            INSERT INTO muster.journal_state (writer, batch, records, taken_at, batch_records, batch_delay_ms)
            VALUES ($1, 0, 0, $2, 0, 0)
            ON CONFLICT (is_only) DO UPDATE SET writer = excluded.writer, batch = 0, records = 0,
                taken_at = excluded.taken_at, committed_at = NULL, batch_records = 0, batch_delay_ms = 0
            """,
            [.int64(self.writer), .timestamptz(unixMilliseconds: now)]
        )
    }

    /// Records a batch of `size` records; `delay` is the age of the oldest one in milliseconds.
    func record(batch number: Int64, of size: Int, at now: Timestamp, delay: Int64) -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE muster.journal_state SET batch = $2, records = records + $3, committed_at = $4, batch_records = $5,
                batch_delay_ms = $6
            WHERE writer = $1
            """,
            [
                .int64(self.writer), .int64(number), .int64(Int64(size)), .timestamptz(now), .int32(Int32(size)),
                .int64(delay),
            ]
        )
    }
}
