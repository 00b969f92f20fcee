import Foundation

/// One measured number.
struct BenchFigure: Sendable {
    /// The name for machines, unit included: `staleness_p99_ms`.
    let key: String
    /// The name for people.
    let label: String
    /// The unit for people; may be empty.
    let unit: String
    /// The number.
    let value: Double

    /// Names a number.
    init(_ key: String, _ label: String, _ value: Double, _ unit: String) {
        self.key = key
        self.label = label
        self.value = value
        self.unit = unit
    }

    /// A number without needless decimals.
    static func plain(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }

    /// A number with three or so digits that matter, thousands separated by commas.
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
    /// The middle of the values; the mean of the two in the middle when their number is even.
    var median: Double {
        guard !self.isEmpty else { return .nan }
        let sorted = self.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
