import Foundation

/// One measured number.
struct BenchFigure: Sendable {
    /// The key in JSON, unit included: `staleness_p99_ms`.
    let key: String
    /// The label in the table.
    let label: String
    /// The unit in the table; may be empty.
    let unit: String
    /// The number.
    let value: Double

    /// Creates a figure.
    init(_ key: String, _ label: String, _ value: Double, _ unit: String) {
        self.key = key
        self.label = label
        self.value = value
        self.unit = unit
    }

    /// A number without unnecessary decimals.
    static func plain(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }

    /// A number with about three significant digits, thousands separated by commas.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let decimals = abs(value) >= 100 || value == value.rounded() ? 0 : abs(value) >= 10 ? 1 : 2
        var text = String(format: "%.\(decimals)f", abs(value))
        var place = text.firstIndex(of: ".") ?? text.endIndex
        while text.distance(from: text.startIndex, to: place) > 3 {
            place = text.index(place, offsetBy: -3)
            text.insert(",", at: place)
        }
        return value < 0 ? "-" + text : text
    }
}

extension [Double] {
    /// The median; the mean of the two middle values for an even count.
    var median: Double {
        guard !self.isEmpty else { return .nan }
        let sorted = self.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
