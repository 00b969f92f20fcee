/// A metric: its name, its meaning, and the way to read it from a part of the server.
struct Metric<Source>: Sendable {
    /// The value of a metric at a moment.
    enum Value {
        case whole(Int64)
        case number(Double)
        case histogram(Histogram)
        /// Several samples that differ in their labels.
        case samples([(labels: [PrometheusText.Label], count: Int)])
        /// Several histograms that differ in their labels.
        case histograms([(labels: [PrometheusText.Label], histogram: Histogram)])

        /// A whole number of any width.
        static func integer(_ value: some BinaryInteger) -> Value { .whole(Int64(clamping: value)) }
    }

    let name: String
    let kind: PrometheusText.Kind
    /// The description, in one sentence.
    let help: String
    let read: @Sendable (Source) -> Value

    /// Creates a metric; a feature adds it to a table of its own.
    init(
        _ name: String,
        _ kind: PrometheusText.Kind,
        _ help: String,
        _ read: @escaping @Sendable (Source) -> Value
    ) {
        self.name = name
        self.kind = kind
        self.help = help
        self.read = read
    }
}

/// The metrics of one part of the server, all read at the same moment.
struct MetricTable: Sendable {
    /// The name and help of each, in order.
    let entries: [(name: String, kind: PrometheusText.Kind, help: String)]
    /// Appends the metrics to a page; appends nothing while the part has no values.
    let append: @Sendable (inout PrometheusText) -> Void

    /// Creates a table; `source` is called once a page, and returns nil while there are no values.
    init<Source>(_ metrics: [Metric<Source>], from source: @escaping @Sendable () -> Source?) {
        self.entries = metrics.map { ($0.name, $0.kind, $0.help) }
        self.append = { page in
            guard let source = source() else { return }
            for metric in metrics { page.append(metric, of: source) }
        }
    }
}
