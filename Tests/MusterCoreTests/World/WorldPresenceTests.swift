import Testing

@testable import MusterCore

@Suite struct WorldPresenceTests {
    /// An event of user 7, who has the devices 70 and 71 with the sessions 1 and 2.
    enum Event {
        case open(Int64)
        case close(Int64)
        case background(Int64)
        case foreground(Int64)
        case report
        case wait(Int64)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [Event]
        let expected: Presence
    }

    static let rows = [
        Row(testDescription: "a session in front is online", events: [.open(1)], expected: .online),
        Row(
            testDescription: "a reconnect is no flicker",
            events: [.open(1), .close(1), .wait(14_000)],
            expected: .online
        ),
        Row(testDescription: "gone after the grace", events: [.open(1), .close(1), .wait(15_000)], expected: .offline),
        Row(
            testDescription: "a return cancels the step down",
            events: [.open(1), .close(1), .wait(10_000), .open(1), .wait(60_000)],
            expected: .online
        ),
        Row(testDescription: "background waits", events: [.open(1), .background(1), .wait(14_000)], expected: .online),
        Row(testDescription: "background is away", events: [.open(1), .background(1), .wait(15_000)], expected: .away),
        Row(
            testDescription: "each step waits from the end of its own reason",
            events: [.open(1), .background(1), .wait(10_000), .close(1), .wait(10_000)],
            expected: .away
        ),
        Row(
            testDescription: "and the last one falls on time",
            events: [.open(1), .background(1), .wait(10_000), .close(1), .wait(15_000)],
            expected: .offline
        ),
        Row(
            testDescription: "one of two devices leaving changes nothing",
            events: [.open(1), .open(2), .close(1), .wait(60_000)],
            expected: .online
        ),
        Row(
            testDescription: "the one in the background is left",
            events: [.open(1), .open(2), .background(2), .close(1), .wait(15_000)],
            expected: .away
        ),
        Row(
            testDescription: "coming to the front is at once",
            events: [.open(1), .background(1), .wait(60_000), .foreground(1)],
            expected: .online
        ),
        Row(testDescription: "a report without a session is away", events: [.report], expected: .away),
        Row(testDescription: "for five minutes", events: [.report, .wait(314_000)], expected: .away),
        Row(testDescription: "and the grace", events: [.report, .wait(315_000)], expected: .offline),
    ]

    @Test("presence over sessions, states and time", arguments: rows)
    func table(_ row: Row) {
        var test = WorldUnderTest()
        test.open(9, user: 8, members: [1: [7, 8]])
        var sequence: Int64 = 0
        for event in row.events {
            switch event {
            case .open(let session): test.open(session, user: 7, device: 69 + session, members: [1: [7, 8]])
            case .close(let session): test.iterate(.sessionClosed(SessionID(session)))
            case .background(let session):
                test.iterate(.sessionStateChanged(SessionID(session), isForeground: false))
            case .foreground(let session): test.iterate(.sessionStateChanged(SessionID(session), isForeground: true))
            case .report:
                sequence += 1
                let arrival = WorldUnderTest.arrival(7, groups: [1])
                let origin = FixReport.Origin.request(SessionID(100 + sequence))
                test.iterate(.fixesReceived(FixReport(origin: origin, arrival: arrival, fixes: [test.fix(sequence)])))
            case .wait(let milliseconds): test.pass(milliseconds)
            }
        }
        #expect(test.presence(of: 7) == row.expected)
        let entry = test.world.roster(of: GroupID(1))?.members.first { $0.user == UserID(7) }
        #expect((entry?.profile?.lastSeen == nil) == (row.expected == .online))
        #expect(!test.effects.changes.contains { !$0.gone.isEmpty }, "a presence change never looks like leaving")
    }

    @Test("stored presence holds for a while after a restart, then falls to what is real, and that is written")
    func restart() {
        var test = WorldUnderTest()
        test.now = WorldUnderTest.start + 1_000
        var snapshot = WorldUnderTest.group(1, members: [7, 8])
        snapshot.members[1].presence = .online
        test.iterate(
            .sessionOpened(WorldUnderTest.opening(1, user: 7, groups: [1])),
            .groupLoaded(snapshot)
        )
        test.pass(28_000)
        #expect(test.presence(of: 8) == .online)
        let effects = test.pass(2_000)
        #expect(test.presence(of: 8) == .offline)
        #expect(effects.records.contains(.presence(UserID(8), .offline, lastSeen: nil)))
    }

    @Test("sessions that go away in a drain leave presence as it was")
    func drain() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.iterate(.drainBegan)
        let effects = test.iterate(.sessionClosed(SessionID(1))) + test.pass(40_000)
        #expect(test.presence(of: 7) == .online)
        for case .presence in effects.records { Issue.record("presence was written in a drain") }
    }

    @Test("a position ages from live to recent or stale when it is time, without a new fix")
    func freshness() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.iterate(WorldUnderTest.report(1, test.fix(1)))
        test.pass(300_000)
        #expect(test.position(of: 7)?.freshness == .live)
        test.pass(1_000)
        #expect(test.position(of: 7)?.freshness == .stale)
    }
}
