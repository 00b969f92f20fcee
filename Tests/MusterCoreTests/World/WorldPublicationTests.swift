import Testing

@testable import MusterCore

@Suite("Publications of the world") struct WorldPublicationTests {
    @Test("a live publication reaches every session of its audience, and is one effect")
    func live() {
        var test = WorldUnderTest.town()
        let message = LiveMessage.frame([1, 2, 3])
        let all = test.iterate(.publicationRequested(Publication(to: .group(GroupID(1), except: nil), .live(message))))
        for session in [1, 2, 8] as [Int64] { #expect(all.messages(to: session) == [message]) }
        #expect(all.messages(to: 3).isEmpty && all.story == ["publish"])
        let others = Audience.group(GroupID(1), except: UserID(7))
        let rest = test.iterate(.publicationRequested(Publication(to: others, .live(message))))
        #expect(rest.messages(to: 8) == [message] && rest.messages(to: 1).isEmpty)
        let people = test.iterate(
            .publicationRequested(Publication(to: .people([UserID(7), UserID(99)]), .live(message)))
        )
        #expect(people.messages(to: 1) == [message] && people.messages(to: 8).isEmpty)
        #expect(test.iterate(.publicationRequested(Publication(to: .people([UserID(99)]), .live(message)))).isEmpty)
    }

    @Test("an older count of a plan's answers is not told after a newer one, wherever it was delayed")
    func counts() {
        var test = WorldUnderTest.town()
        func publication(_ plan: Int64, _ count: Int, at: Int64) -> WorldInput {
            let change = PlanChange(
                plan: PlanID(plan),
                group: GroupID(1),
                answers: PlanAnswers(in: count),
                countedAt: at
            )
            return .publicationRequested(Publication(to: .group(GroupID(1), except: nil), .live(.planChanged(change))))
        }
        #expect(test.iterate(publication(5, 2, at: 1_000)).messages(to: 1).count == 1)
        #expect(test.iterate(publication(5, 1, at: 999)).messages(to: 1).isEmpty)
        #expect(test.iterate(publication(6, 1, at: 999)).messages(to: 1).count == 1, "another plan")
        #expect(test.iterate(publication(5, 3, at: 1_001)).messages(to: 1).count == 1)
        // Entries that are minutes old are dropped when there are many.
        for plan in 0..<2_000 { _ = test.iterate(publication(Int64(plan) + 10, 1, at: 100_000_000)) }
        #expect(test.iterate(publication(5, 3, at: 1_001)).messages(to: 1).count == 1)
    }

    @Test("a changed name or settings reach every session of the group, before the answer, and nothing else does")
    func groupChanged() {
        var test = WorldUnderTest.town()
        var snapshot = WorldUnderTest.group(1, revision: 2, members: [7, 8])
        snapshot.name = "Divers"
        snapshot.settings.radius = 50
        let changed = test.iterate(.groupChanged(snapshot, answer: WorldUnderTest.answer(1)))
        let news = LiveMessage.group(GroupID(1), name: "Divers", settings: snapshot.settings)
        for session in [1, 2, 8] as [Int64] { #expect(changed.messages(to: session) == [news]) }
        #expect(changed.messages(to: 3).isEmpty && changed.story.prefix(2) == ["publish", "answer"])
        snapshot.revision = 3
        #expect(!test.iterate(.groupChanged(snapshot, answer: nil)).story.contains("publish"))
    }

    @Test("who joins is told their sharing, and their other sessions of the group, before its roster")
    func joined() {
        var test = WorldUnderTest.town()
        let snapshot = WorldUnderTest.group(2, members: [8, 7])
        let joined = test.iterate(.groupChanged(snapshot, answer: WorldUnderTest.answer(1)))
        let group = LiveMessage.group(GroupID(2), name: "group 2", settings: GroupSettings())
        let sharing = LiveMessage.sharing(GroupID(2), SharingTerms(.live))
        #expect(joined.messages(to: 1) == [sharing], "the one that asked knows of the group")
        #expect(joined.messages(to: 2) == [group, sharing])
        #expect(joined.messages(to: 3).isEmpty)
        #expect(joined.story.filter { $0 != "rosterChanged" }.first == "answer")
        let place = joined.firstIndex { if case .subscribe(SessionID(2), _, _) = $0 { true } else { false } }
        let notified = joined.firstIndex { if case .publish([SessionID(2)], _) = $0 { true } else { false } }
        #expect(notified ?? .max < place ?? .min)
    }

    @Test("one's own sharing is told to all of one's sessions, and to nobody else: set, narrowed, and when it ends")
    func sharing() {
        var test = WorldUnderTest.town()
        let until = test.now + 60_000
        let snapshot = WorldUnderTest.group(
            1,
            revision: 2,
            members: [7, 8],
            sharing: [7: Sharing(mode: .approximate, until: until)]
        )
        let set = test.iterate(.groupChanged(snapshot, answer: WorldUnderTest.answer(1)))
        let news = LiveMessage.sharing(GroupID(1), SharingTerms(.approximate, until: until))
        #expect(set.messages(to: 1) == [news] && set.messages(to: 2) == [news])
        #expect(set.messages(to: 3).isEmpty && set.messages(to: 8).isEmpty)
        let change = WorldUnderTest.change(1, of: 7, .paused)
        let narrowed = test.iterate(.sharingNarrowed(change))
        #expect(narrowed.messages(to: 2) == [.sharing(GroupID(1), SharingTerms(.paused))])
        // The same change again is not published.
        #expect(!test.iterate(.sharingNarrowed(change)).story.contains("publish"))
        var again = snapshot
        again.revision = 3
        #expect(test.iterate(.groupChanged(again, answer: nil)).messages(to: 1).isEmpty)
        #expect(test.iterate(.sharingResolved(change)).messages(to: 1) == [news])
        #expect(test.pass(70_000).messages(to: 1) == [.sharing(GroupID(1), SharingTerms(.live))])
    }

    @Test("a welcome says what one lets each group see")
    func welcome() throws {
        var test = WorldUnderTest.town()
        let until = test.now + 60_000
        let sharing = Sharing(mode: .paused, until: until)
        test.iterate(
            .groupChanged(WorldUnderTest.group(1, revision: 2, members: [7, 8], sharing: [7: sharing]), answer: nil)
        )
        func notified(_ session: Int64) -> Sharing? {
            let opened = test.iterate(
                .sessionOpened(WorldUnderTest.opening(session, user: 7, device: session, groups: [1]))
            )
            for case .welcome(_, let welcome) in opened { return welcome.groups?.first?.sharing }
            return nil
        }
        #expect(notified(20)?.mode == .paused)
        #expect(notified(21)?.until == until)
        test.pass(61_000)
        #expect(notified(22)?.mode == .live)
    }
}
