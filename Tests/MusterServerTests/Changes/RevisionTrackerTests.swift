import Testing

@testable import MusterServer

@Suite struct RevisionTrackerTests {
    /// A reference to the value under test, because an expectation cannot mutate a value.
    private final class Holder {
        private var tracker = RevisionTracker()

        init(_ rows: [Int64: Int64] = [:]) { for (id, revision) in rows { _ = self.put(id, revision) } }

        var count: Int { self.tracker.count }

        func knows(_ id: Int64, _ revision: Int64) -> Bool { self.tracker.isKnown(id, revision: revision) }
        func put(_ id: Int64, _ revision: Int64) -> Bool { self.tracker.put(id, revision: revision) != nil }
        func remove(_ id: Int64) { self.tracker.remove(id) }
        func forget(_ id: Int64, _ revision: Int64) { self.tracker.forget(id, revision: revision) }
        func begin(_ ids: [Int64]) { self.tracker.beginReading(of: ids) }
        func read(_ id: Int64, _ revision: Int64) -> Bool { self.tracker.read(id, revision: revision) != nil }
        func end() -> [Int64] { self.tracker.endReading() }
        func beginComparison() { self.tracker.beginComparison() }
        func compare(_ id: Int64, _ revision: Int64) -> Bool { self.tracker.compare(id, revision: revision) != nil }
        var unseen: [Int64] { self.tracker.unseen }
        func endComparison() -> [Int64] {
            defer { self.tracker.endComparison() }
            return self.tracker.unseen
        }
    }

    @Test("only a newer revision is news, whichever way it comes")
    func news() {
        let rows = Holder([1: 5])
        #expect(!rows.put(1, 5))
        #expect(!rows.put(1, 4))
        rows.begin([1])
        #expect(!rows.read(1, 5))
        #expect(rows.read(1, 6))
        #expect(rows.end() == [])
        #expect(rows.knows(1, 6))
        #expect(!rows.knows(1, 7))
        #expect(!rows.knows(2, 0))
    }

    @Test("of the rows that were read, those that do not exist are gone, and of the others nothing")
    func gone() {
        let rows = Holder([1: 1, 2: 1, 3: 1])
        rows.begin([1, 2, 9])
        #expect(!rows.read(2, 1))
        #expect(rows.end() == [1, 9])
        #expect(rows.count == 2)
    }

    @Test("a deleted row stays deleted, also when the request that wrote it reports it later")
    func deleted() {
        let rows = Holder([1: 1])
        rows.remove(1)
        #expect(!rows.put(1, 2))
        rows.remove(2)
        #expect(!rows.put(2, 1))
        #expect(rows.count == 0)
    }

    @Test("rows that a comparison does not find are read again, and a forgotten row is not held")
    func comparison() {
        let rows = Holder([1: 1, 2: 1, 3: 1])
        rows.beginComparison()
        #expect(!rows.compare(1, 1))
        #expect(rows.compare(4, 1))
        #expect(rows.unseen == [2, 3])
        rows.begin([2, 3])
        #expect(!rows.read(2, 1))
        #expect(rows.end() == [3])
        rows.forget(2, 1)
        rows.forget(4, 0)
        #expect(rows.unseen == [])
        #expect(rows.count == 2 && !rows.knows(2, 1) && rows.knows(4, 1))
    }

    @Test("a change by a request during a read is newer than the read")
    func meanwhile() {
        let rows = Holder([1: 1, 2: 1])
        rows.beginComparison()
        // Posted and deleted while the read runs.
        #expect(rows.put(3, 1))
        #expect(rows.put(1, 2))
        rows.remove(2)
        #expect(!rows.compare(2, 1))
        #expect(rows.endComparison() == [1])
        #expect(rows.count == 2)
        rows.begin([1])
        rows.remove(1)
        #expect(!rows.read(1, 2))
        #expect(rows.end() == [])
    }

    @Test("a report of a row that a read does not find is late: the row is gone")
    func stale() {
        let rows = Holder()
        rows.begin([1])
        #expect(rows.put(1, 1))
        #expect(rows.end() == [1])
        #expect(rows.count == 0)
    }

    @Test("rows may be read between the pages of a comparison")
    func between() {
        let rows = Holder([1: 1, 2: 1, 3: 1])
        rows.beginComparison()
        #expect(!rows.compare(1, 1))
        rows.begin([1, 2, 4])
        #expect(rows.read(2, 2) && rows.read(4, 1))
        #expect(rows.end() == [1])
        #expect(!rows.compare(1, 1), "it was deleted after the comparison began")
        #expect(rows.endComparison() == [3])
    }

    @Test("a recently deleted row does not come back by a late report, but by a read that finds it")
    func late() {
        let rows = Holder([1: 1, 2: 1])
        rows.remove(1)
        #expect(!rows.put(1, 9))
        // Deleted by an operator and read before the request reports its post.
        rows.begin([2, 3])
        #expect(rows.end() == [2, 3])
        #expect(!rows.put(2, 9) && !rows.put(3, 1))
        #expect(rows.count == 0)
        rows.begin([2])
        #expect(rows.read(2, 9))
        #expect(rows.end() == [])
        #expect(rows.put(2, 10))
        for id in 10..<70_000 { rows.remove(Int64(id)) }
        #expect(rows.put(1, 10), "it is not remembered for ever")
        #expect(!rows.put(69_999, 1))
    }

