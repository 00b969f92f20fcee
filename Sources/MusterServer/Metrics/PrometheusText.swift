// The Prometheus text format, version 0.0.4: for each metric a HELP and a TYPE line, then a line a sample,
// `name{label="value",…} number`. In label values backslash, quote and newline are escaped.

/// Builds a page for `/metrics`.
struct PrometheusText {
    /// What a metric's value means to whoever collects it.
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    /// The page so far.
    private(set) var text = ""

    /// Appends a metric of one sample.
    mutating func append(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        self.declare(name, kind, help)
        self.sample(name, [], String(value))
    }

    /// Appends a metric of one sample.
    mutating func append(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.declare(name, kind, help)
        self.sample(name, [], "\(value)")
    }

    /// Appends a metric with one label.
    mutating func append(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        label: String,
        _ samples: some Sequence<(value: String, count: Int)>
    ) {
        self.declare(name, kind, help)
        for sample in samples { self.sample(name, [(label, sample.value)], String(sample.count)) }
    }

    /// Appends a histogram.
    mutating func append(_ name: String, _ help: String, _ histogram: Histogram) {
        self.declare(name, .histogram, help)
        var total = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            total += count
            self.sample("\(name)_bucket", [("le", "\(bound)")], String(total))
        }
        self.sample("\(name)_bucket", [("le", "+Inf")], String(histogram.count))
        self.sample("\(name)_sum", [], "\(histogram.sum)")
        self.sample("\(name)_count", [], String(histogram.count))
    }

    private mutating func declare(_ name: String, _ kind: Kind, _ help: String) {
        self.text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
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
