import Testing

@testable import MusterCore

@Suite struct WorldSessionTests {
    @Test("hello waits for groups that are being read, asks for each once, then welcomes before rosters")
    func helloWaitsForGroups() {
        var test = WorldUnderTest()
        let first = test.iterate(.sessionOpened(WorldUnderTest.opening(1, user: 7, groups: [1, 2])))
        #expect(first.story == ["loadGroup", "loadGroup"])
        let second = test.iterate(.sessionOpened(WorldUnderTest.opening(2, user: 8, groups: [1])))
        #expect(second.story.isEmpty)
        #expect(second.records.isEmpty)
        let third = test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        #expect(third.story.filter { $0 != "rosterChanged" } == ["welcome", "subscribe"])
        let fourth = test.iterate(.groupLoaded(WorldUnderTest.group(2, members: [7])))
        #expect(fourth.story.filter { $0 != "rosterChanged" } == ["welcome", "subscribe", "subscribe"])
        #expect(fourth.subscriptions == [GroupID(1), GroupID(2)])
    }

    @Test("a group that cannot be read sends those who wait away, and leaves the others alone")
    func loadFails() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        test.iterate(.sessionOpened(WorldUnderTest.opening(2, user: 8, groups: [1])))
        let effects = test.iterate(.answered(.group(GroupID(1)), nil))
        #expect(effects.closes == [SessionID(2): .unavailable])
        #expect(test.world.counters.sessions == 1)
    }

    @Test("a group that storage holds in another revision, or not at all, is read again; the others are left alone")
    func storedRevisions() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8], 2: [7, 8], 3: [7, 8], 4: [7, 8]])
        func stored(_ group: Int64, _ change: Int64) -> GroupRevisions.Stored {
            let revision = WorldUnderTest.group(group, members: [7, 8]).revision
            return GroupRevisions.Stored(group: GroupID(group), revision: revision + change)
        }
        let revisions = GroupRevisions(
            first: GroupID(1),
            last: GroupID(3),
            stored: [stored(1, 1), stored(3, 0)]
        )
        let asked = test.iterate(.groupsStored(revisions)).compactMap { effect -> GroupID? in
            if case .ask(.group(let group)) = effect { group } else { nil }
        }
        #expect(Set(asked) == [GroupID(1), GroupID(2)])
        #expect(test.iterate(.groupsStored(revisions)).story.isEmpty, "it is being read already")
    }

    @Test("a session that closes while it waits leaves no trace")
    func closedWhileWaiting() {
        var test = WorldUnderTest()
        test.iterate(.sessionOpened(WorldUnderTest.opening(1, user: 7, groups: [1])))
        test.iterate(WorldUnderTest.report(1, test.fix(1)))
        let closed = test.iterate(.sessionClosed(SessionID(1)))
        let loaded = test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        #expect(closed.isEmpty && loaded.isEmpty)
        let counters = test.world.counters
        #expect(counters.users == 0 && counters.devices == 0 && counters.sessions == 0 && counters.groups == 0)
    }

    @Test("what a client sends right behind its hello is not lost while the hello waits")
    func earlyFixesAreKept() {
        var test = WorldUnderTest()
        test.iterate(.sessionOpened(WorldUnderTest.opening(1, user: 7, groups: [1])))
        test.iterate(WorldUnderTest.report(1, test.fix(1)))
        test.iterate(.groupLoaded(WorldUnderTest.group(1, members: [7, 8])))
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 1)])
    }

    @Test("the same device connecting again replaces the older session, whether that was in or still waiting")
    func replaced() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        let again = test.open(2, user: 7, members: [1: [7, 8]])
        #expect(again.closes == [SessionID(1): .replaced])
        #expect(test.iterate(.sessionClosed(SessionID(1))).isEmpty)
        #expect(test.presence(of: 7) == .online)

        let waiting = test.iterate(.sessionOpened(WorldUnderTest.opening(3, user: 9, groups: [5])))
        #expect(waiting.story == ["loadGroup"])
        let newer = test.iterate(.sessionOpened(WorldUnderTest.opening(4, user: 9, groups: [5])))
        #expect(newer.closes == [SessionID(3): .replaced])
        let loaded = test.iterate(.groupLoaded(WorldUnderTest.group(5, members: [9])))
        #expect(loaded.story.filter { $0 == "welcome" }.count == 1)
    }

    @Test("a group that the world holds is the truth about who is in it")
    func worldKnowsBetter() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [7]), answer: nil))
        let effects = test.iterate(.sessionOpened(WorldUnderTest.opening(2, user: 8, groups: [1])))
        #expect(effects.story == ["welcome"])
    }

    @Test("a read that a deletion overtook does not bring the group back")
    func deletedWhileLoading() {
        var test = WorldUnderTest()
        test.iterate(.sessionOpened(WorldUnderTest.opening(1, user: 7, groups: [1])))
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 5, members: []), answer: nil))
        let effects = test.iterate(.groupLoaded(WorldUnderTest.group(1, revision: 4, members: [7])))
        #expect(effects.story == ["welcome"])
        #expect(test.world.roster(of: GroupID(1)) == nil)
    }

    @Test("joining answers first, then subscribes; the roster subscribed to has the newcomer")
    func joinOrder() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7]])
        test.open(2, user: 8)
        let snapshot = WorldUnderTest.group(1, revision: 2, members: [7, 8])
        let effects = test.iterate(.groupChanged(snapshot, answer: WorldUnderTest.answer(2)))
        #expect(effects.story == ["answer", "rosterChanged", "publish", "subscribe"])
        #expect(test.presence(of: 8) == .online)
    }

    @Test("leaving unsubscribes and says so, deleting closes the roster, and an older snapshot changes nothing")
    func leaveAndDelete() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.open(2, user: 8, members: [1: [7, 8]])
        let left = test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 3, members: [7]), answer: nil))
        #expect(left.story == ["unsubscribe", "rosterChanged", "leftGroup"])
        #expect(left.changes.first?.gone == [UserID(8)])
        let stale = test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 2, members: [7, 8]), answer: WorldUnderTest.answer(1))
        )
        #expect(stale.story == ["answer"])
        let deleted = test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 4, members: []), answer: nil))
        #expect(deleted.story == ["unsubscribe", "rosterClosed", "leftGroup"])
    }

    @Test("who leaves is answered first; then each of their sessions is told, once, by the version that says so")
    func departures() throws {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.open(2, user: 8, members: [1: [7, 8]])
        test.open(3, user: 8, device: 81, members: [1: [7, 8]])
        test.iterate(.sessionOpened(WorldUnderTest.opening(4, user: 8, device: 82, groups: [1], isWatch: true)))
        let snapshot = WorldUnderTest.group(1, revision: 2, members: [7])
        let left = test.iterate(.groupChanged(snapshot, answer: WorldUnderTest.answer(2)))
        #expect(left.story == ["unsubscribe", "unsubscribe", "answer", "rosterChanged", "leftGroup", "leftGroup"])
        let version = try #require(left.changes.first?.version.version)
        #expect(left.departures == [2: version, 3: version])
        // The last member leaves: the group is deleted, and no roster announces it.
        let deleted = test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 3, members: []), answer: WorldUnderTest.answer(1))
        )
        #expect(deleted.story == ["unsubscribe", "rosterClosed", "answer", "leftGroup"])
        #expect(deleted.departures == [1: version + 1])
        // A user who returns within the same batch receives no departure.
        test.open(5, user: 9, members: [2: [9, 10]])
        test.open(6, user: 10, members: [2: [9, 10]])
        let back = test.iterate(
            .groupChanged(WorldUnderTest.group(2, revision: 2, members: [9]), answer: nil),
            .groupChanged(WorldUnderTest.group(2, revision: 3, members: [9, 10]), answer: nil)
        )
        #expect(back.departures.isEmpty)
        #expect(back.subscriptions == [GroupID(2)])
    }

    @Test("a change to a group in which nobody is here is answered and not held")
    func unheld() {
        var test = WorldUnderTest()
        let effects = test.iterate(
            .groupChanged(WorldUnderTest.group(1, members: [7]), answer: WorldUnderTest.answer(1))
        )
        #expect(effects.story == ["answer"])
        #expect(test.world.counters.groups == 0)
    }

    @Test("ending a login closes its sessions and no others; deleting an account takes the person off the rosters")
    func endings() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.open(2, user: 8, members: [1: [7, 8]])
        #expect(test.iterate(.loginEnded(LoginID(7))).closes == [SessionID(1): .unauthorized])
        let deleted = test.iterate(.accountDeleted(UserID(8)))
        #expect(deleted.closes == [SessionID(2): .unauthorized])
        #expect(deleted.changes.first?.gone == [UserID(8)])
        #expect(test.world.roster(of: GroupID(1))?.members.map(\.user) == [UserID(7)])
    }

    @Test("a hello that was accepted just before its login or account ended lets nobody in")
    func endedBeforeOpening() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.iterate(.loginEnded(LoginID(8)), .accountDeleted(UserID(9)))
        for user in [8, 9] as [Int64] {
            let late = test.iterate(.sessionOpened(WorldUnderTest.opening(user, user: user, groups: [1])))
            #expect(late.story == ["close"])
            #expect(late.closes == [SessionID(user): .unauthorized])
            #expect(late.records.isEmpty)
        }
        // Frames that such a client sent directly after its `hello` have no effect.
        #expect(test.iterate(WorldUnderTest.report(8, test.fix(1)), .sessionClosed(SessionID(8))).isEmpty)
        #expect(test.presence(of: 8) == .offline)
        // Another login of the same user is accepted.
        var other = WorldUnderTest.opening(3, user: 8, device: 81, groups: [1])
        other.login = LoginID(80)
        #expect(test.iterate(.sessionOpened(other)).story.contains("welcome"))
    }

    @Test("a report that was accepted just before its account was deleted is refused, and nobody is held for it")
    func deletedBeforeReport() {
        var test = WorldUnderTest()
        test.iterate(.accountDeleted(UserID(9)))
        let arrival = WorldUnderTest.arrival(9, groups: [1])
        let report = FixReport(origin: .request(SessionID(5)), arrival: arrival, fixes: [test.fix(1)])
        let effects = test.iterate(.fixesReceived(report))
        #expect(effects.story == ["reportRefused"])
        #expect(effects.records.isEmpty)
        #expect(test.world.counters.users == 0 && test.world.counters.devices == 0)
    }

    @Test("what ended is remembered for two minutes, and never more of it than the bound")
    func recentEnds() {
        var ends = RecentEnds()
        let start = WorldUnderTest.start
        ends.insert(.login(LoginID(1)), at: start)
        ends.insert(.user(UserID(1)), at: start + RecentEnds.lasts)
        #expect(ends.contains(.login(LoginID(1))) && !ends.contains(.login(LoginID(2))))
        ends.insert(.user(UserID(2)), at: start + RecentEnds.lasts + 1)
        #expect(!ends.contains(.login(LoginID(1))))
        #expect(ends.contains(.user(UserID(1))))
        for number in 0..<Int64(3 * RecentEnds.capacity) {
            ends.insert(.login(LoginID(100 + number)), at: start + RecentEnds.lasts + 2)
        }
        #expect(ends.count == RecentEnds.capacity)
        #expect(ends.contains(.login(LoginID(99 + Int64(3 * RecentEnds.capacity)))))
        #expect(!ends.contains(.user(UserID(2))))
    }

    @Test("a session ends when its token dies, also one that still waits, and no other")
    func expiry() {
        var test = WorldUnderTest()
        func opening(_ session: Int64, user: Int64, groups: [Int64] = [], in milliseconds: Int64) -> WorldInput {
            var opening = WorldUnderTest.opening(session, user: user, groups: groups)
            opening.expiresAt = test.now + milliseconds
            return .sessionOpened(opening)
        }
        test.iterate(opening(1, user: 7, in: 5_000), opening(2, user: 8, in: 60_000))
        test.iterate(opening(3, user: 9, groups: [1], in: 5_000), opening(4, user: 10, in: 5_000))
        // A user who returned with a newer login before.
        test.iterate(.sessionClosed(SessionID(4)))
        test.iterate(.sessionOpened(WorldUnderTest.opening(5, user: 10)))
        #expect(test.pass(4_000).closes.isEmpty)
        #expect(test.pass(2_000).closes == [SessionID(1): .unauthorized, SessionID(3): .unauthorized])
        #expect(test.world.counters.sessions == 2)
        // The directory checked the login just before.
        #expect(test.iterate(opening(6, user: 7, in: 0)).closes == [SessionID(6): .unauthorized])
    }

    @Test("what nobody needs any more is forgotten")
    func forgets() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.iterate(WorldUnderTest.report(1, test.fix(1)))
        test.iterate(.sessionClosed(SessionID(1)))
        test.pass(30_000)
        test.commit()
        test.pass(700_000)
        test.commit()
        test.pass(120_000)
        let counters = test.world.counters
        #expect(counters.groups == 0 && counters.users == 0 && counters.devices == 0)
        #expect(test.world.deadlines.count == 0)
    }

    @Test("a watch is welcomed and gets no rosters")
    func watch() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        let opening = WorldUnderTest.opening(2, user: 8, groups: [1], isWatch: true)
        let effects = test.iterate(.sessionOpened(opening))
        #expect(effects.story == ["welcome", "rosterChanged", "glance"])
        #expect(test.presence(of: 8) == .away)
    }
}
