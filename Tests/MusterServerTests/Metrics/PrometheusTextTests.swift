import Testing

@testable import MusterServer

@Suite struct PrometheusTextTests {
    @Test("a page reads as the format asks, with buckets that add up")
    func page() {
        var page = PrometheusText()
        page.append("up", .gauge, "Whether it is.", 1)
        page.append("lag_seconds", .gauge, "How far behind.", 0.25)
        page.append(
            "closes_total",
            .counter,
            "By code.",
            label: "code",
            [(value: "1000", count: 2), (value: "4400", count: 1)]
        )
        var histogram = Histogram(bounds: [0.5, 1])
        for value in [0.1, 0.2, 0.7, 9] { histogram.observe(value) }
        page.append("tick_seconds", "How long.", histogram)
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

                """
        )
    }

    @Test("a label's value cannot break out of its quotes")
    func escaping() {
        var page = PrometheusText()
        page.append("x", .gauge, "X.", label: "l", [(value: "a\"b\\c\nd", count: 1)])
        #expect(page.text.hasSuffix(#"x{l="a\"b\\c\nd"} 1"# + "\n"))
    }
}
