import Foundation
import MusterTestSupport
import MusterWire
import Testing

/// The output of `muster replay --explain` about departures.
@Suite("The explanation of departures", .blocking)
struct ReplayDepartureTests {
    private static let start = 1_732_060_800_000
    private static let people = ["ada", "bob", "cy", "dan", "eve"]

    /// A fix of a user, this many seconds after the start and this many metres north of the café.
    private static func fix(_ user: String, _ second: Int, north: Double) -> String {
        let latitude = 48.2082 + north / 111_195
        return #"{"user":"\#(user)","at":\#(Self.start + second * 1000),"lat":\#(latitude),"lon":16.37,"accuracy":8}"#
    }

    /// The explanations for a user, in order, when some of those at the café go north after ten minutes.
    ///
    /// - Parameters:
    /// - person: the user to explain.
    /// - leavers: the users who leave, at ten metres a second for 300 s.
    /// - silent: the users who stop reporting once the others leave.
    /// - Returns: the explanations about departures and notifications.
    /// - Throws: if the replay fails or its output is malformed.
    private func explain(_ person: String, leavers: [String], silent: [String] = []) throws -> [String] {
        var lines = [#"{"group":{"id":"g","members":["ada","bob","cy","dan","eve"],"settings":{"dwell":120}}}"#]
        for second in stride(from: 0, to: 1_500, by: 20) {
            for (place, user) in Self.people.enumerated() {
                if silent.contains(user), second >= 600 { continue }
                let way = Double(min(max(second - 600, 0), 300) * 10)
                lines.append(Self.fix(user, second + place, north: leavers.contains(user) ? way : 0))
            }
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-departure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let trace = folder.appending(path: "trace.jsonl")
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: trace)
        let run = try MusterProcess.run(["replay", trace.path, "--explain", person])
        #expect(run.status == 0, "\(run.log)")
        return try run.output.split(separator: "\n").map { try JSONDocument(Array($0.utf8)) }
            .filter { $0["type"].string == "explanation" }
            .compactMap { line in
                guard let what = line["what"].string, what.contains("departure") || what.contains("alert") else {
                    return nil
                }
                return what
            }
    }

    @Test("one who is left behind: from the open links to the alert")
    func leftBehind() throws {
        let words = try self.explain("eve", leavers: ["ada", "bob", "cy", "dan"])
        #expect(
            words == [
                "departure: came apart, all links to the rest are open; last with them at 48.20820, 16.37000",
                "departure: the rest is 200 m or more from that place: must last for 60 s",
                "departure: left behind, the rest was away for 60 s",
                "alert departed",
                "no alert: took part in this gathering",
            ]
        )
    }

    @Test("one who goes: which fixes make it a choice")
    func byChoice() throws {
        let words = try self.explain("eve", leavers: ["eve"])
        #expect(words.first?.hasPrefix("departure: came apart") == true, "\(words)")
        #expect(words.dropFirst().first?.hasSuffix("from that place: a second fix like this is a choice") == true)
        #expect(
            words.dropFirst(2) == [
                "departure: no alert: left by choice, twice beyond 1.5 radiuses of that place",
                "no alert: took part in this gathering",
            ]
        )
    }

    @Test("two who are left where one may be missing: why nobody is told")
    func manyLeft() throws {
        let words = try self.explain("eve", leavers: ["ada", "bob", "cy"])
        #expect(words.contains("departure: no alert yet: 2 are left behind, more than may be missing"), "\(words)")
        #expect(!words.contains { $0.hasPrefix("alert") })
    }

    @Test("one who falls silent as the others go: why they are not told")
    func silent() throws {
        let words = try self.explain("eve", leavers: ["ada", "bob", "cy", "dan"], silent: ["eve"])
        #expect(words.contains("departure: no alert yet: not heard of since the rest is away"), "\(words)")
        #expect(!words.contains { $0.hasPrefix("alert") })
    }
}
