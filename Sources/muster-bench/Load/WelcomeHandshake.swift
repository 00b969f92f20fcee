import MusterClient
import MusterCore
import MusterWire

/// The handshake with Muster for users without a group: `hello`; ready with `welcome`.
final class WelcomeHandshake: FleetHandshake {
    private let population: BenchPopulation

    /// Creates the handshake for a population.
    init(_ population: BenchPopulation) { self.population = population }

    let path = "/v1/ws"
    let subprotocol: String? = "muster.v1"

    func hello(of session: Int) -> [UInt8] {
        Hello(
            tag: .number(1),
            token: self.population.people[session].token,
            device: .init(key: "bench", name: "Bench", kind: .browser)
        ).frame
    }

    func receive(_ frame: [UInt8], by session: Int) -> HandshakeStep {
        guard let document = try? JSONDocument(frame) else { return .wait }
        switch document["type"].string {
        case "welcome": return .ready
        case "error": return .refused(String(decoding: frame, as: UTF8.self))
        case _: return .wait
        }
    }
}

@available(*, unavailable)
extension WelcomeHandshake: Sendable {}
