import Foundation
import MusterCore
import MusterServer
import MusterWire

/// Formats reports for people and for programs.
enum ReportLines {
    private struct Person: Encodable {
        let id: String
        let username: String
        let name: String

        init(_ person: FiledReport.Person) {
            self.id = person.id.description
            self.username = person.username
            self.name = person.name
        }
    }

    private struct Line: Encodable {
        let report: String
        let what: String
        let id: String
        let room: String?
        let by: Person
        let about: Person?
        let reason: String
        let text: String?
        let photo: String?
        let at: Int64
        let closedAt: Int64?
    }

    /// A report as one line of JSON; unknown values are absent, times are in milliseconds since 1970.
    static func json(_ report: FiledReport) throws -> String {
        let line = Line(
            report: report.id.description,
            what: report.what.rawValue,
            id: String(report.subject),
            room: report.room?.description,
            by: Person(report.by),
            about: report.about.map(Person.init),
            reason: report.reason,
            text: report.text,
            photo: report.photo,
            at: report.at.milliseconds,
            closedAt: report.closedAt?.milliseconds
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(line), as: UTF8.self)
    }

    /// A report as several lines of text, followed by an empty line.
    static func text(_ report: FiledReport, at now: Timestamp) -> String {
        let place = report.room.map { " in room \($0)" } ?? ""
        let state = report.closedAt == nil ? "open" : "closed"
        var lines = [
            "report \(report.id), \(state): \(report.what.rawValue) \(report.subject)\(place), "
                + "\(Self.age(now - report.at)) ago",
            "  by      \(Self.person(report.by))",
        ]
        if let about = report.about { lines.append("  about   \(Self.person(about))") }
        lines.append("  reason  \(Self.plain(report.reason))")
        if let text = report.text { lines.append("  text    \(Self.plain(text))") }
        if let photo = report.photo { lines.append("  photo   \(photo)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A duration in milliseconds, rounded down to the largest unit of which it contains at least two: `47 min`.
    static func age(_ milliseconds: Int64) -> String {
        let units: [(name: String, length: Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000)]
        for unit in units where milliseconds >= 2 * unit.length { return "\(milliseconds / unit.length) \(unit.name)" }
        return "\(max(0, milliseconds / 1000)) s"
    }

    private static func person(_ person: FiledReport.Person) -> String {
        "\(Self.plain(person.name)) (\(person.username), \(person.id))"
    }

    /// Text from users, without control characters that affect the terminal or the text direction.
    private static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: plain.append(" ")
            case .control: plain.append(scalar == "\n" ? "⏎" : "\u{FFFD}")
            // Emoji and some scripts require these joiners.
            case .format: plain.append(scalar == "\u{200D}" || scalar == "\u{200C}" ? scalar : "\u{FFFD}")
            case _: plain.append(scalar)
            }
        }
        return String(plain)
    }
}
