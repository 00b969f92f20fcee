// The Prometheus text format, version 0.0.4: for each metric a HELP and a TYPE line, then a line for each sample,
// `name{label="value",…} number`. In label values backslash, quote and newline are escaped.

/// Builds a page for `/metrics`.
struct PrometheusText {
    /// The type of a metric for the collector.
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    /// A label's name and value.
    typealias Label = (name: String, value: String)

    /// The page so far.
    private(set) var text = ""

    /// Appends a metric of `source`.
    mutating func append<Source>(_ metric: Metric<Source>, of source: Source) {
        self.text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
        switch metric.read(source) {
        case .whole(let value): self.sample(metric.name, [], String(value))
        case .number(let value): self.sample(metric.name, [], "\(value)")
        case .histogram(let histogram): self.append(histogram, metric.name, [])
        case .samples(let samples):
            for sample in samples { self.sample(metric.name, sample.labels, String(sample.count)) }
        case .histograms(let histograms):
            for each in histograms { self.append(each.histogram, metric.name, each.labels) }
        }
    }

    private mutating func append(_ histogram: Histogram, _ name: String, _ labels: [Label]) {
        var total = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            self.sample("\(name)_bucket", labels + [("le", "\(bound)")], String(total))
        }
        self.sample("\(name)_bucket", labels + [("le", "+Inf")], String(histogram.count))
        self.sample("\(name)_sum", labels, "\(histogram.sum)")
        self.sample("\(name)_count", labels, String(histogram.count))
    }

    private mutating func sample(_ name: String, _ labels: [Label], _ value: String) {
        self.text += name
        if !labels.isEmpty {
            self.text += "{"
            self.text += labels.map { "\($0.name)=\"\(Self.escape($0.value))\"" }.joined(separator: ",")
            self.text += "}"
        }
        self.text += " \(value)\n"
    }

    private static func escape(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
