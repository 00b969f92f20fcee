import Testing

@testable import MusterCore

@Suite struct WorldLocateTests {
    /// Users 7 and 8 in group 1, with the sessions 1 and 2; 8 shares in this mode.
    private static func world(_ mode: Sharing.Mode) -> WorldUnderTest {
        var test = WorldUnderTest()
        let snapshot = WorldUnderTest.group(1, members: [7, 8], sharing: [8: Sharing(mode: mode)])
        test.iterate(
            .sessionOpened(WorldUnderTest.opening(1, user: 7, groups: [1])),
            .sessionOpened(WorldUnderTest.opening(2, user: 8, groups: [1])),
            .groupLoaded(snapshot)
        )
        return test
    }

    private static func ask(_ user: Int64 = 8) -> WorldInput {
        .locateRequested(SessionID(1), .number(3), group: GroupID(1), user: UserID(user))
    }

    private static func request(_ effects: [WorldEffect]) -> LocateID? {
        for case .locate(.started(_, _, let id, devices: 1, _)) in effects { return id }
        return nil
    }

    private static func place(_ effects: [WorldEffect]) -> SelfPosition? {
        for case .locate(.found(SessionID(1), _, user: UserID(8), let place)) in effects { return place }
        return nil
    }

    struct Row: Sendable {
        let mode: Sharing.Mode
        let lat: Double?
    }

    @Test(
        "an answer tells as much as the group may see",
        arguments: [
            Row(mode: .live, lat: 50.1234), Row(mode: .approximate, lat: 50.12), Row(mode: .paused, lat: nil),
        ]
    )
    func answers(_ row: Row) throws {
        var test = Self.world(row.mode)
        let asked = test.iterate(Self.ask())
        #expect(asked.story == ["locateStarted", "locate"])
        let id = try #require(Self.request(asked))
        var fix = test.fix(1, lat: 50.1234)
        fix.trigger = .answer
        fix.answer = id
        let place = Self.place(test.iterate(WorldUnderTest.report(2, fix)))
        #expect(place?.coordinate.latitude == row.lat)
        if row.mode == .approximate { #expect((place?.accuracy ?? 0) >= 800) }
        let after = test.pass(61_000).story
        #expect(after.contains("locateExpired") == (row.lat == nil))
    }

    @Test("a user whose app is closed has five minutes, is asked again on the page that opens, and may refuse")
    func closedApp() throws {
        var test = WorldUnderTest()
        test.iterate(
            .sessionOpened(WorldUnderTest.opening(1, user: 7, groups: [1])),
            .sessionOpened(WorldUnderTest.opening(2, user: 8, groups: [1])),
            .groupLoaded(WorldUnderTest.group(1, members: [7, 8]))
        )
        test.iterate(.sessionClosed(SessionID(2)))
        let ask = WorldInput.locateRequested(
            SessionID(1),
            .number(3),
            group: GroupID(1),
            user: UserID(8),
            others: 1
        )
        let asked = test.iterate(ask)
        #expect(asked.story == ["locateStarted", "locatePushed"])
        let id = try #require(Self.request(asked))
        #expect(!test.pass(100_000).story.contains("locateExpired"))
        let opened = test.iterate(.sessionOpened(WorldUnderTest.opening(3, user: 8, groups: [1])))
        #expect(opened.story.contains("locate"))
        test.iterate(.locateRefused(id, by: UserID(7)))
        #expect(test.iterate(.sessionOpened(WorldUnderTest.opening(4, user: 8, groups: [1]))).story.contains("locate"))
        test.iterate(.locateRefused(id, by: UserID(8)))
        #expect(!test.iterate(.sessionOpened(WorldUnderTest.opening(5, user: 8, groups: [1]))).story.contains("locate"))
        #expect(test.pass(210_000).story.contains("locateExpired"))
    }

    @Test("only members ask, only for members, and once a minute")
    func refusals() {
        var test = Self.world(.live)
        test.open(3, user: 9)
        let outsider = WorldInput.locateRequested(SessionID(3), nil, group: GroupID(1), user: UserID(8))
        #expect(test.iterate(outsider).refusals == [.notMember])
        #expect(test.iterate(Self.ask(9)).refusals == [.notFound])
        #expect(test.iterate(Self.ask()).refusals.isEmpty)
        test.pass(30_000)
        #expect(test.iterate(Self.ask()).refusals == [.rateLimited(retryAfter: 30_000)])
        test.pass(30_000)
        #expect(test.iterate(Self.ask()).refusals.isEmpty)
    }

    @Test("an asker who is gone is told nothing, and nobody else answers for the one asked")
    func gone() throws {
        var test = Self.world(.live)
        let id = try #require(Self.request(test.iterate(Self.ask())))
        var fix = test.fix(1)
        fix.trigger = .answer
        fix.answer = id
        #expect(!test.iterate(WorldUnderTest.report(1, fix)).story.contains("located"))
        test.iterate(.sessionClosed(SessionID(1)))
        #expect(!test.iterate(WorldUnderTest.report(2, fix)).story.contains("located"))
        #expect(!test.pass(61_000).story.contains("locateExpired"))
        #expect(test.world.locates.count == 0)
    }
}

extension [WorldEffect] {
    fileprivate var refusals: [WorldRefusal] {
        self.compactMap { if case .refused(_, _, let reason) = $0 { reason } else { nil } }
    }
}
