import MusterClient
import MusterCommands
import MusterCore
import MusterWire

/// Checks that the final state of all clients equals the last fixes, by a last fix of each session, read with the real
/// parser.
struct Convergence {
    /// The number of groups whose roster is requested from the server.
    private static let rostersToAsk = 20

    /// The number of (client, member) pairs with a wrong position at the client.
    private(set) var wrongMembers = 0
    /// The number of members with a wrong position in the server's rosters.
    private(set) var wrongRosterEntries = 0

    /// Whether all positions are correct.
    var isReached: Bool { self.wrongMembers == 0 && self.wrongRosterEntries == 0 }

    /// Sends one more fix from each session, then compares the state of each client and some rosters of the server.
    ///
    /// - Returns: the result, and the tally of these fixes.
    static func check(
        _ population: BenchPopulation,
        _ load: FanoutLoad,
        rate: Double,
        server: Endpoint,
        _ context: BenchContext
    ) throws -> (Convergence, FanoutTally) {
        context.progress.show("comparing the state of all clients")
        let models = ClientModels(population)
        let tally = try load.run(
            LoadPlan(rate: min(rate, 2000), warmUp: 0, seconds: 0),
            context,
            observer: { session, frame in models.read(frame, of: session) }
        )
        var convergence = Convergence()
        let size = population.groupSize
        for session in population.people.indices {
            let members = session / size * size..<(session / size + 1) * size
            for member in members
            where member != session && !models.shows(load.lastSent(by: member), of: member, session) {
                convergence.wrongMembers += 1
            }
        }
        let stride = max(1, population.groups.count / Self.rostersToAsk)
        for group in Swift.stride(from: 0, to: population.groups.count, by: stride) {
            convergence.wrongRosterEntries += try self.wrongEntries(inRosterOf: group, population, load, server)
        }
        return (convergence, tally)
    }

    /// Requests a group's roster in a new session, and counts the members with a wrong position.
    private static func wrongEntries(
        inRosterOf group: Int,
        _ population: BenchPopulation,
        _ load: FanoutLoad,
        _ server: Endpoint
    ) throws -> Int {
        let first = group * population.groupSize
        let socket = try BlockingWebSocket(host: server.host, port: server.port)
        let hello = Hello(token: population.people[first].token, device: .init(key: "check", kind: .browser))
        try socket.send(String(decoding: hello.frame, as: UTF8.self))
        while true {
            let text = Array(try socket.nextText().utf8)
            let frame = try JSONDocument(text)
            guard frame["type"].string == "roster" else { continue }
            let models = ClientModels(population)
            text.withUnsafeBytes { models.read($0, of: first) }
            let members = first..<first + population.groupSize
            return members.count { !models.shows(load.lastSent(by: $0), of: $0, first) }
        }
    }
}

/// The members' positions at each client, read with the real parser.
private final class ClientModels {
    private struct Pair: Hashable {
        let client: Int
        let member: Int
    }

    private struct Position {
        let latitude: Double
        let longitude: Double
        let at: Int64
    }

    private let index: IdentityIndex
    private var positions: [Pair: Position] = [:]

    init(_ population: BenchPopulation) {
        self.index = IdentityIndex(population.people.map(\.user.rawValue))
    }

    func read(_ frame: UnsafeRawBufferPointer, of client: Int) {
        guard let document = try? JSONDocument(Array(frame)) else { return }
        for member in document["members"].elements {
            guard let user = member["user"].string.flatMap({ Int64($0) }), let latitude = member["lat"].double,
                let longitude = member["lon"].double, let at = member["at"].int
            else { continue }
            let pair = Pair(client: client, member: self.index[user])
            self.positions[pair] = Position(latitude: latitude, longitude: longitude, at: at)
        }
    }

    func shows(_ sent: (place: FixPlace, at: Int64), of member: Int, _ client: Int) -> Bool {
        guard let shown = self.positions[Pair(client: client, member: member)] else { return false }
        return shown.at == sent.at && (shown.latitude * 1e7).rounded() == Double(sent.place.latitude)
            && (shown.longitude * 1e7).rounded() == Double(sent.place.longitude)
    }
}
