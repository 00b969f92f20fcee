import Testing

@testable import MusterServer

@Suite struct TokenBucketTests {
    @Test("a burst is free, what goes over it is paid for by waiting")
    func burst() {
        var bucket = TokenBucket(rate: 10, burst: 400, now: 0)
        #expect(bucket.spend(400, now: 0) == 0)
        #expect(bucket.spend(1, now: 0) == 100)
        #expect(bucket.spend(200, now: 0) == 20_100)
    }

    @Test("who waits as long as told is out of debt")
    func payment() {
        var bucket = TokenBucket(rate: 7, burst: 10, now: 1000)
        let wait = bucket.spend(33, now: 1000)
        #expect(wait > 0)
        #expect(bucket.spend(0, now: 1000 + wait) == 0)
        #expect(bucket.spend(1, now: 1000 + wait) > 0)
    }

    @Test("saving up ends at the burst, and a clock that stands still or goes back pays nothing")
    func saving() {
        var bucket = TokenBucket(rate: 10, burst: 20, now: 0)
        #expect(bucket.spend(20, now: 3_600_000) == 0)
        #expect(bucket.spend(20, now: 3_600_000) == 2000)
        #expect(bucket.spend(0, now: 0) == 2000)
    }
}
