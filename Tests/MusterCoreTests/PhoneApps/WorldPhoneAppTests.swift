import Testing

@testable import MusterCore

/// A report of user 7's phone, whose fixes have these keys.
private func report(
    _ request: Int64,
    _ fixes: [Fix],
    keys: [Int64],
    stored: StoredReports = StoredReports(),
    acked: Int64 = 0
) -> WorldInput {
    .phoneApps(
        .reported(
            TrackerReport(
                request: SessionID(request),
                arrival: WorldUnderTest.arrival(7, device: 77, groups: [1], acked: acked),
                fixes: fixes,
                keys: keys.map(ReportKey.init),
                stored: stored
            )
        )
    )
}

extension [WorldEffect] {
    /// The fixes that were journaled for trackers, by number, with their keys.
    fileprivate var stored: [Int64: Int64] {
        var stored: [Int64: Int64] = [:]
        for case .journal(_, .trackerFix(let fix, let key)) in self { stored[fix.fix.sequence] = key.rawValue }
        return stored
    }

    /// The answered requests, and whether their fixes are all durable.
    fileprivate var answers: [Int64: Bool] {
        var answers: [Int64: Bool] = [:]
        for case .acknowledged(.request(let request), let answer) in self {
            answers[request.rawValue] = answer.isComplete
        }
        return answers
    }

    fileprivate var view: PhoneView? {
        for case .phoneApps(.viewed(_, let view)) in self { return view }
        return nil
    }
}

@Suite("A phone's own app in the world")
struct WorldPhoneAppTests {
    @Test("fixes are numbered as they arrive, and answered once they are durable")
    func numbers() {
        var test = WorldUnderTest.town()
        // The second fix is older than the first, and of the same second as the third.
        let first = test.now - 1_000
        let fixes = [test.fix(0, lat: 50, at: first), test.fix(0, lat: 50.001, at: first - 60_000)]
        let effects = test.iterate(report(1, fixes, keys: [11, 12]))
        #expect(effects.stored == [1: 11, 2: 12])
        #expect(effects.answers.isEmpty)
        #expect(test.iterate(report(2, [test.fix(0, lat: 50.002, at: first - 60_000)], keys: [13])).stored == [3: 13])
        #expect(test.commit().answers == [1: true, 2: true])
    }

    @Test("a repeated report gets no new number, and its answer waits for the first")
    func repeats() {
        var test = WorldUnderTest.town()
        let fixes = [test.fix(0), test.fix(0, lat: 50.001)]
        test.iterate(report(1, fixes, keys: [11, 12]))
        let again = test.iterate(report(2, fixes + [test.fix(0, lat: 50.002)], keys: [11, 12, 13]))
        #expect(again.stored == [3: 13])
        #expect(again.answers.isEmpty)
        #expect(test.commit().answers == [1: true, 2: true])
        let late = test.iterate(report(3, fixes, keys: [11, 12]))
        #expect(late.stored.isEmpty && late.answers == [3: true])
        // Twins in one report.
        let twins = test.iterate(report(4, [test.fix(0), test.fix(0)], keys: [14, 14]))
        #expect(twins.stored == [4: 14])
    }

    @Test("what storage has counts, also above the acknowledged number")
    func restart() {
        var test = WorldUnderTest.town()
        let stored = StoredReports(highest: 9, numbers: [ReportKey(rawValue: 11): 7, ReportKey(rawValue: 12): 9])
        let fixes = [test.fix(0), test.fix(0, lat: 50.001), test.fix(0, lat: 50.002)]
        let effects = test.iterate(report(1, fixes, keys: [11, 12, 13], stored: stored, acked: 7))
        #expect(effects.stored == [10: 13])
        #expect(test.commit().answers == [1: true])
        let again = test.iterate(report(2, [test.fix(0)], keys: [12], stored: stored, acked: 7))
        #expect(again.stored.isEmpty && again.answers == [2: true])
    }

    @Test("a fix that storage refuses is to be sent again, and nothing else is lost or stored twice")
    func refused() {
        var test = WorldUnderTest.town()
        let fixes = (0..<3).map { test.fix(0, lat: 50 + Double($0) / 1_000) }
        let effects = test.iterate(report(1, fixes, keys: [11, 12, 13]))
        let record: [Int64] = effects.compactMap { effect in
            if case .journal(let number, .trackerFix(_, let key)) = effect, key.rawValue == 12 { number } else { nil }
        }
        #expect(test.commit(failed: record).answers == [1: false])
        // The whole report again, with a newer fix: only the refused one and the newer one are stored.
        let more = fixes + [test.fix(0, lat: 50.003)]
        #expect(test.iterate(report(2, more, keys: [11, 12, 13, 14])).stored == [2: 12, 4: 14])
        #expect(test.commit().answers == [2: true])
    }

