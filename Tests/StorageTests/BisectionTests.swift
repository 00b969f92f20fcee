import Testing

@testable import MusterServer

@Suite struct BisectionTests {
    @Test("bad records among many are found in few transactions, and everything else is written in order")
    func finds() {
        for bad: Set<Int> in [[0], [9_999], [5_000], [0, 9_999], [4_999, 5_000, 5_001], [1, 2, 4, 8, 16]] {
            var halving = Bisection()
            var next = 0
            var found: [Int] = []
            var transactions = 0
            while next < 10_000 {
                transactions += 1
                let size = halving.size(of: 10_000 - next)
                if !(next..<next + size).contains(where: bad.contains) {
                    halving.succeeded(size)
                    next += size
                } else if size > 1 {
                    halving.rejected(size)
                } else {
                    found.append(next)
                    halving.isolated()
                    next += 1
                }
            }
            #expect(found == bad.sorted())
            #expect(transactions <= 30 * bad.count + 1, "\(transactions) for \(bad)")
        }
    }

    @Test("a batch is repeated once before it is halved")
    func repeats() {
        var halving = Bisection()
        let first = halving.mayRepeat()
        let second = halving.mayRepeat()
        halving.rejected(10)
        let afterHalving = halving.mayRepeat()
        #expect([first, second, afterHalving] == [true, false, true])
    }
}
