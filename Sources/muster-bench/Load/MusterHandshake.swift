import MusterClient
import MusterCore
import MusterWire

/// The handshake with Muster: `hello` with the user's token; ready with the roster.
final class MusterHandshake: FleetHandshake {
    /// The users; session `s` belongs to user `s`.
    let population: BenchPopulation
    /// Whether sessions send their roster's version to resume.
    var resumes = false
    /// The version of each session's roster.
    private var versions: [RosterVersion?]

    /// Creates the handshake for a population.
    init(_ population: BenchPopulation) {
        self.population = population
        self.versions = Array(repeating: nil, count: population.people.count)
    }

    let path = "/v1/ws"
    let subprotocol: String? = "muster.v1"

    func hello(of session: Int) -> [UInt8] {
        let known = self.resumes ? self.versions[session] : nil
        let group = self.population.groups[session / self.population.groupSize]
        return Hello(
            tag: .number(1),
            token: self.population.people[session].token,
            device: .init(key: "bench", name: "Bench", kind: .phone),
            resume: known.map { [group: $0] } ?? [:]
        ).frame
    }

    func receive(_ frame: [UInt8], by session: Int) -> HandshakeStep {
        guard let document = try? JSONDocument(frame) else { return .wait }
        switch document["type"].string {
        case "roster":
            guard let epoch = document["epoch"].string, let version = document["version"].int else { return .wait }
            self.versions[session] = RosterVersion(epoch: epoch, version: UInt64(version))
            return .ready
        case "error":
            return .refused(String(decoding: frame, as: UTF8.self))
        case _:
            break
        }
        return .wait
    }

    /// Records the version of a session's roster after a frame, for a later resume.
    func noteVersion(_ session: Int, _ frame: UnsafeRawBufferPointer) {
        guard UpdateScanner.kind(of: frame) == .update,
            let version = UpdateScanner.number(after: #""version":"#, in: frame)
        else { return }
        self.versions[session]?.version = UInt64(version)
    }
}

@available(*, unavailable)
extension MusterHandshake: Sendable {}
