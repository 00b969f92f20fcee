import Testing

@testable import MusterServer

@Suite struct RecentDeletionsTests {
    @Test("the last so many are known, each once")
    func limit() {
        var deletions = RecentDeletions(limit: 3)
        for id in [1, 1, 2, 3] as [Int64] { deletions.insert(id) }
        #expect(deletions.contains(1))
        for id in [4, 5] as [Int64] { deletions.insert(id) }
        let known = (1...6 as ClosedRange<Int64>).filter { deletions.contains($0) }
        #expect(known == [3, 4, 5])
    }
}
