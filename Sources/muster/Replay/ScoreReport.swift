import Foundation
import Scenario

/// Formats a score as a table.
struct ScoreReport {
    private let score: ScenarioScore
    private let listsFaults: Bool

    /// Creates a report.
    init(_ score: ScenarioScore, listsFaults: Bool) {
        self.score = score
        self.listsFaults = listsFaults
    }

    /// The table in Markdown.
    var table: String {
        var text =
            "| story | days | due | right | missed | unfounded | precision | recall | delay, median | p95 | flaps a person-day |\n"
        text += "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
        for story in ScenarioStory.allCases {
            if let tally = self.score.tallies[story.rawValue] { text += self.row(story.rawValue, tally) }
        }
        text += self.row("**all**", self.score.total)
        if self.listsFaults {
            for fault in self.score.faults { text += "\(fault)\n" }
        }
        return text
    }

    private func row(_ name: String, _ tally: ScenarioScore.Tally) -> String {
        let cells = [
            name, String(tally.days), String(tally.expected), String(tally.met), String(tally.expected - tally.met),
            String(tally.unfounded), Self.share(tally.precision), Self.share(tally.recall),
            tally.delay(0.5).map { "\(Self.number($0, 0)) s" } ?? "–",
            tally.delay(0.95).map { "\(Self.number($0, 0)) s" } ?? "–",
            Self.number(tally.flapsPerPersonDay, 3),
        ]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    private static func share(_ value: Double?) -> String { value.map { self.number($0, 3) } ?? "–" }

    private static func number(_ value: Double, _ decimals: Int) -> String {
        String(format: "%.\(decimals)f", value)
    }
}
