import Testing

@testable import MusterServer

@Suite struct PrometheusTextTests {
    @Test("a page reads as the format asks, with buckets that add up")
    func page() {
        var page = PrometheusText()
        MetricTable(Self.metrics) { 1 }.append(&page)
        MetricTable(Self.metrics) { nil }.append(&page)
        #expect(
            page.text == """
                # HELP up Whether it is.
                # TYPE up gauge
                up 1
                # HELP lag_seconds How far behind.
                # TYPE lag_seconds gauge
                lag_seconds 0.25
                # HELP closes_total By code.
                # TYPE closes_total counter
                closes_total{code="1000"} 2
                closes_total{code="4400"} 1
                # HELP tick_seconds How long.
                # TYPE tick_seconds histogram
                tick_seconds_bucket{le="0.5"} 2
                tick_seconds_bucket{le="1.0"} 3
                tick_seconds_bucket{le="+Inf"} 4
                tick_seconds_sum 10.0
                tick_seconds_count 4
                # HELP wait_seconds How long.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{route="/v1/me",le="0.5"} 2
                wait_seconds_bucket{route="/v1/me",le="1.0"} 3
                wait_seconds_bucket{route="/v1/me",le="+Inf"} 4
                wait_seconds_sum{route="/v1/me"} 10.0
                wait_seconds_count{route="/v1/me"} 4

                """
        )
    }

    private static let metrics: [Metric<Int>] = [
        Metric("up", .gauge, "Whether it is.") { .integer($0) },
        Metric("lag_seconds", .gauge, "How far behind.") { .number(Double($0) / 4) },
        Metric("closes_total", .counter, "By code.") { _ in
            .samples([([("code", "1000")], 2), ([("code", "4400")], 1)])
        },
        Metric("tick_seconds", .histogram, "How long.") { _ in .histogram(Self.histogram) },
        Metric("wait_seconds", .histogram, "How long.") { _ in .histograms([([("route", "/v1/me")], Self.histogram)]) },
    ]

    private static var histogram: Histogram {
        var histogram = Histogram(bounds: [0.5, 1])
        for value in [0.1, 0.2, 0.7, 9] { histogram.observe(value) }
        return histogram
    }

    @Test("a label's value cannot break out of its quotes")
    func escaping() {
        var page = PrometheusText()
        page.append(Metric("x", .gauge, "X.") { (_: Int) in .samples([([("l", "a\"b\\c\nd")], 1)]) }, of: 0)
        #expect(page.text.hasSuffix(#"x{l="a\"b\\c\nd"} 1"# + "\n"))
    }
}
