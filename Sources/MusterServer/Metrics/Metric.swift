/// One metric: its name and meaning, and how it is read out of what a part of the server knows of itself.
struct Metric<Source>: Sendable {
    /// What a metric shows at a moment.
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
    /// One sentence.
    let help: String
    let read: @Sendable (Source) -> Value

    /// Registers a metric; a feature puts it into a table of its own.
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

/// The metrics of one part of the server, which all show the same moment.
struct MetricTable: Sendable {
    /// The name and help of each, in order.
    let entries: [(name: String, kind: PrometheusText.Kind, help: String)]
    /// Appends them to a page; nothing while the part has nothing to tell.
    let append: @Sendable (inout PrometheusText) -> Void

    /// Creates a table; `source` is asked once a page, and says nil while there is nothing to tell.
    init<Source>(_ metrics: [Metric<Source>], from source: @escaping @Sendable () -> Source?) {
        self.entries = metrics.map { ($0.name, $0.kind, $0.help) }
        self.append = { page in
            guard let source = source() else { return }
            for metric in metrics { page.append(metric, of: source) }
        }
    }
}
