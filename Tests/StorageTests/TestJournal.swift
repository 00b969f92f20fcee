import EventLoop
import MusterTestSupport
import Synchronization
import Testing

@testable import MusterCore
@testable import MusterServer

/// A journal on a test's database that records its output.
final class TestJournal: Sendable {
    private struct State {
        var lastNumber: Int64 = 0
        var committed: [Int64] = []
        var failed: [Int64] = []
        var numbers: [NumberedRecord] = []
        var log: [LogEvent] = []
    }

    private let state: SharedState
    let journal: Journal

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    init(
        _ store: Store,
        batchLimit: Int = 10_000,
        pacer: Pacer? = nil,
        logsProgressFrom: Int? = nil,
        flushesProgressAfter: Duration? = nil
    ) {
        let state = SharedState()
        self.state = state
        var configuration = Journal.Configuration(connectionString: store.connectionString)
        configuration.batchLimit = batchLimit
        if let pacer { configuration.pacer = pacer }
        if let logsProgressFrom { configuration.logsProgressFrom = logsProgressFrom }
        if let flushesProgressAfter { configuration.flushesProgressAfter = flushesProgressAfter }
        self.journal = Journal(
            configuration,
            log: { entry in state.value.withLock { $0.log.append(entry) } },
            onCommitted: { through, failed, numbers in
                state.value.withLock { state in
                    state.committed.append(through)
                    state.failed.append(contentsOf: failed)
                    state.numbers.append(contentsOf: numbers)
                }
            }
        )
    }

    /// The record numbers up to which commits were reported, in order.
    var committed: [Int64] { self.state.value.withLock(\.committed) }
    /// The records that were not written.
    var failed: [Int64] { self.state.value.withLock(\.failed) }
    /// The numbers that storage assigned, in order.
    var numbers: [NumberedRecord] { self.state.value.withLock(\.numbers) }
    /// The log lines.
    var log: [String] { self.state.value.withLock { $0.log.map(\.message) } }
    /// The number of the record submitted last.
    var lastNumber: Int64 { self.state.value.withLock(\.lastNumber) }

    /// Assigns numbers to records and submits them, ten at a time as ticks of a world would.
    func submit(_ records: [JournalRecord]) {
        let entries = self.state.value.withLock { state in
            records.map { record in
                state.lastNumber += 1
                return JournalEntry(number: state.lastNumber, record: record)
            }
        }
        for start in stride(from: 0, to: entries.count, by: 10) {
            var turn = Array(entries[start..<min(start + 10, entries.count)])
            self.journal.submit(&turn)
        }
    }

    /// Waits until all records are written.
    func flush(_ timeout: Duration = .seconds(60)) async throws {
        let isDone = try await onWorkerThread { [journal] in journal.flush(timeout: timeout) }
        #expect(isDone, "the journal did not get done: \(self.log)")
    }

    /// Closes the journal without waiting.
    func close() async throws {
        try await onWorkerThread { [journal] in journal.close() }
    }

    /// Waits until all records are written, and closes the journal.
    func finish() async throws {
        try await self.flush()
        try await self.close()
    }
}
