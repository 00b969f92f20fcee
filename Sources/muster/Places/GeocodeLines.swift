import Foundation
import MusterCore
import MusterServer

/// Formats geocoding results for a terminal.
enum GeocodeLines {
    /// One line, with `explains` three lines.
    static func text(of result: GeocodeAnswer.Result, explains: Bool) -> String {
        let (place, match) = (result.place, result.match)
        let point = place.coordinate
        var text =
            "\(self.number(match.score, 3))  \(match.kind.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0))  "
            + "\(place.label)  (\(place.type.rawValue)\(place.category.map { ", \($0.rawValue)" } ?? ""))  "
            + "\(self.number(point.latitude, 5)),\(self.number(point.longitude, 5))  \(place.id)"
        guard explains else { return text }
        let context = match.context.map { "'\($0.key)' (\(self.number($0.fit, 2)))" }.joined(separator: ", ")
        text += "\n       named by '\(match.key)' (t \(self.number(match.fit, 2)))"
        text += context.isEmpty ? ", no context" : ", context \(context)"
        text += "\n       coverage \(self.number(match.coverage, 3)), text \(self.number(match.text, 3))"
        text += ", importance \(self.number(match.importance, 3))"
        if let distance = match.distance { text += ", distance \(self.number(distance / 1000, 1)) km" }
        return text
    }

    /// A number with the given number of decimals.
    static func number(_ value: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", value) }
}
