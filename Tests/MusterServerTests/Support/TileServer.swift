import Foundation
import MusterTestSupport
import Testing

/// A stand-in for a server of map tiles.
struct TileServer {
    /// One request as it heard it.
    struct Heard: Decodable {
        let path: String
        let headers: [String: String]
    }

    /// The colour of its tiles.
    static let colour: [UInt8] = [40, 120, 200]

    private let standIn = Result { try StandIn("tiles.py") }

    /// The template of its tiles.
    var template: String { get throws { try self.standIn.get().url + "/{z}/{x}/{y}.png" } }

    /// Lets it answer as a mode says.
    func answer(_ mode: String) throws {
        let url = try self.standIn.get().url
        #expect(try Tool.run("/usr/bin/curl", ["-sS", "--fail", "-d", mode, url + "/control"]).status == 0)
    }

    /// What it heard of tiles so far.
    func heard() throws -> [Heard] {
        let log = try Tool.run("/usr/bin/curl", ["-sS", "--fail", try self.standIn.get().url + "/log"])
        return try JSONDecoder().decode([Heard].self, from: Data(log.output.utf8))
    }
}
