import Testing

@testable import MusterServer

@Suite struct HistogramTests {
    @Test("a value counts in the first bucket that holds it, its bound included; beyond the last it still counts")
    func buckets() {
        var histogram = Histogram(bounds: [1, 10, 100])
        for value in [0, 1, 1.5, 10, 99, 100.1, 1e9] { histogram.observe(value) }
        #expect(histogram.counts == [2, 2, 1])
        #expect(histogram.count == 7)
        #expect(histogram.sum == 0 + 1 + 1.5 + 10 + 99 + 100.1 + 1e9)
    }
}
