import MusterCore
import MusterMath

/// The texts of a share picture, as on the page (`public/app/ui/text.js`).
enum ShareTexts {
    /// Returns the text of an age.
    static func age(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "now"
        case ..<3600: "\(seconds / 60) min ago"
        case ..<172_800: "\(seconds / 3600) h ago"
        case _: "\(seconds / 86_400) d ago"
        }
    }

    /// Returns the text of a distance, in whole kilometres if one of the positions is only a cell.
    static func distance(_ metres: Double, isCoarse: Bool) -> String {
        if isCoarse { return metres < 1000 ? "< 1 km" : "\(Int((metres / 1000).rounded())) km" }
        switch metres {
        case ..<50: return "\(Int(metres.rounded())) m"
        case ..<995: return "\(Int((metres / 10).rounded()) * 10) m"
        case ..<10_000:
            let tenths = Int((metres / 100).rounded())
            return "\(tenths / 10).\(tenths % 10) km"
        case _: return "\(Int((metres / 1000).rounded())) km"
        }
    }

    /// Returns the greatest of 1, 2, 5, 10, … that is at most `most`, which is at least 1.
    static func roundLength(atMost most: Double) -> Double {
        var power = 1.0
        while power * 10 <= most { power *= 10 }
        return [5, 2].first { $0 * power <= most }.map { $0 * power } ?? power
    }

    /// Returns the text of a round length in metres.
    static func length(_ metres: Double) -> String {
        metres < 1000 ? "\(Int(metres)) m" : "\(Int(metres / 1000)) km"
    }

    /// Returns a time in UTC, to the minute.
    static func time(_ milliseconds: Int) -> String {
        let text = Timestamp(milliseconds: Int64(milliseconds)).text
        guard let day = text.firstIndex(of: "T") else { return text }
        return "\(text[..<day]) \(text[day...].dropFirst().prefix(5)) UTC"
    }
}
