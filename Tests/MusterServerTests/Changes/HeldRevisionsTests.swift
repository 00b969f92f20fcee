import MusterCore
import Testing

@testable import MusterServer

@Suite struct HeldRevisionsTests {
    /// A reference to the value under test, because an expectation cannot mutate a value.
    private final class Holder {
        private var held = HeldRevisions<PinSubject>()

        init(_ rows: [Int64: Int64]) {
            for (id, revision) in rows { _ = self.held.put(PinID(id), revision: revision) }
        }

        var count: Int { self.held.count }

        func knows(_ id: Int64, _ revision: Int64) -> Bool { self.held.isKnown(PinID(id), revision: revision) }
        func put(_ id: Int64, _ revision: Int64) -> Bool { self.held.put(PinID(id), revision: revision) }
        func remove(_ id: Int64) -> Bool { self.held.remove(PinID(id)) }
        func read(_ id: Int64, _ revision: Int64) -> Bool { self.held.read(PinID(id), revision: revision) }
        func begin(_ ids: [Int64]? = nil) { self.held.beginReading(of: ids?.map { PinID($0) }) }
        var unseen: [Int64] { self.held.unseen.map(\.rawValue) }
        func forget(_ id: Int64) { self.held.forget(PinID(id)) }
        func end() -> [Int64] { self.held.endReading().map(\.rawValue) }
    }

    @Test("only a newer revision is news, whichever way it comes")
    func news() {
        let held = Holder([1: 5])
        #expect(!held.put(1, 5))
        #expect(!held.put(1, 4))
        held.begin([1])
        #expect(!held.read(1, 5))
        #expect(held.read(1, 6))
        #expect(held.end() == [])
        #expect(held.knows(1, 6))
        #expect(!held.knows(1, 7))
        #expect(!held.knows(2, 0))
    }

    @Test("what is not among the rows that were read is gone, and of the others nothing")
    func gone() {
        let held = Holder([1: 1, 2: 1, 3: 1])
        held.begin([1, 2, 9])
        #expect(!held.read(2, 1))
        #expect(held.end() == [1])
        held.begin()
        #expect(held.read(4, 1))
        #expect(held.end() == [2, 3])
        #expect(held.count == 1)
    }

    @Test("what is deleted stays deleted, also when who wrote it tells of it later")
    func deleted() {
        let held = Holder([1: 1])
        #expect(held.remove(1))
        #expect(!held.put(1, 2))
        #expect(!held.remove(2), "it was never heard of")
        #expect(!held.put(2, 1))
        #expect(held.count == 0)
    }

    @Test("what is found by a second look is not gone, and what is forgotten is held no more")
    func secondLook() {
        let held = Holder([1: 1, 2: 1, 3: 1])
        held.begin()
        #expect(!held.read(1, 1))
        #expect(held.unseen == [2, 3])
        held.forget(2)
        #expect(held.unseen == [3])
        #expect(held.end() == [3])
        #expect(held.count == 1 && !held.knows(2, 1))
        #expect(held.unseen.isEmpty)
    }

    @Test("what a request does while rows are read is newer than they are")
    func meanwhile() {
        let held = Holder([1: 1, 2: 1])
        held.begin()
        // Posted and deleted while the read runs.
        #expect(held.put(3, 1))
        #expect(held.put(1, 2))
        #expect(held.remove(2))
        #expect(!held.read(2, 1))
        #expect(held.end() == [])
        #expect(held.count == 2)
        #expect(!held.remove(2))
    }

    @Test("what went of late is not put back by who wrote it before, but by a reading that finds it")
    func late() {
        let held = Holder([1: 1, 2: 1])
        #expect(held.remove(1))
        #expect(!held.put(1, 9))
        // Deleted by an operator and read before the request reports its post.
        held.begin([2, 3])
        #expect(held.end() == [2])
        #expect(!held.put(2, 9) && !held.put(3, 1))
        #expect(held.count == 0)
        held.begin([2])
        #expect(held.read(2, 9))
        #expect(held.end() == [])
        #expect(held.put(2, 10))
        // Some kinds read only the rows that they track, so such a row may return.
        held.begin()
        #expect(held.end() == [2])
        #expect(held.put(2, 11))
        for id in 10..<6_000 { _ = held.remove(Int64(id)) }
        #expect(held.put(1, 10), "it is not remembered for ever")
        #expect(!held.put(5_999, 1))
    }

    @Test("a reading that failed is begun again, and nothing of it is left")
    func again() {
        let held = Holder([1: 1, 2: 1])
        held.begin()
        held.begin([1])
        #expect(!held.read(1, 1))
        #expect(held.end() == [])
        #expect(held.count == 2)
    }
}
