import Testing

@testable import MusterServer

@Suite struct BadFrameCountTests {
    @Test("the twentieth within a minute is one too many")
    func twenty() {
        var count = BadFrameCount()
        let times = (1...19).map { Int64($0) * 3000 } + [59_999]
        let verdicts = times.map { count.add(at: $0) }
        #expect(verdicts == Array(repeating: false, count: 19) + [true])
    }

    @Test("a client that errs now and then, for ever, is not closed")
    func slowly() {
        var count = BadFrameCount()
        let verdicts = (1...1000).map { count.add(at: Int64($0) * 60_000 / 19) }
        #expect(!verdicts.contains(true))
    }
}
