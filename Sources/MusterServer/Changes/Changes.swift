import EventLoop
import MusterStore
import Synchronization

// Notices say which rows changed, and not how: they are read again, so that it does not matter in which order notices come,
// how many there are, or whether one comes twice. After the connection was lost, and at the start, all that is held is
// compared. Reading is one task, which owns what it reads until it has it: what fails is read again, after a pause.

/// Keeps what this process holds of rows as they are, whoever changes them (DESIGN 1, change feed).
final class Changes: Sendable {
    /// What is to be read of a kind.
    private struct Work {
        var ids: Set<Int64> = []
        var isAll = false
    }

    /// What it has done, for the metrics.
    struct Counts {
        var isListening = false
        /// Notices of rows by kind; those of kinds that this process knows.
        var notices: [String: Int]
        /// Comparisons of a kind that came to their end.
        var comparisons = 0
    }

    private struct State {
        /// By the kind's place in the table.
        var work: [Int: Work] = [:]
        /// The kind that was read last.
        var last = -1
        var counts: Counts
    }

    /// Rows that are read at a time.
    private static let rowsAtOnce = 4_096

    private let kinds: [ChangeKind]
    private let directory: Directory
    private let logger: Logger
    private let state: Mutex<State>
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let feed = Mutex<ChangeFeed?>(nil)

    /// Prepares to read; nothing is heard of yet.
    init(_ kinds: [ChangeKind], directory: Directory, logger: Logger) {
        self.kinds = kinds
        self.directory = directory
        self.logger = logger
        let notices = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, 0) })
        self.state = Mutex(State(counts: Counts(notices: notices)))
        (self.wakes, self.wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What it has done.
    var counts: Counts { self.state.withLock { $0.counts } }

    /// Begins to listen.
    ///
    /// - Returns: the heartbeat of what listens.
    @discardableResult
    func listen(on connectionString: String, clock: MonotonicClock) -> Heartbeat {
        let logger = self.logger
        let feed = ChangeFeed(
            connectionString: connectionString,
            clock: clock,
            log: { logger.log($0, component: "changes") },
            tell: { [weak self] in self?.enqueue($0) }
        )
        self.feed.withLock { $0 = feed }
        return feed.heartbeat
    }

    /// Ends what listens; blocks until it has ended.
    func close() { self.feed.withLock { $0.take() }?.close() }

    /// Reads what is heard of, until the task is cancelled.
    func run() async {
        var backoff = Backoff(shortest: 100, longest: 5000)
        var failures = FailureLog()
        for await _ in self.wakes {
            while let (place, work) = self.next() {
                do throws(DirectoryError) {
                    try await self.read(work, of: self.kinds[place])
                    backoff.succeed()
                    let event = failures.succeeded(at: MonotonicClock.system.milliseconds) {
                        LogEvent(.info, "changes are read again")
                    }
                    if let event { self.logger.log(event, component: "changes") }
                } catch {
                    self.add(work, at: place)
                    let event = failures.failed(at: MonotonicClock.system.milliseconds) {
                        LogEvent(.warning, "changes cannot be read", [("error", error.debugDescription)])
                    }
                    if let event { self.logger.log(event, component: "changes") }
                    try? await Task.sleep(for: .milliseconds(backoff.fail()))
                    guard !Task.isCancelled else { return }
                }
            }
        }
    }

    /// Has all that is held compared with what storage holds.
    func compareAll() {
        self.state.withLock { self.compareAll(&$0) }
        self.wake.yield()
    }

    private func compareAll(_ state: inout State) {
        for place in self.kinds.indices { state.work[place, default: Work()].isAll = true }
    }

    /// Notes what is to be read; called on the feed's thread.
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
            state.work[place, default: Work()].isAll = true
        } else if !self.kinds[place].isKnown(notice.id, notice.revision) {
            state.work[place, default: Work()].ids.insert(notice.id)
        }
    }

    private func next() -> (place: Int, work: Work)? {
        self.state.withLock { state in
            // In turn, so that one that cannot be read keeps no other waiting.
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
            if work.isAll { state.work[place]?.isAll = true }
        }
    }

    private func read(_ work: Work, of kind: ChangeKind) async throws(DirectoryError) {
        guard !work.isAll else {
            try await kind.compare(self.directory)
            self.state.withLock { $0.counts.comparisons += 1 }
            return
        }
        var ids = work.ids.sorted()[...]
        while !ids.isEmpty {
            try await kind.readAgain(Array(ids.prefix(Self.rowsAtOnce)), self.directory)
            ids = ids.dropFirst(Self.rowsAtOnce)
        }
    }
}
