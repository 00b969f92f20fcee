import EventLoop
import Testing

@Suite("Pauses between attempts")
struct BackoffTests {
    private struct Highest: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    @Test("double until they are long enough, and start over after a success")
    func growing() {
        var generator = Highest()
        var backoff = Backoff(shortest: 100, longest: 1000)
        let pauses = (0..<6).map { _ in backoff.fail(using: &generator) }
        #expect(pauses == [100, 200, 400, 800, 1000, 1000])
        #expect(backoff.failures == 6)
        backoff.succeed()
        #expect(backoff.failures == 0)
        #expect(backoff.fail(using: &generator) == 100)
    }

    @Test("differ among those who failed together, and are never shorter than half")
    func spread() {
        let first = (0..<200).map { _ in
            var backoff = Backoff(shortest: 1000, longest: 1000)
            return backoff.fail()
        }
        #expect(first.allSatisfy { (500...1000).contains($0) })
        #expect(Set(first).count > 50)
    }

    @Test("stay bounded however often it fails")
    func forever() {
        var backoff = Backoff(shortest: 100, longest: 5000)
        for _ in 0..<10_000 { #expect((50...5000).contains(backoff.fail())) }
    }
}
