import Testing

@testable import MusterCore

@Suite("What a picture of a group may show")
struct GroupVisibilityTests {
    private static func visibility(_ effects: [WorldEffect]) -> [Int64: GroupVisibility?] {
        var sights: [Int64: GroupVisibility?] = [:]
        for case .groupViewed(let request, let visibility) in effects {
            sights.updateValue(visibility, forKey: request)
        }
        return sights
    }

    /// The answer to a request.
    private static func answer(to request: Int64, in effects: [WorldEffect]) throws -> GroupVisibility {
        let visibility = Self.visibility(effects)[request] ?? nil
        return try #require(visibility)
    }

    /// The visibility snapshot of group 1 now.
    private static func look(_ test: inout WorldUnderTest) throws -> GroupVisibility {
        try Self.answer(to: 5, in: test.iterate(.groupViewRequested(5, GroupID(1))))
    }

    private static func change(_ id: Int64, _ isAllowed: Bool, in group: Int64? = nil) -> SharingChange {
        SharingChange(id: SharingChangeID(id), user: UserID(7), group: group.map { GroupID($0) }, pictures: isAllowed)
    }

    private static func world() -> WorldUnderTest {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8, 9]])
        test.open(2, user: 8, members: [1: [7, 8, 9]])
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50.1234, lon: 8.5678)))
        test.iterate(WorldUnderTest.report(2, test.fix(1, lat: 50.2)))
        return test
    }

    @Test("who is live is exact, who is approximate on the grid, who is paused or unknown is on none")
    func modes() throws {
        var test = Self.world()
        let first = try Self.look(&test)
        #expect(first.members.map(\.user.id.rawValue) == [7, 8, 9] && first.revision == 1)
        #expect(first.pictured.map(\.user.id.rawValue) == [7, 8])
        #expect(first.pictured[0].position.coordinate?.latitude == 50.1234)
        let coarse = WorldUnderTest.group(
            1,
            revision: 2,
            members: [7, 8, 9],
            sharing: [7: Sharing(mode: .approximate)]
        )
        test.iterate(.groupChanged(coarse, answer: nil))
        let second = try Self.look(&test)
        #expect(second.pictured[0].mode == .approximate && second.revision == 2)
        #expect(second.pictured[0].position.coordinate == Coordinate(latitude: 50.12, longitude: 8.57))
        #expect(!second.stillShows(UserID(7), .live) && second.stillShows(UserID(7), .approximate))
        // Within one batch, before the roster has changed.
        let paused = WorldUnderTest.group(1, revision: 3, members: [7, 8, 9], sharing: [7: Sharing(mode: .paused)])
        let effects = test.iterate(.groupChanged(paused, answer: nil), .groupViewRequested(6, GroupID(1)))
        let third = try Self.answer(to: 6, in: effects)
        #expect(third.pictured.map(\.user.id.rawValue) == [8])
        #expect(third.members[0].position.coordinate == nil && !third.stillShows(UserID(7), .approximate))
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 4, members: [8, 9]), answer: nil))
        #expect(try !Self.look(&test).stillShows(UserID(7), .approximate), "who left")
    }

    @Test("a position is on pictures for a day")
    func age() throws {
        var test = Self.world()
        test.pass(GroupVisibility.longestAge - 120_000)
        #expect(try Self.look(&test).pictured.count == 2)
        test.pass(240_000)
        #expect(try Self.look(&test).pictured.isEmpty)
        test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 50.3)))
        #expect(try Self.look(&test).pictured.map(\.user.id.rawValue) == [7])
    }

    @Test("what somebody made who is not on it is shown no more once they narrow what they share, or leave")
    func maker() throws {
        var test = Self.world()
        #expect(try Self.look(&test).stillShows(madeBy: UserID(9)), "who is nowhere")
        test.iterate(.sharingNarrowed(WorldUnderTest.change(1, of: 9, .paused)))
        #expect(try !Self.look(&test).stillShows(madeBy: UserID(9)))
        test.iterate(.sharingNarrowed(WorldUnderTest.change(2, of: 7, .approximate)))
        #expect(try !Self.look(&test).stillShows(madeBy: UserID(7)))
        // Storage has the change, and has withdrawn the affected pictures.
        let coarse = WorldUnderTest.group(
            1,
            revision: 2,
            members: [7, 8, 9],
            sharing: [7: Sharing(mode: .approximate)]
        )
        test.iterate(
            .groupChanged(coarse, answer: nil),
            .sharingResolved(WorldUnderTest.change(2, of: 7, .approximate))
        )
        #expect(try Self.look(&test).stillShows(madeBy: UserID(7)))
        test.iterate(.sharingNarrowed(Self.change(3, false)))
        #expect(try !Self.look(&test).stillShows(madeBy: UserID(7)))
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 4, members: [8, 9]), answer: nil))
        #expect(try !Self.look(&test).stillShows(madeBy: UserID(7)))
    }

    @Test("who wants to be on none is on none at once, whatever storage says, and is told so; sharing stays as it is")
    func optedOut() throws {
        var test = Self.world()
        let effects = test.iterate(.sharingNarrowed(Self.change(1, false)), .groupViewRequested(5, GroupID(1)))
        #expect(effects.messages(to: 1) == [.sharing(GroupID(1), SharingTerms(.live, pictures: false))])
        #expect(effects.messages(to: 2).isEmpty, "nobody else is told")
        let visibility = try Self.answer(to: 5, in: effects)
        #expect(visibility.pictured.map(\.user.id.rawValue) == [8] && !visibility.stillShows(UserID(7), .live))
        #expect(test.sharing(of: 7) == .live && test.position(of: 7)?.coordinate != nil)
        // A change of the sharing mode does not replace a change of the picture setting.
        test.iterate(.sharingNarrowed(WorldUnderTest.change(2, of: 7, .approximate)))
        test.iterate(.sharingResolved(WorldUnderTest.change(2, of: 7, .approximate)))
        #expect(try !Self.look(&test).stillShows(UserID(7), .approximate))
        // Regardless of the state in storage.
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [7, 8, 9]), answer: nil))
        #expect(try Self.look(&test).pictured.map(\.user.id.rawValue) == [8])
        test.iterate(.sharingResolved(Self.change(1, false)))
        #expect(try Self.look(&test).pictured.map(\.user.id.rawValue) == [7, 8], "storage never took it")
        let stored = WorldUnderTest.group(
            1,
            revision: 3,
            members: [7, 8, 9],
            sharing: [7: Sharing(isPictured: false)]
        )
        test.iterate(.groupChanged(stored, answer: nil))
        #expect(try Self.look(&test).pictured.map(\.user.id.rawValue) == [8])
        // The setting outlasts a pause that expires.
        let resting = Sharing(mode: .paused, until: test.now + 30_000, isPictured: false)
        test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 4, members: [7, 8, 9], sharing: [7: resting]), answer: nil)
        )
        test.pass(60_000)
        test.iterate(WorldUnderTest.report(1, test.fix(9, lat: 50.4)))
        #expect(test.sharing(of: 7) == .live)
        #expect(try Self.look(&test).pictured.map(\.user.id.rawValue) == [8])
    }

    @Test("a group that nobody is in now is read for it; one that cannot be read, or is none, is not known")
    func query() throws {
        var test = WorldUnderTest()
        let asked = test.iterate(.groupViewRequested(1, GroupID(1)), .groupViewRequested(2, GroupID(1)))
        #expect(asked.story == ["loadGroup"])
        let read = Self.visibility(test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8]))))
        #expect(read.count == 2 && read.values.allSatisfy { $0?.members.count == 2 })
        test.iterate(.groupViewRequested(3, GroupID(2)))
        #expect(Self.visibility(test.iterate(.answered(.group(GroupID(2)), nil))) == [3: nil])
        test.iterate(.groupViewRequested(4, GroupID(3)))
        let none = test.iterate(.groupLoaded(WorldUnderTest.group(3, members: [])))
        #expect(Self.visibility(none) == [4: nil] && none.story == ["groupViewed"])
    }
}