    @Test("a clock 20 hours ahead that is put back loses no fix")
    func clockAhead() {
        var test = WorldUnderTest.town()
        var stored = 0
        for step in 0..<120 as Range<Int64> {
            test.pass(60_000)
            let error: Int64 = step < 60 ? 20 * 3_600_000 : 0
            let fix = test.fix(0, lat: 50 + Double(step) / 10_000, at: test.now + error)
            stored += test.iterate(report(step, [fix], keys: [step])).stored.count
            #expect(test.commit().answers[step] == true)
        }
        #expect(stored == 120)
    }

    @Test("a fix with an impossible time gets no number")
    func junk() {
        var test = WorldUnderTest.town()
        let effects = test.iterate(
            report(1, [test.fix(0, at: Timestamp(milliseconds: 5)), test.fix(0, lat: 50.001)], keys: [1, 2])
        )
        #expect(effects.stored == [1: 2])
        #expect(effects.story.contains("badFix"))
        #expect(test.commit().answers == [1: true])
    }

    @Test("a tracker counts as reachable for 45 minutes after a report, and for its sign of life")
    func presence() {
        var test = WorldUnderTest()
        test.open(8, user: 8, members: [1: [7, 8]])
        test.iterate(report(1, [], keys: []))
        #expect(test.presence(of: 7) == .away)
        test.pass(44 * 60_000)
        #expect(test.presence(of: 7) == .away)
        test.pass(2 * 60_000)
        #expect(test.presence(of: 7) == .offline)
    }

    @Test("the newest open locate request is answered by a fix that says so, and reaches closed apps for five minutes")
    func locate() {
        var test = WorldUnderTest()
        test.open(8, user: 8, members: [1: [7, 8]])
        test.iterate(report(1, [test.fix(0)], keys: [1]))
        let ask = WorldInput.locateRequested(SessionID(8), .number(3), group: GroupID(1), user: UserID(7), others: 2)
        let started = test.iterate(ask)
        for case .locate(.started(_, _, _, let devices, let expiresAt)) in started {
            #expect(devices == 2 && expiresAt == test.now + 300_000)
        }
        #expect(started.story.first == "locateStarted")
        #expect(!test.pass(200_000).story.contains("locateExpired"))
        func view(blocked: [UserID] = []) -> WorldInput {
            let request = PhoneViewRequest(number: 1, user: UserID(7), groups: [GroupID(1)], blocked: blocked)
            return .phoneApps(.viewRequested(request))
        }
        #expect(test.iterate(view()).view?.isAsked == true)
        #expect(test.iterate(view(blocked: [UserID(8)])).view?.isAsked == false)
        var fix = test.fix(0, lat: 50.01)
        fix.trigger = .answer
        #expect(test.iterate(report(2, [fix], keys: [2])).story.contains("located"))
        #expect(test.iterate(view()).view?.isAsked == false)
        #expect(!test.pass(200_000).story.contains("locateExpired"))
    }

    @Test("a view shows each friend once, as the group that may see most")
    func views() {
        var test = WorldUnderTest()
        test.open(8, user: 8)
        test.open(9, user: 9)
        test.iterate(
            .groupLoaded(WorldUnderTest.group(1, members: [7, 8, 9], sharing: [8: Sharing(mode: .approximate)])),
            .groupLoaded(WorldUnderTest.group(2, members: [7, 8], sharing: [8: Sharing(mode: .live)])),
            .groupLoaded(WorldUnderTest.group(3, members: [8, 9]))
        )
        test.iterate(report(1, [test.fix(0)], keys: [1]))
        test.iterate(WorldUnderTest.report(8, test.fix(1, lat: 50.1234)), WorldUnderTest.report(9, test.fix(1)))
        func view(_ groups: [Int64]) -> PhoneView? {
            let request = PhoneViewRequest(number: 1, user: UserID(7), groups: groups.map { GroupID($0) }, blocked: [])
            return test.iterate(.phoneApps(.viewRequested(request))).view
        }
        #expect(view([1, 2])?.friends.map(\.user.id.rawValue) == [8, 9])
        #expect(view([1, 2])?.friends.first?.position.coordinate?.latitude == 50.1234)
        #expect(view([1])?.friends.first?.position.coordinate?.latitude == 50.12)
        // A group that the user is not in shows nothing, whoever asks for it.
        #expect(view([3])?.friends.isEmpty == true)
    }
}
