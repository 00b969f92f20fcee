import Testing

@testable import muster_bench

@Suite("The search for the rate that is sustained")
struct RateSearchTests {
    /// Searches with a server that sustains every rate up to `limit`, and returns the result and the number of trials.
    private func search(limit: Double, from first: Double, step: Double) -> (sustained: Double?, trials: Int) {
        var search = RateSearch(from: first, step: step, lowest: first / 64)
        var trials = 0
        while let rate = search.rate, trials < 100 {
            if rate <= limit { search.noteSustained() } else { search.noteFailed() }
            trials += 1
        }
        return (search.sustained, trials)
    }

    @Test(
        "it ends within 5 % below what the server can, after few trials",
        arguments: [100.0, 1_100, 9_999, 10_000, 33_000, 200_000],
        [2, 1.15]
    )
    func finds(limit: Double, step: Double) throws {
        let (sustained, trials) = self.search(limit: limit, from: 4000, step: step)
        #expect((limit / RateSearch.precision...limit).contains(try #require(sustained)))
        #expect(trials <= 24)
    }

    @Test("a server that sustains nothing is given up")
    func nothing() {
        let (sustained, trials) = self.search(limit: 1, from: 4000, step: 2)
        #expect(sustained == nil)
        #expect(trials <= 14)
    }

    @Test("one failure of a rate that is sustained the next time decides nothing")
    func hiccup() {
        var search = RateSearch(from: 1000, step: 2, lowest: 10)
        search.noteFailed()
        #expect(search.rate == 1000)
        search.noteSustained()
        #expect(search.rate == 2000)
        search.noteFailed()
        search.noteFailed()
        #expect(search.sustained == 1000)
        #expect(search.rate.map { (1000..<2000).contains($0) } == true)
    }
}