    @Test("a read that failed begins again, and nothing of it is left")
    func again() {
        let rows = Holder([1: 1, 2: 1])
        rows.begin([1, 2])
        rows.begin([1])
        #expect(!rows.read(1, 1))
        #expect(rows.end() == [])
        rows.beginComparison()
        rows.beginComparison()
        #expect(!rows.compare(1, 1) && !rows.compare(2, 1))
        #expect(rows.endComparison() == [])
        #expect(rows.count == 2)
    }

    @Test("the last state is held at the end, whatever the order of requests, notices, reads and comparisons")
    func interleavings() {
        for seed in 1...2_000 { RowStory(seed: UInt64(seed)).play() }
    }
}

/// A random interleaving of everything that changes the tracker.
///
/// Storage changes at once. The reports of requests come later, in any order or never; each commit is also announced,
/// and the row is read some time after that.
private final class RowStory {
    private enum Report {
        case put(Int64, Int64)
        case remove(Int64)
    }

    private let seed: UInt64
    private var random: SplitMix64
    private var stored: [Int64: Int64] = [:]
    private var nextRow: Int64 = 1
    private var reports: [Report] = []
    private var announced: Set<Int64> = []
    private var tracker = RevisionTracker()
    /// The rows that a read has returned and the tracker has not received.
    private var reading: [Int64: Int64]?
    /// The last row that the comparison has passed.
    private var compared: Int64?

    init(seed: UInt64) {
        self.seed = seed
        self.random = SplitMix64(state: seed)
    }

    func play() {
        for _ in 0..<60 { self.step(Int.random(in: 0..<9, using: &self.random)) }
        // Everything that was announced arrives in the end, with or without the reports of requests.
        while !self.reports.isEmpty { self.report() }
        self.finishRead()
        while self.compared != nil { self.comparePage() }
        while !self.announced.isEmpty {
            self.beginRead()
            self.finishRead()
        }
        let held = Dictionary(
            uniqueKeysWithValues: (1..<self.nextRow).compactMap { id -> (Int64, Int64)? in
                guard self.tracker.isKnown(id, revision: 0) else { return nil }
                return (id, (1...9).last { self.tracker.isKnown(id, revision: $0) } ?? 0)
            }
        )
        #expect(held == self.stored, "seed \(self.seed)")
    }

    private func step(_ kind: Int) {
        switch kind {
        case 0, 1: self.insert()
        case 2: self.update()
        case 3: self.delete()
        case 4: self.report()
        case 5: self.beginRead()
        case 6: self.finishRead()
        case 7: self.comparePage()
        default:
            // A request that never reports.
            if let lost = self.reports.indices.randomElement(using: &self.random) { self.reports.remove(at: lost) }
        }
    }

    private func insert() {
        self.stored[self.nextRow] = 1
        self.commit(self.nextRow, .put(self.nextRow, 1))
        self.nextRow += 1
    }

    private func update() {
        guard let (id, revision) = self.stored.min(by: { $0.key < $1.key }), revision < 9 else { return }
        self.stored[id] = revision + 1
        self.commit(id, .put(id, revision + 1))
    }

    private func delete() {
        guard let id = self.stored.keys.sorted().randomElement(using: &self.random) else { return }
        self.stored[id] = nil
        self.commit(id, .remove(id))
    }

    private func commit(_ id: Int64, _ report: Report) {
        self.announced.insert(id)
        self.reports.append(report)
    }

    private func report() {
        guard !self.reports.isEmpty else { return }
        switch self.reports.remove(at: Int.random(in: self.reports.indices, using: &self.random)) {
        case .put(let id, let revision): _ = self.tracker.put(id, revision: revision)
        case .remove(let id): self.tracker.remove(id)
        }
    }

    private func beginRead() {
        guard self.reading == nil, !self.announced.isEmpty else { return }
        let ids = self.announced.sorted()
        self.announced = []
        self.tracker.beginReading(of: ids)
        self.reading = self.stored.filter { ids.contains($0.key) }
    }

    private func finishRead() {
        guard let rows = self.reading.take() else { return }
        for (id, revision) in rows.sorted(by: { $0.key < $1.key }) { _ = self.tracker.read(id, revision: revision) }
        _ = self.tracker.endReading()
    }

    /// Compares a page of two rows; it is read and received at once, because one task performs all reads.
    private func comparePage() {
        guard self.reading == nil else { return }
        if self.compared == nil { self.tracker.beginComparison() }
        let page = self.stored.filter { $0.key > self.compared ?? 0 }.sorted { $0.key < $1.key }.prefix(2)
        for (id, revision) in page { _ = self.tracker.compare(id, revision: revision) }
        self.compared = page.last?.key
        if self.compared == nil {
            let unseen = self.tracker.unseen
            self.tracker.beginReading(of: unseen)
            for id in unseen { if let revision = self.stored[id] { _ = self.tracker.read(id, revision: revision) } }
            _ = self.tracker.endReading()
            self.tracker.endComparison()
        }
    }
}
