import EventLoop
import Synchronization

// A notice names a row that changed, not the change itself; the row is read again. So neither the order nor the number
// of notices matters, and duplicates do no harm. At the start and after a lost connection, all cached rows are compared
// with storage, page by page, so that no read waits for a whole comparison. One task performs all reads. Work that fails
// is put back and retried after a pause.

/// Keeps the rows that this process caches up to date, whichever process changes them (sql/README.md, change feed).
final class Changes: Sendable {
    /// The pending reads of a kind.
    private struct Work {
        var ids: Set<Int64> = []
        /// The last row of the comparison in progress; nil when there is none.
        var compared: Int64?
        /// Whether a comparison must begin after the one in progress.
        var isComparisonDue = false
    }

    /// The counters for the metrics.
    struct Counts {
        var isListening = false
        /// Notices of rows by kind; those of kinds that this process knows.
        var notices: [String: Int]
        /// Comparisons of a kind that were completed.
        var comparisons = 0
    }

    private struct State {
        /// Pending reads by the kind's index in the table.
        var work: [Int: Work] = [:]
        /// The index of the kind that was read last.
        var last = -1
        var counts: Counts
    }

    /// The maximum number of rows of one read.
    private static let rowsAtOnce = 4_096

    private let kinds: [ChangeKind]
    private let directory: Directory
    private let logger: Logger
    private let state: Mutex<State>
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let feed = Mutex<ChangeFeed?>(nil)

    /// Creates the reader.
    ///
    /// It does not listen to the change feed yet.
    init(_ kinds: [ChangeKind], directory: Directory, logger: Logger) {
        self.kinds = kinds
        self.directory = directory
        self.logger = logger
        let notices = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, 0) })
        self.state = Mutex(State(counts: Counts(notices: notices)))
        (self.wakes, self.wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The counters so far.
    var counts: Counts { self.state.withLock { $0.counts } }

    /// Starts to listen to the change feed.
    ///
    /// - Returns: the heartbeat of the feed.
    @discardableResult
    func listen(on connectionString: String, clock: MonotonicClock) -> Heartbeat {
        let logger = self.logger
        let feed = ChangeFeed(
            connectionString: connectionString,
            clock: clock,
            log: { logger.log($0, component: "changes") },
            notify: { [weak self] in self?.enqueue($0) }
        )
        self.feed.withLock { $0 = feed }
        return feed.heartbeat
    }

    /// Stops the change feed; blocks until it has ended.
    func close() { self.feed.withLock { $0.take() }?.close() }

    /// Performs the pending reads until the task is cancelled.
    func run() async {
        var backoff = Backoff(shortest: 100, longest: 5000)
        var failures = FailureLog()
        for await _ in self.wakes {
            while !Task.isCancelled, let (place, work) = self.next() {
                do {
                    try await self.read(work, at: place)
                    backoff.succeed()
                    let event = failures.succeeded(at: MonotonicClock.system.milliseconds) {
                        LogEvent(.info, "changed rows can be read again")
                    }
                    if let event { self.logger.log(event, component: "changes") }
                } catch {
                    self.add(work, at: place)
                    let event = failures.failed(at: MonotonicClock.system.milliseconds) {
                        LogEvent(.warning, "changed rows cannot be read", [("error", String(reflecting: error))])
                    }
                    if let event { self.logger.log(event, component: "changes") }
                    try? await Task.sleep(for: .milliseconds(backoff.fail()))
                    guard !Task.isCancelled else { return }
                }
            }
        }
    }

    /// Schedules a comparison of all cached rows with storage.
    func compareAll() {
        self.state.withLock { self.compareAll(&$0) }
        self.wake.yield()
    }

    private func compareAll(_ state: inout State) {
        for place in self.kinds.indices { state.work[place, default: Work()].isComparisonDue = true }
    }

    /// Adds the reads that an event requires; called on the feed's thread.
    func enqueue(_ event: ChangeFeed.Event) {
        self.state.withLock { state in
            switch event {
            case .listening:
                state.counts.isListening = true
                self.compareAll(&state)
            case .lost: state.counts.isListening = false
            case .changed(let notices):
                for notice in notices { self.note(notice, in: &state) }
            }
        }
        self.wake.yield()
    }

    private func note(_ notice: ChangeNotice, in state: inout State) {
        guard let place = self.kinds.firstIndex(where: { $0.name == notice.kind }) else { return }
        state.counts.notices[notice.kind, default: 0] += 1
        if notice.id == 0 {
            state.work[place, default: Work()].isComparisonDue = true
        } else if !self.kinds[place].isKnown(notice.id, notice.revision) {
            state.work[place, default: Work()].ids.insert(notice.id)
        }
    }

    private func next() -> (place: Int, work: Work)? {
        self.state.withLock { state in
            // Round robin, so that a kind that cannot be read does not block the others.
            let later = state.work.keys.filter { $0 > state.last }.min()
            guard let place = later ?? state.work.keys.min(), let work = state.work.removeValue(forKey: place) else {
                return nil
            }
            state.last = place
            return (place, work)
        }
    }

    private func add(_ work: Work, at place: Int) {
        self.state.withLock { state in
            state.work[place, default: Work()].ids.formUnion(work.ids)
            if let compared = work.compared { state.work[place]?.compared = compared }
            if work.isComparisonDue { state.work[place]?.isComparisonDue = true }
        }
    }

    /// Reads single rows, then a page of a comparison.
    private func read(_ work: Work, at place: Int) async throws {
        let kind = self.kinds[place]
        var ids = work.ids.sorted()[...]
        while !ids.isEmpty {
            try await kind.readAgain(Array(ids.prefix(Self.rowsAtOnce)), self.directory)
            ids = ids.dropFirst(Self.rowsAtOnce)
        }
        guard work.compared != nil || work.isComparisonDue else { return }
        let next = try await kind.compare(work.compared, self.directory)
        if next == nil { self.state.withLock { $0.counts.comparisons += 1 } }
        // A comparison that became due during another one follows it.
        let isDue = work.compared != nil && work.isComparisonDue
        if next != nil || isDue { self.add(Work(compared: next, isComparisonDue: isDue), at: place) }
    }
}
