import WebSocketGateway

/// What `/metrics` shows: everything that an operator would draw a graph of.
struct MetricsPage: Sendable {
    let tables: [MetricTable]

    /// The page as an answer.
    func response() -> HTTPResponse {
        var page = PrometheusText()
        for table in self.tables { table.append(&page) }
        return .text(page.text, type: "text/plain; version=0.0.4; charset=utf-8")
    }
}
