import EventLoop
import MusterCommands
import MusterServer

/// `muster bench fanout`: fixes in, the newest state of every member out to all other members, all of it committed.
///
/// With `--beside`, Muster and a plain relay are measured alternately, with the same load on the same machine in the
/// same run.
struct FanoutBench: BenchKind {
    static let name = "fanout"
    static let summary = "fixes of all sessions at a rate, delivered to their groups and committed"
    static let optionNames: Set<String> = [
        "sessions", "group", "rate", "seconds", "warm-up", "gateways", "sustain",
        "beside", "beside-path", "beside-join", "beside-joined", "beside-message",
    ]
    let sessions: Int
    let group: Int
    let rate: Double
    let seconds: Double
    let warmUp: Double
    let gateways: Int
    let isSustain: Bool
    /// The command that starts a relay, and the relay's protocol; nil to measure only Muster.
    let baseline: (command: String, protocol: RelayProtocol)?

    init(_ values: OptionValues) throws(UsageError) {
        self.group = try values.integer("group", in: 2...250)
        self.sessions = try values.integer("sessions", in: 2...200_000)
        self.rate = try values.number("rate", in: 1...10_000_000)
        self.seconds = try values.number("seconds", in: 0.5...600)
        self.warmUp = try values.number("warm-up", in: 0...60)
        self.gateways = try values.integer("gateways", in: 1...64)
        self.isSustain = values.flag("sustain")
        guard self.sessions.isMultiple(of: self.group) else {
            throw UsageError("--sessions must be a multiple of --group")
        }
        self.baseline = try RelayProtocol.baseline(values)
    }

    var parameters: [(name: String, value: String)] {
        [
            ("sessions", String(self.sessions)), ("group", String(self.group)),
            (self.isSustain ? "first rate" : "rate", BenchFigure.plain(self.rate)),
            ("seconds", BenchFigure.plain(self.seconds)), ("warm-up", BenchFigure.plain(self.warmUp)),
            ("gateways", String(self.gateways)),
        ] + (self.baseline == nil ? [] : [("beside", "a relay")])
    }

    func run(_ context: BenchContext) async throws -> BenchOutcome {
        try await BenchFixture.with(context) { fixture in
            let population = try await BenchPopulation.make(
                self.sessions,
                groupSize: self.group,
                in: fixture.directory,
                context
            )
            return try await fixture.withServer(context, sessions: self.sessions, gateways: self.gateways) { server in
                var result = try await RelayProcess.with(command: self.baseline?.command) { relay in
                    try await BenchFixture.loading {
                        var measurement = FanoutMeasurement(self, population, server, relay, fixture)
                        return try measurement.run(context)
                    }
                }
                let stored = try await fixture.number("SELECT count(*) AS number FROM muster.fix")
                // Sessions dropped by overload during a search are a valid outcome.
                if stored > result.sent || stored < result.sent - result.lost {
                    result.outcome.failures.append("\(result.sent) fixes were sent, \(stored) are in muster.fix")
                }
                result.outcome.notes.append("\(stored) of \(result.sent) fixes are in muster.fix")
                if !server.isRunning { result.outcome.failures.append("the server ended unexpectedly") }
                result.outcome.notes += fixture.serverWarnings.map { "server: \($0)" }
                return result.outcome
            }
        }
    }
}
