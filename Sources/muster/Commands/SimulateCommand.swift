import EventLoop
import Foundation
import MusterClient
import MusterCommands
import MusterCore
import MusterServer

/// `muster simulate`: simulated users who walk, meet, and leave one behind, over the real protocol.
enum SimulateCommand: Command {
    static let name = "simulate"
    static let summary = "Simulate groups of users on a server, one of whom stays behind."
    static let usage = "--url URL [options]"
    static let discussion = """
        The members of each group walk around and meet at a café, but one stays away until Muster alerts; then that one
        joins the others, and the cycle repeats. The users sign up through the public API and are deleted when the
        simulation ends.
        """
    static let options = [
        Option("url", .one("URL"), default: "http://127.0.0.1:8080", help: "the server"),
        Option("groups", .one("N"), default: "5", help: "groups of people"),
        Option("people", .one("N"), default: "6", help: "people in each group"),
        Option("speedup", .one("X"), default: "10", help: "factor by which the simulation is faster than real time"),
        Option("center", .one("LAT,LON"), default: "48.2082,16.3738", help: "position of the simulated groups"),
        Option("spots", .one("FILE"), help: "homes and cafés of the people, as JSON, instead of random ones"),
        Option("seed", .one("N"), default: "1", help: "the same number produces the same walks"),
        Option("duration", .one("SECONDS"), help: "end after this time [when stopped]"),
        Option("invite-file", .one("FILE"), help: "write an invite link to the first group to FILE"),
        Option("keep-accounts", help: "do not delete the users and their groups at the end"),
    ]

    static func run(_ values: OptionValues) async throws -> Int32 {
        let plan = try self.plan(values)
        let isStopped = StopFlag()
        let waiting = isStopped.raiseOnTermination()
        defer { waiting.cancel() }
        let simulation = Simulation(plan: plan) { line in
            FileHandle.standardError.write(Data("simulate: \(line)\n".utf8))
        }
        try await BlockingWork.run(named: "simulate") { () throws(ClientError) in
            try simulation.run(shouldStop: { isStopped.isRaised })
        }
        return 0
    }

    private static func plan(_ values: OptionValues) throws(UsageError) -> Simulation.Plan {
        guard values.operands.isEmpty else { throw UsageError("unexpected argument '\(values.operands[0])'") }
        let text = values.text("url") ?? ""
        guard let url = URLComponents(string: text), url.scheme == "http", let host = url.host else {
            throw UsageError("--url must be http://HOST:PORT, not '\(text)'")
        }
        let endpoint = try Endpoint("\(host):\(url.port ?? 80)", option: "url")
        return Simulation.Plan(
            host: endpoint.host,
            port: endpoint.port,
            groups: try values.integer("groups", in: 1...1000),
            people: try values.integer("people", in: 2...50),
            speedup: try values.number("speedup", in: 0.1...60),
            centre: try self.centre(values.text("center") ?? ""),
            spots: try self.spots(values),
            seed: UInt64(try values.integer("seed", in: 0...Int.max)),
            inviteFile: values.text("invite-file"),
            duration: values.text("duration") == nil ? nil : try values.number("duration", in: 1...1e9),
            keepsAccounts: values.flag("keep-accounts")
        )
    }

    private static func spots(_ values: OptionValues) throws(UsageError) -> SimulationSpots? {
        guard let file = values.text("spots") else { return nil }
        return try SimulationSpots(file: file, option: "spots")
    }

    private static func centre(_ text: String) throws(UsageError) -> Coordinate {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2, abs(numbers[0]) < 85, let centre = Coordinate(validating: numbers[0], numbers[1])
        else {
            throw UsageError("--center must be LAT,LON in degrees, not '\(text)'")
        }
        return centre
    }
}
