import EventLoop
import MusterClient
import MusterCommands
import MusterCore
import MusterServer
import MusterWire

extension PlacesBench {
    /// The categories of the plans.
    private static let categories: [PlaceCategory] = [.restaurant, .cafe, .bar, .art, .shopping, .fastfood]
    /// The origins of the plans, far enough apart that they share no cached answers.
    private static let origins = (
        apart: Coordinate(latitude: 60.1662, longitude: 24.9414),
        together: Coordinate(latitude: 60.1762, longitude: 24.9614)
    )

    /// Times plans over a provider's places through a whole server: each category alone, all together, and all together
    /// again.
    func measureProvider(
        _ url: String,
        _ fixture: BenchFixture,
        _ context: BenchContext
    ) async throws -> [BenchFigure] {
        // A separate user for each request, because of the rate limit.
        let population = try await BenchPopulation.make(
            Self.categories.count + 2,
            groupSize: 0,
            in: fixture.directory,
            context
        )
        let options = [
            "--places-url", url, "--places-concurrency", String(Self.categories.count), "--provider-timeout", "10000",
            "--contact", "mailto:bench@muster.example",
        ]
        return try await fixture.withServer(context, sessions: population.people.count, gateways: 1, options: options) {
            server in
            try await BenchFixture.blocking {
                let clients = try population.people.indices.map {
                    try PlanClient($0, of: population, at: server.endpoint)
                }
                let alone = try zip(clients, Self.categories).map { client, category in
                    try client.ask([category], from: Self.origins.apart, state: "fresh")
                }
                let slowest = alone.max() ?? .nan
                let fresh = try clients[alone.count].ask(Self.categories, from: Self.origins.together, state: "fresh")
                let cached = try clients[alone.count + 1].ask(
                    Self.categories,
                    from: Self.origins.together,
                    state: "cached"
                )
                return [
                    BenchFigure(
                        "provider_alone_ms",
                        "a provider: plans over the slowest category only",
                        slowest,
                        "ms"
                    ),
                    BenchFigure("provider_fresh_ms", "plans over six categories", fresh, "ms"),
                    BenchFigure("provider_cached_ms", "the same again (cached)", cached, "ms"),
                    BenchFigure("provider_ratio", "six categories to the slowest", fresh / slowest, "×"),
                    BenchFigure("provider_cached_ratio", "cached to first", cached / fresh, "×"),
                ]
            }
        }
    }
}

/// A client that requests a plan and waits for it.
private struct PlanClient {
    private let socket: BlockingWebSocket

    /// Connects and authenticates; blocks.
    init(_ person: Int, of population: BenchPopulation, at endpoint: Endpoint) throws {
        self.socket = try BlockingWebSocket(host: endpoint.host, port: endpoint.port)
        let handshake = WelcomeHandshake(population)
        try self.socket.send(String(decoding: handshake.hello(of: person), as: UTF8.self))
        while true {
            switch handshake.receive(Array(try self.socket.nextText().utf8), by: person) {
            case .ready: return
            case .refused(let error): throw BenchError("a hello was refused: \(error)")
            case _: continue
            }
        }
    }

    /// Returns the time for a plan in milliseconds; all its sources must be in `state`.
    ///
    /// Blocks.
    func ask(_ categories: [PlaceCategory], from origin: Coordinate, state: String) throws -> Double {
        let clock = MonotonicClock.system
        let names = categories.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let start = clock.nanoseconds
        try self.socket.send(
            """
            {"type":"plan.suggest","id":2,"categories":[\(names)],"lat":\(origin.latitude),"lon":\(origin.longitude)}
            """
        )
        while true {
            let text = try self.socket.nextText()
            let answer = try JSONDocument(Array(text.utf8))
            guard answer["id"].int == 2 else { continue }
            let took = Double(clock.nanoseconds - start) / 1e6
            // Locally imported places are a source of their own.
            let states = answer["sources"].elements.compactMap { $0["state"].string }.filter { $0 != "local" }
            guard states.count == categories.count, states.allSatisfy({ $0 == state }) else {
                throw BenchError("unexpected answer to plan.suggest: \(text.prefix(1000))")
            }
            return took
        }
    }
}
