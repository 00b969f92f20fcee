import WebSocketGateway

/// The page `/metrics`: all values that an operator may want in a graph.
struct MetricsPage: Sendable {
    let tables: [MetricTable]

    /// The page as a response.
    func response() -> HTTPResponse {
        var page = PrometheusText()
        for table in self.tables { table.append(&page) }
        return .text(page.text, type: "text/plain; version=0.0.4; charset=utf-8")
    }
}
