import Testing

@testable import MusterCore

@Suite("Sequence window")
struct SequenceWindowTests {
    @Test("what storage holds already is a duplicate, the next is not")
    func acknowledged() {
        var window = SequenceWindow(acknowledged: 40)
        #expect([40, 1, 41, 41].map { window.insert($0) } == [false, false, true, false])
    }

    @Test("41 before 40 loses neither")
    func shuffled() {
        var window = SequenceWindow(acknowledged: 39)
        #expect([41, 40, 40, 41].map { window.insert($0) } == [true, true, false, false])
    }

    @Test("any order of a thousand numbers is told from repeats", arguments: [1, 2, 3] as [UInt64])
    func anyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var window = SequenceWindow(acknowledged: 7)
        var fresh = 0
        for number in (Array(8...1007) + Array(8...1007) as [Int64]).shuffled(using: &random)
        where window.insert(number) {
            fresh += 1
        }
        #expect(fresh == 1000)
    }

    @Test("a leap far ahead forgets nothing that is within the window")
    func leap() {
        var window = SequenceWindow(acknowledged: 0)
        let far: Int64 = 1_000_000_000_000
        #expect([far, far - 1023, far - 1024, far].map { window.insert($0) } == [true, true, false, false])
    }

    @Test(
        "what storage could not take may come again, and what it has may not",
        arguments: [30, 41, 45, 2000] as [Int64]
    )
    func rollBack(highest: Int64) {
        var window = SequenceWindow(acknowledged: 20)
        #expect((21...highest).allSatisfy { window.insert($0) })
        window.rollBack(to: 25)
        #expect(window.highest == 25)
        #expect(!(21...25).contains { window.insert($0) })
        #expect((26...highest).allSatisfy { window.insert($0) })
        #expect(!(26...highest).suffix(1024).contains { window.insert($0) })
    }
}
