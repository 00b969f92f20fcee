import MusterClient
import MusterCore
import MusterWire

/// The handshake of additional clients: full clients or wearables.
final class AudienceHandshake: FleetHandshake {
    /// The kind of client.
    enum Kind: String {
        /// A client that displays the whole group, such as the web page.
        case full
        /// A wearable, which receives glances.
        case watch
    }

    private let kind: Kind
    private let population: BenchPopulation
    private let each: Int
    private let group: Int

    /// Creates full clients for the first `each` members of each group, or `each` wearables for each user.
    init(_ kind: Kind, _ population: BenchPopulation, each: Int, groupSize group: Int) {
        self.kind = kind
        self.population = population
        self.each = each
        self.group = group
    }

    /// The number of sessions.
    var count: Int {
        switch self.kind {
        case .full: self.population.people.count / self.group * self.each
        case .watch: self.population.people.count * self.each
        }
    }

    let path = "/v1/ws"

    var subprotocol: String? {
        switch self.kind {
        case .full: "muster.v1"
        case .watch: "muster.watch.v1"
        }
    }

    func hello(of session: Int) -> [UInt8] {
        Hello(
            tag: .number(1),
            token: self.population.people[self.person(of: session)].token,
            device: .init(
                key: "bench-\(self.kind.rawValue)-\(session % self.each)",
                name: "Bench",
                kind: self.device
            )
        ).frame
    }

    func receive(_ frame: [UInt8], by session: Int) -> HandshakeStep {
        guard let document = try? JSONDocument(frame) else { return .wait }
        switch document["type"].string {
        case self.firstFrame: return .ready
        case "error": return .refused(String(decoding: frame, as: UTF8.self))
        case _: return .wait
        }
    }

    private func person(of session: Int) -> Int {
        switch self.kind {
        case .full: session / self.each * self.group + session % self.each
        case .watch: session / self.each
        }
    }

    private var device: DeviceKind {
        switch self.kind {
        case .full: .browser
        case .watch: .watch
        }
    }

    /// The type of the first frame with data.
    private var firstFrame: String {
        switch self.kind {
        case .full: "roster"
        case .watch: "glance"
        }
    }
}

@available(*, unavailable)
extension AudienceHandshake: Sendable {}
