import Foundation
import MusterCommands
import MusterCore
import MusterServer
import MusterStore

/// `muster moderate`: lists reports of users, and acts on them.
enum ModerateCommand: Command {
    static let name = "moderate"
    static let summary = "Read what people report, and take down what nobody should see."
    static let usage = "reports | take-down WHAT ID | dismiss REPORT… [options]"
    static let discussion = """
          reports              what people found wrong and nobody has looked after, the oldest first: who reports what of
                               whom, why, the words as they were then, and where a photo is. --all adds those that are
                               closed, which are kept for 90 days
          take-down WHAT ID    takes it from everybody and closes the reports about it. WHAT is message (ID is its number,
                               --room says where), event, spot, pin or photo. A message stays as one that was deleted; a
                               photo takes a message that shows it along, and leaves a spot, an event or a person without;
                               an event's guests are told that it is off. Its author is told nothing
          dismiss REPORT…      closes reports and does nothing else

        A server may run meanwhile: whoever looks sees it go at once. What is not there is an error, and nothing is changed.

          muster moderate reports
          muster moderate take-down message 12 --room 4711 --reason 'insults'
          muster moderate dismiss 815
        """
    static let options = [
        Option("all", help: "with reports: those that are closed, too"),
        Option("json", help: "with reports: one JSON object a line"),
        Option("room", .one("ROOM"), help: "with take-down message: the room, which is its group's or event's id"),
        Option("reason", .one("TEXT"), help: "with take-down: why, for operators (ops.take_downs)"),
        Option(
            "database-url",
            .one("URL"),
            alias: "DATABASE_URL",
            help: "use this PostgreSQL instead of a private one (also: DATABASE_URL)"
        ),
        Option("data-dir", .one("DIR"), default: ".muster", help: "the folder of the private PostgreSQL"),
    ]

    /// The task from the command line.
    private enum Task {
        case list(all: Bool, asJSON: Bool)
        case takeDown(TakeDown.Subject, reason: String?)
        case dismiss([ReportID])
    }

    static func run(_ values: OptionValues) async throws -> Int32 {
        let task = try self.task(values)
        return try await values.database.withDirectory(
            wanting: "no server has used it; name that of the server whose people report"
        ) { directory in
            switch task {
            case .list(let all, let asJSON):
                let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
                for report in try await directory.reports(all: all) {
                    print(asJSON ? try ReportLines.json(report) : ReportLines.text(report, at: now))
                }
            case .takeDown(let subject, let reason):
                let closed = try await directory.takeDown(subject, reason: reason)
                print("took down \(subject.kind.rawValue) \(subject.number), closed \(closed) reports")
            case .dismiss(let reports):
                try await directory.dismiss(reports)
                print("closed \(Set(reports).count) reports")
            }
            return 0
        }
    }

    private static func task(_ values: OptionValues) throws(UsageError) -> Task {
        let operands = values.operands.dropFirst()
        let verb = values.operands.first
        for (option, user) in [
            ("all", "reports"), ("json", "reports"), ("room", "take-down"), ("reason", "take-down"),
        ] where values.isGiven(option) && verb != user {
            throw UsageError("--\(option) goes with \(user) only")
        }
        switch verb {
        case "reports":
            guard operands.isEmpty else { throw UsageError("reports takes no operand: '\(operands[1])'") }
            return .list(all: values.flag("all"), asJSON: values.flag("json"))
        case "take-down":
            guard operands.count == 2 else { throw UsageError("take-down takes WHAT and ID") }
            return .takeDown(try self.subject(operands[1], operands[2], values), reason: values.text("reason"))
        case "dismiss":
            guard !operands.isEmpty else { throw UsageError("dismiss names no report") }
            return .dismiss(try operands.map { (text) throws(UsageError) in try self.id(text, "REPORT") })
        case let other:
            throw UsageError("does reports, take-down or dismiss, not '\(other ?? "")'")
        }
    }

    private static func subject(
        _ what: String,
        _ id: String,
        _ values: OptionValues
    ) throws(UsageError) -> TakeDown.Subject {
        guard let kind = TakeDown.Kind(rawValue: what) else {
            let kinds = TakeDown.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("take-down takes one of \(kinds), not '\(what)'")
        }
        let room = values.text("room")
        guard (kind == .message) == (room != nil) else {
            throw UsageError(kind == .message ? "a message needs its --room" : "--room goes with a message only")
        }
        return switch kind {
        case .message: .message(try self.id(room ?? "", "--room"), seq: (try self.id(id, "ID") as RoomID).rawValue)
        case .event: .event(try self.id(id, "ID"))
        case .spot: .spot(try self.id(id, "ID"))
        case .pin: .pin(try self.id(id, "ID"))
        case .photo: .photo(try self.id(id, "ID"))
        }
    }

    private static func id<Subject>(_ text: String, _ name: String) throws(UsageError) -> Identifier<Subject> {
        guard let id = Identifier<Subject>(text) else { throw UsageError("\(name) is a number, not '\(text)'") }
        return id
    }
}
