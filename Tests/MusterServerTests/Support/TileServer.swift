import Foundation
import MusterTestSupport
import Testing

/// A stand-in for a map tile server.
struct TileServer {
    /// One request as the stand-in received it.
    struct ReceivedRequest: Decodable {
        let path: String
        let headers: [String: String]
    }

    /// The colour of its tiles.
    static let colour: [UInt8] = [40, 120, 200]

    private let standIn = Result { try StandIn("tiles.py") }

    /// The URL template of its tiles.
    var template: String { get throws { try self.standIn.get().url + "/{z}/{x}/{y}.png" } }

    /// Sets the mode of its answers.
    func answer(_ mode: String) throws {
        let url = try self.standIn.get().url
        #expect(try Tool.run("/usr/bin/curl", ["-sS", "--fail", "-d", mode, url + "/control"]).status == 0)
    }

    /// The tile requests received so far.
    func heard() throws -> [ReceivedRequest] {
        let log = try Tool.run("/usr/bin/curl", ["-sS", "--fail", try self.standIn.get().url + "/log"])
        return try JSONDecoder().decode([ReceivedRequest].self, from: Data(log.output.utf8))
    }
}
