import Testing

@testable import MusterCore

/// The clause and the value behind each decision, as users see them when they ask for the reason.
@Suite("Why things are decided")
struct GatheringTraceTests {
    /// A scene, its expected step, and the reasons of that step.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable () -> GatheringScene
        var isStep: @Sendable (GatheringReason) -> Bool
        var clause: GatheringClause
        var value: ClosedRange<Double>?
        var limit: Double?
        var unit: GatheringGround.Unit?

        init(
            _ name: String,
            _ make: @escaping @Sendable () -> GatheringScene,
            _ isStep: @escaping @Sendable (GatheringReason) -> Bool,
            by clause: GatheringClause,
            _ value: ClosedRange<Double>? = nil,
            of limit: Double? = nil,
            _ unit: GatheringGround.Unit? = nil
        ) {
            self.testDescription = name
            self.make = make
            self.isStep = isStep
            self.clause = clause
            self.value = value
            self.limit = limit
            self.unit = unit
        }
    }

    private static let ride: @Sendable () -> GatheringScene = { DepartureStoryTests.ride(speed: 25, interval: 10) }
    private static let meet: @Sendable () -> GatheringScene = { GatheringStoryTests.threeMeet }

    /// One member walks off.
    private static let walk: @Sendable () -> GatheringScene = {
        var scene = GatheringScene(1...4)
        for user: Int64 in 1...4 { scene.stay(user, GatheringScene.cafe, from: 0, to: user == 4 ? 900 : 3600) }
        let home = GatheringScene.cafe.moved(1500, bearing: 200)
        scene.stay(
            4,
            home,
            from: scene.travel(4, from: GatheringScene.cafe, to: home, start: 900, speed: 1.4),
            to: 3600
        )
        return scene
    }

    /// Three drive one member home.
    private static let lift: @Sendable () -> GatheringScene = {
        var scene = GatheringScene(1...4)
        let end = GatheringScene.cafe.moved(5000, bearing: 20)
        StayStoryTests.ride(&scene, via: GatheringScene.cafe, for: 40, to: end, with: 4, every: 10)
        return scene
    }

    /// Three meet, part, and meet again within the cooldown.
    private static let again: @Sendable () -> GatheringScene = {
        var scene = GatheringScene(1...4)
        scene.stay(4, GatheringStoryTests.home, from: 0, to: 4000)
        for user: Int64 in 1...3 {
            let far = GatheringScene.cafe.moved(3000 * Double(user), bearing: 120 * Double(user))
            scene.stay(user, GatheringScene.cafe, from: 0, to: 400)
            scene.stay(user, far, from: 430, to: 900)
            scene.stay(user, GatheringScene.cafe, from: 930, to: 4000)
        }
        return scene
    }

    /// Three meet, and two do not come.
    private static let two: @Sendable () -> GatheringScene = {
        var scene = GatheringScene(1...5)
        for user: Int64 in 1...3 { scene.stay(user, GatheringScene.cafe, from: 0, to: 1200) }
        for user: Int64 in 4...5 { scene.stay(user, GatheringStoryTests.home, from: 0, to: 1200) }
        return scene
    }

    @Test(
        "each decision names the clause and the value that decided",
        arguments: [
            Row("a link", meet, { $0 == .linkClosed(UserID(1), UserID(2)) }, by: .closing, 0...30, of: 100, .metres),
            Row("a gathering", meet, { $0 == .began }, by: .beginning, 180...181, of: 180, .seconds),
            Row("who is enough", meet, { $0 == .dwellStarted }, by: .candidate, 3...3, of: 2, .members),
            Row("absence", walk, { Self.isAbsence($0) }, by: .absent, 100...400, of: 100, .metres),
            Row(
                "an open link",
                walk,
                { $0 == .linkOpened(UserID(1), UserID(4)) },
                by: .opening,
                150...400,
                of: 150,
                .metres
            ),
            Row(
                "an alert",
                meet,
                { $0 == .alerted(UserID(4), .gathered) },
                by: .gathered,
                180...181,
                of: 180,
                .seconds
            ),
            Row("who took part", walk, { $0 == .tookPart(UserID(4)) }, by: .once),
            Row("too many", two, { Self.isManyMissing($0) }, by: .maxAbsent, 2...2, of: 1, .members),
            Row("a cooldown", again, { Self.isCooldown($0) }, by: .cooldown, 300...1800, of: 1800, .seconds),
            Row("an end", again, { $0 == .ended }, by: .ending, 60...61, of: 60, .seconds),
            Row(
                "a choice",
                walk,
                { $0 == .departure(UserID(4), .leftByChoice) },
                by: .choice,
                150...400,
                of: 150,
                .metres
            ),
            Row("a lift", lift, { $0 == .departure(UserID(4), .metInPassing) }, by: .stays, 0...179, of: 180, .seconds),
            Row(
                "a departure",
                ride,
                { $0 == .alerted(UserID(4), .departed) },
                by: .departed,
                60...90,
                of: 60,
                .seconds
            ),
            Row(
                "who stayed",
                ride,
                { $0 == .departure(UserID(4), .leftBehind) },
                by: .departed,
                0...50,
                of: 100,
                .metres
            ),
        ]
    )
    func ground(row: Row) throws {
        let trace = row.make().trace(until: 4800)
        let entry = try #require(trace.first { row.isStep($0.reason) })
        #expect(entry.ground.clause == row.clause)
        #expect(entry.ground.limit == row.limit)
        #expect(entry.ground.unit == row.unit)
        if let value = row.value { #expect(value ~= entry.ground.value ?? -1, "\(entry.ground)") }
    }

    private static func isAbsence(_ reason: GatheringReason) -> Bool {
        if case .becameAbsent(UserID(4), _) = reason { true } else { false }
    }

    private static func isManyMissing(_ reason: GatheringReason) -> Bool {
        if case .manyMissing(UserID(4), _, _) = reason { true } else { false }
    }

    private static func isCooldown(_ reason: GatheringReason) -> Bool {
        reason == .cooledDown(UserID(4), .gathered)
    }
}
