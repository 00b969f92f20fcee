import Foundation
import MusterTestSupport
import Testing

@testable import MusterCore

/// Groups of a recorded trace, and their expected notifications.
@Suite("Recorded groups")
struct GatheringExampleTests {
    /// The expected outcome of a group of the trace.
    struct Expectation: Sendable, Decodable, CustomTestStringConvertible {
        struct Alert: Sendable, Decodable {
            let variant: LeftWithoutYou.Variant
            let user: String
            /// The earliest and latest second of the decision in the trace.
            let after: Double
            let before: Double
        }

        let group: String
        /// A description for readers.
        let text: String
        let alerts: [Alert]
        /// The number of gatherings; nil if it does not matter.
        let gatherings: Int?

        var testDescription: String { self.group }
    }

    /// A line of the trace, with only some fields set.
    private struct Line: Decodable {
        struct Group: Decodable {
            let id: String
            let members: [String]
            let settings: Settings
        }

        struct Settings: Decodable {
            let radius: Double?
        }

        let group: Group?
        let user: String?
        let at: Int64?
        let lat: Double?
        let lon: Double?
        let accuracy: Float?
        let speed: Float?
        let trigger: Fix.Trigger?
        let sharing: Sharing.Mode?
    }

    /// The moment, in milliseconds, from which the expectations are measured.
    private static let origin: Int64 = 1_760_000_400_000
    private static let fixtures = MusterProcess.checkout.appending(path: "Tests/Fixtures")

    private static let trace = Result {
        let file = Self.fixtures.appending(path: "alerts-examples.jsonl.gz")
        return try Self.decode(Line.self, from: try Tool.run("/bin/gzip", ["-dc", file.path]).output)
    }

    static let expectations: [Expectation] = {
        let file = Self.fixtures.appending(path: "alerts-expected.jsonl")
        return (try? Self.decode(Expectation.self, from: String(contentsOf: file, encoding: .utf8))) ?? []
    }()

    private static func decode<Row: Decodable>(_ type: Row.Type, from text: String) throws -> [Row] {
        try text.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    }

    /// The scene of a group, and its members in the order of their ids, which begin at 1.
    private static func scene(of group: String) throws -> (scene: GatheringScene, members: [String], end: Double) {
        let lines = try self.trace.get()
        let head = try #require(lines.lazy.compactMap(\.group).first { $0.id == group })
        var scene = GatheringScene(
            1...Int64(head.members.count),
            settings: GroupSettings(radius: head.settings.radius ?? GroupSettings().radius)
        )
        var end = 0.0
        for line in lines {
            guard let user = line.user, let at = line.at, let place = head.members.firstIndex(of: user) else {
                continue
            }
            let (id, second) = (Int64(place + 1), Double(at - Self.origin) / 1000)
            end = max(end, second)
            if let lat = line.lat, let lon = line.lon {
                scene.report(
                    id,
                    at: second,
                    Coordinate(latitude: lat, longitude: lon),
                    accuracy: line.accuracy ?? 0,
                    speed: line.speed,
                    delay: 0,
                    trigger: line.trigger
                )
            } else if let mode = line.sharing {
                scene.changes.append((second, .sharingChanged(UserID(id), isLive: mode == .live)))
            }
        }
        return (scene, head.members, end)
    }

    @Test("each group is told what it must be told, in time, and nothing else", arguments: Self.expectations)
    func example(expected: Expectation) throws {
        let (scene, members, end) = try Self.scene(of: expected.group)
        // Long enough for all pending decisions.
        let outcome = scene.play(until: end + 3 * 3600)
        let alerts = outcome.alerts.map { alert in
            (
                user: members[Int(alert.user.rawValue) - 1], variant: alert.variant,
                second: Double(alert.at - GatheringScene.start) / 1000
            )
        }
        #expect(alerts.count == expected.alerts.count, "\(expected.text) Told: \(alerts)")
        for (alert, wanted) in zip(alerts, expected.alerts) {
            #expect(alert.user == wanted.user && alert.variant == wanted.variant, "\(expected.text)")
            #expect(wanted.after...wanted.before ~= alert.second, "\(expected.text)")
        }
        if let count = expected.gatherings { #expect(outcome.began.count == count, "\(expected.text)") }
    }

    @Test("there are expectations")
    func count() { #expect(Self.expectations.count == 12) }
}

extension Fix.Trigger: Decodable {}
extension Sharing.Mode: Decodable {}
