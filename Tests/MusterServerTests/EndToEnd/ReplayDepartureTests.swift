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
        try self.words(about: person, leavers: leavers, silent: silent).filter {
            !$0.hasPrefix("In short: ") && ($0.contains("departure") || $0.contains("alert"))
        }
    }

    /// All explanations for a user.
    ///
    /// - Parameters:
    /// - silence: the second from which the silent users do not report.
    /// - stroll: the seconds for which the user is 120 m south of the café.
    /// - end: the second at which the trace ends.
    private func words(
        about person: String,
        leavers: [String],
        silent: [String],
        from silence: Int = 600,
        stroll: Range<Int> = 0..<0,
        end: Int = 1_500
    ) throws -> [String] {
        var lines = [#"{"group":{"id":"g","members":["ada","bob","cy","dan","eve"],"settings":{"dwell":120}}}"#]
        for second in stride(from: 0, to: end, by: 20) {
            for (place, user) in Self.people.enumerated() {
                if silent.contains(user), second >= silence { continue }
                let way = Double(min(max(second - 600, 0), 300) * 10)
                let isStrolling = user == person && stroll.contains(second)
                let north = leavers.contains(user) ? way : isStrolling ? -120 : 0
                lines.append(Self.fix(user, second + place, north: north))
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
            .compactMap { $0["what"].string }
    }

    @Test("one who is left behind: from the open links to the alert")
    func leftBehind() throws {
        let words = try self.explain("eve", leavers: ["ada", "bob", "cy", "dan"])
        #expect(
            words == [
                "departure: separated, all links to the rest are open; last together at 48.20820, 16.37000",
                "departure: the rest is 200 m or more from that place: this must last for 60 s",
                "departure: left behind, the rest has been away for 60 s",
                "alert departed",
                "no alert: was part of this gathering",
            ]
        )
    }

    @Test("one who goes: which fixes make it a choice")
    func byChoice() throws {
        let words = try self.explain("eve", leavers: ["eve"])
        #expect(words.first?.hasPrefix("departure: separated") == true, "\(words)")
        #expect(words.dropFirst().first?.hasSuffix("from that place: with a second such fix, left by choice") == true)
        #expect(
            words.dropFirst(2) == [
                "departure: no alert: left by choice, two fixes beyond 1.5 × radius from that place",
                "no alert: was part of this gathering",
            ]
        )
    }

    @Test("two who are left where one may be missing: why nobody is told")
    func manyLeft() throws {
        let words = try self.explain("eve", leavers: ["ada", "bob", "cy"])
        #expect(
            words.contains("departure: no alert yet: 2 are left behind, more than the limit of missing members"),
            "\(words)"
        )
        #expect(!words.contains { $0.hasPrefix("alert") })
    }

    @Test("one who falls silent as the others go: why they are not told")
    func silent() throws {
        let words = try self.explain("eve", leavers: ["ada", "bob", "cy", "dan"], silent: ["eve"])
        #expect(words.contains("departure: no alert yet: no fix since the rest left"), "\(words)")
        #expect(!words.contains { $0.hasPrefix("alert") })
    }

    /// A way in which nobody is told, and the cause in the last sentence.
    struct Silence: Sendable, CustomTestStringConvertible {
        let cause: String
        var leavers = ["ada", "bob", "cy", "dan"]
        var silent: [String] = []
        var stroll = 0..<0
        var end = 1_500
        var testDescription: String { self.cause }
    }

    static let silences = [
        Silence(
            cause: "2 were left behind, more than the limit of missing members",
            leavers: ["ada", "bob", "cy"]
        ),
        Silence(
            cause: "they were 119.8 m from where the others had left them, neither there nor away",
            stroll: 640..<1_500
        ),
        Silence(
            cause:
                "fewer than two of the others had sent a recent fix, so it was not clear that they had left together",
            silent: ["ada", "bob", "cy", "dan"],
            stroll: 640..<3_700,
            end: 4_400
        ),
    ]

    @Test("the last sentence says what the decision waited for in vain", arguments: silences)
    func inShort(_ row: Silence) throws {
        let words = try self.words(
            about: "eve",
            leavers: row.leavers,
            silent: row.silent,
            from: 700,
            stroll: row.stroll,
            end: row.end
        )
        #expect(words.last?.hasPrefix("In short: eve got no alert, because \(row.cause)") == true, "\(words)")
    }
}
