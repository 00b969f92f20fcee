import Foundation
import MusterCommands
import MusterCore
import MusterServer

/// `muster moderate`: lists reports of users, and acts on them.
enum ModerateCommand: Command {
    static let name = "moderate"
    static let summary = "List reports of users, and take down content."
    static let usage = "reports | take-down WHAT ID | dismiss REPORT… [options]"
    static let discussion = """
        reports              lists the open reports, the oldest first: who reports whom, the content at that time, the
                             reason, and the address of a photo. --all adds closed reports, which are kept for 90 days
        take-down WHAT ID    removes content for all users and closes the reports about it. WHAT is message (ID is its
                             number, with --room), event, spot, pin or photo. A message remains as a deleted one. A
                             photo is also removed from its spot, event or profile; a message with the photo is
                             deleted. An event is cancelled, and its guests are notified. The author is not
        dismiss REPORT…      closes reports without any other change

        A server may run at the same time; clients see the change at once. If the content does not exist, the command
        fails and changes nothing.

          muster moderate reports
          muster moderate take-down message 12 --room 4711 --reason 'insults'
          muster moderate dismiss 815
        """
    static let options: [Option] =
        [
            Option("all", help: "with reports: include closed reports"),
            Option("json", help: "with reports: print one JSON object per line"),
            Option(
                "room",
                .one("ROOM"),
                help: "with take-down message: the room, which is the id of its group or event"
            ),
            Option("reason", .one("TEXT"), help: "with take-down: the reason, for operators (ops.take_downs)"),
        ] + Option.database

    /// The task from the command line.
    private enum Task {
        case list(all: Bool, asJSON: Bool)
        case takeDown(TakeDown.Subject, reason: String?)
        case dismiss([ReportID])
    }

    static func run(_ values: OptionValues) async throws -> Int32 {
        let task = try self.task(values)
        return try await values.database.withDirectory(
            wanting: "no server has used it; set the database of the server whose reports you want"
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
            throw UsageError("--\(option) requires \(user)")
        }
        switch verb {
        case "reports":
            guard operands.isEmpty else { throw UsageError("reports: unexpected argument '\(operands[1])'") }
            return .list(all: values.flag("all"), asJSON: values.flag("json"))
        case "take-down":
            guard operands.count == 2 else { throw UsageError("take-down requires WHAT and ID") }
            return .takeDown(try self.subject(operands[1], operands[2], values), reason: values.text("reason"))
        case "dismiss":
            guard !operands.isEmpty else { throw UsageError("dismiss requires the number of a REPORT") }
            return .dismiss(try operands.map { (text) throws(UsageError) in try self.id(text, "REPORT") })
        case let other:
            throw UsageError("the first argument must be reports, take-down or dismiss, not '\(other ?? "")'")
        }
    }

    private static func subject(
        _ what: String,
        _ id: String,
        _ values: OptionValues
    ) throws(UsageError) -> TakeDown.Subject {
        guard let kind = TakeDown.Kind(rawValue: what) else {
            let kinds = TakeDown.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("WHAT must be one of \(kinds), not '\(what)'")
        }
        let room = values.text("room")
        guard (kind == .message) == (room != nil) else {
            throw UsageError(
                kind == .message ? "take-down message requires --room" : "--room requires take-down message"
            )
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
        guard let id = Identifier<Subject>(text) else { throw UsageError("\(name) must be a number, not '\(text)'") }
        return id
    }
}
