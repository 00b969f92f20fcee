import Testing

@testable import MusterCore

@Suite struct WorldFixTests {
    private static func request(_ id: Int64, user: Int64 = 7, _ fixes: Fix...) -> WorldInput {
        let arrival = WorldUnderTest.arrival(user)
        return .fixesReceived(FixReport(origin: .request(SessionID(id)), arrival: arrival, fixes: fixes))
    }

    @Test("a fix is acknowledged after its commit, once a commit, up to the highest that is durable")
    func afterCommit() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        #expect(test.iterate(WorldUnderTest.report(1, test.fix(1), test.fix(2))).acknowledgements.isEmpty)
        let before = test.lastRecord
        test.now = test.now + 2_000
        test.iterate(WorldUnderTest.report(1, test.fix(3)))
        #expect(
            test.iterate(.committed(through: before, failed: [])).acknowledgements == [Acknowledgement(sequence: 2)]
        )
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 3)])
        #expect(test.commit().acknowledgements.isEmpty)
    }

    @Test("a fix finds its own person, device and group when others are where they were, and so does its commit")
    func othersForgotten() {
        var test = WorldUnderTest()
        for user in Int64(1)...4 { test.open(user, user: user, members: [user: [user]]) }
        for user in Int64(1)...4 {
            test.iterate(WorldUnderTest.report(user, test.fix(1, lat: 50 + Double(user))))
        }
        test.iterate(.sessionClosed(SessionID(1)))
        // All records of the user who left are durable; those of the last one are not.
        test.pass(50_000)
        test.commit()
        test.iterate(WorldUnderTest.report(4, test.fix(2, lat: 54.4)))
        #expect(Self.slots(of: 4, in: test.world) == [3, 3, 3])
        test.pass(2_400_000)
        #expect(test.world.counters.users == 3)
        test.open(5, user: 5, members: [5: [5]])
        // The last entry moved to the slot of the first, and the new one to the slot of the last, where the fix above
        // was stored.
        #expect(Self.slots(of: 4, in: test.world) == [0, 0, 0])
        #expect(Self.slots(of: 5, in: test.world) == [3, 3, 3])
        #expect(test.commit().acknowledged == [.session(SessionID(4)): 2])
        test.iterate(WorldUnderTest.report(4, test.fix(3, lat: 54.5)))
        #expect(test.position(of: 4, in: 4)?.coordinate?.latitude == 54.5)
        #expect(test.position(of: 5, in: 5)?.coordinate == nil)
        #expect(test.commit().acknowledged == [.session(SessionID(4)): 3])
    }

    /// The slots of a user, their first device and the group of the same number.
    private static func slots(of user: Int64, in world: World) -> [Int?] {
        [
            world.users.slot(of: UserID(user)), world.devices.slot(of: DeviceID(user * 10)),
            world.groups.slot(of: GroupID(user)),
        ]
    }

    @Test("a batch of nothing but repetitions is answered: at once when durable, else when what it repeats is")
    func duplicates() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        test.iterate(WorldUnderTest.report(1, test.fix(1), test.fix(2)))
        let waiting = test.iterate(WorldUnderTest.report(1, test.fix(2)))
        #expect(waiting.acknowledgements.isEmpty)
        let rejected = [Acknowledgement.Rejection(sequence: 2, verdict: .duplicate)]
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 2, rejected: rejected)])
        let again = test.iterate(WorldUnderTest.report(1, test.fix(2)))
        #expect(again.acknowledgements == [Acknowledgement(sequence: 2, rejected: rejected)])
        #expect(again.records.isEmpty)
    }

    @Test("a fix without details that cannot be right is acknowledged with their names, to a session and to a request")
    func reduced() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        var poor = test.fix(2)
        poor.dropped = [.battery, .speed]
        let reduced = [Acknowledgement.Reduction(sequence: 2, dropped: poor.dropped)]
        test.iterate(WorldUnderTest.report(1, test.fix(1), poor, test.fix(3)))
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 3, reduced: reduced)])
        #expect(test.iterate(WorldUnderTest.report(1, test.fix(4))).acknowledgements.isEmpty)
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 4)])
        poor.sequence = 5
        test.iterate(Self.request(6, poor))
        let answer = Acknowledgement(sequence: 5, reduced: [.init(sequence: 5, dropped: poor.dropped)])
        #expect(test.commit().acknowledgements == [answer])
    }

    @Test("a malformed fix is answered as such, and acknowledged with what came before it")
    func malformed() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        let old = test.fix(2, at: Timestamp(milliseconds: 0))
        let effects = test.iterate(WorldUnderTest.report(1, test.fix(1), old))
        #expect(effects.story == ["badFix"])
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 2)])
        let alone = test.iterate(WorldUnderTest.report(1, test.fix(3, at: Timestamp(milliseconds: 0))))
        #expect(alone.acknowledgements == [Acknowledgement(sequence: 3)])
    }

    @Test(
        "a record that storage refuses holds acknowledgements before it until the fix comes again; none is written twice"
    )
    func failedRecord() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        let iterate = test.iterate(WorldUnderTest.report(1, test.fix(1), test.fix(2), test.fix(3)))
        var numbers: [Int64: Int64] = [:]
        for case .journal(let number, .fix(let record)) in iterate { numbers[record.fix.sequence] = number }
        let failed = numbers[2].map { [$0] } ?? []
        #expect(test.commit(failed: failed).acknowledgements == [Acknowledgement(sequence: 1)])
        #expect(test.pass(6_000).resends == [1])
        let resent = test.iterate(WorldUnderTest.report(1, test.fix(2), test.fix(3), test.fix(4)))
        #expect(resent.sequences == [2, 4])
        #expect(test.commit().acknowledgements.last?.sequence == 4)
    }

    @Test("a repetition that waited for a record that storage refused does not stand in for the fix")
    func failedWithRepetition() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        var numbers: [Int64] = []
        let iterate = test.iterate(WorldUnderTest.report(1, test.fix(1)), WorldUnderTest.report(1, test.fix(1)))
        for case .journal(let number, .fix) in iterate { numbers.append(number) }
        #expect(numbers.count == 1)
        #expect(test.commit(failed: numbers).acknowledgements.isEmpty)
        #expect(test.iterate(WorldUnderTest.report(1, test.fix(1))).sequences == [1])
        #expect(test.commit().acknowledgements.last?.sequence == 1)
        #expect(test.world.devices.value(of: DeviceID(70))?.tracker.pendingCount == 0)
    }

    @Test("repetitions that storage cannot confirm for long do not pile up")
    func boundedRepetitions() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        for _ in 0..<1_100 { test.iterate(WorldUnderTest.report(1, test.fix(1))) }
        #expect((test.world.devices.value(of: DeviceID(70))?.tracker.pendingCount ?? 0) <= 1_025)
        #expect(test.commit().acknowledgements.last?.sequence == 1)
        #expect(test.world.devices.value(of: DeviceID(70))?.tracker.pendingCount == 0)
    }

    @Test("with a full journal live presence goes on, and what found no room is asked for and stored once")
    func journalFull() {
        var test = WorldUnderTest { $0.journalLimit = 6 }
        test.open(1, user: 7, members: [1: [7, 8]])
        test.commit()
        var stored: [Int64] = []
        for sequence in 1...20 {
            test.now = test.now + 2_000
            let fix = test.fix(Int64(sequence), lat: 50 + Double(sequence) / 10_000)
            let effects = test.iterate(WorldUnderTest.report(1, fix))
            stored += effects.sequences
            #expect(effects.changes.last?.members.last?.position?.coordinate == fix.coordinate)
        }
        #expect(stored.count < 7 && stored == Array(1...Int64(stored.count)))
        let last = stored.last ?? 0
        let effects = test.commit()
        #expect(effects.acknowledgements == [Acknowledgement(sequence: last)])
        #expect(effects.resends == [last])
        // A fix that was in transit when the gap was reported must not be acknowledged past the gap.
        #expect(test.iterate(WorldUnderTest.report(1, test.fix(21))).sequences.isEmpty)
        for sequence in (last + 1)...21 {
            stored += test.iterate(WorldUnderTest.report(1, test.fix(sequence))).sequences
            test.commit()
        }
        #expect(stored == Array(1...21))
        #expect(test.world.counters.pendingAcks == 0)
    }

    @Test("a report by HTTP gets one acknowledgement, when all of its fixes are decided; an empty one at once")
    func http() {
        var test = WorldUnderTest()
        #expect(test.iterate(Self.request(5)).acknowledgements == [Acknowledgement(sequence: 0)])
        let bad = test.iterate(Self.request(6, test.fix(1, at: Timestamp(milliseconds: 0))))
        #expect(bad.story == ["badFix", "acknowledged"])
        let good = test.iterate(Self.request(7, test.fix(2), test.fix(3)))
        #expect(good.story.isEmpty)
        let effects = test.commit()
        #expect(effects.acknowledgements == [Acknowledgement(sequence: 3)])
        guard case .acknowledged(.request(SessionID(7)), _)? = effects.first else {
            Issue.record("the request is answered, and nobody else")
            return
        }
    }

    @Test("a session's acknowledgement does not list what the same device reported by HTTP")
    func mixed() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        test.iterate(Self.request(5, test.fix(1)), WorldUnderTest.report(1, test.fix(2)))
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 2), Acknowledgement(sequence: 2)])
    }

    @Test("positions are written at most once a second a person, and the last one always is")
    func positionWrites() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        var written: [Double] = []
        for sequence in 1...20 {
            test.now = test.now + 100
            let lat = 50 + Double(sequence) / 100_000
            written += test.iterate(WorldUnderTest.report(1, test.fix(Int64(sequence), lat: lat))).latitudes
        }
        #expect(written.count == 2)
        #expect(test.pass(2_000).latitudes == [50.0002])
        #expect(test.pass(5_000).latitudes.isEmpty)
    }

    @Test("positions are written less often while thousands of records wait, and the last one always is")
    func positionWritesUnderLoad() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        var written: [Double] = []
        // 1,000 fixes a second of one user, none of which is committed.
        for sequence in 1...15_500 {
            if sequence.isMultiple(of: 100) { test.now = test.now + 100 }
            let lat = 50 + Double(sequence) / 10_000_000
            written += test.iterate(WorldUnderTest.report(1, test.fix(Int64(sequence), lat: lat))).latitudes
        }
        #expect((4...6).contains(written.count), "fifteen seconds, and at most five between two writes")
        test.commit()
        #expect(test.pass(5_000).latitudes == [50.00155])
    }

    @Test("positions are written less often while commits are large, however little waits just after one")
    func positionWritesUnderLargeCommits() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        var written: [Double] = []
        for second in 0..<8 {
            for step in 1...2_000 {
                if step.isMultiple(of: 200) { test.now = test.now + 100 }
                let sequence = second * 2_000 + step
                let lat = 50 + Double(sequence) / 10_000_000
                written += test.iterate(WorldUnderTest.report(1, test.fix(Int64(sequence), lat: lat))).latitudes
            }
            test.commit()
        }
        #expect((2...3).contains(written.count), "the first, one a second or so later, and one after five more")
        #expect(test.pass(5_000).latitudes == [50.0016])
    }

    @Test("a teleport is not shown until the next fix confirms it; then its stored verdict is rewritten")
    func teleport() {
        var test = WorldUnderTest()
        test.open(1, user: 7, members: [1: [7, 8]])
        test.iterate(WorldUnderTest.report(1, test.fix(1)))
        test.now = test.now + 10_000
        let jump = test.fix(2, lat: 50.5)
        let pendingFix = test.iterate(WorldUnderTest.report(1, jump))
        #expect(pendingFix.changes.isEmpty)
        let rejected = [Acknowledgement.Rejection(sequence: 2, verdict: .implausible)]
        #expect(test.commit().acknowledgements == [Acknowledgement(sequence: 2, rejected: rejected)])
        test.now = test.now + 10_000
        let confirmed = test.iterate(WorldUnderTest.report(1, test.fix(3, lat: 50.5001)))
        let rewritten = confirmed.records.filter { if case .verdict = $0 { true } else { false } }
        #expect(rewritten == [.verdict(DeviceID(70), sequence: 2, at: jump.at ?? test.now, .ok)])
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.5001)
    }

    @Test("the phone at the cafe leads, the browser at home does not; the browser does when the phone is silent")
    func leadingDevice() {
        var test = WorldUnderTest()
        test.open(1, user: 7, device: 70, members: [1: [7, 8]])
        test.iterate(WorldUnderTest.report(1, test.fix(1)))
        for sequence in 2...20 {
            test.now = test.now + 10_000
            test.iterate(WorldUnderTest.report(1, test.fix(Int64(sequence), lat: 50 + Double(sequence - 1) / 2_000)))
        }
        test.open(2, user: 7, device: 71)
        let browser = test.iterate(WorldUnderTest.report(2, test.fix(1)))
        #expect(browser.changes.isEmpty)
        let rejected = [Acknowledgement.Rejection(sequence: 1, verdict: .secondary)]
        #expect(test.commit().acknowledgements.contains(Acknowledgement(sequence: 1, rejected: rejected)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50.0095)
        test.now = test.now + 46 * 60_000
        test.iterate(WorldUnderTest.report(2, test.fix(2)))
        #expect(test.position(of: 7)?.coordinate?.latitude == 50)
    }

    @Test("a person's other sessions see the exact position whatever is shared, the reporting one does not")
    func selfPosition() {
        var test = WorldUnderTest()
        test.open(1, user: 7, device: 70)
        test.open(2, user: 7, device: 71)
        var effects = test.iterate(WorldUnderTest.report(1, test.fix(1)))
        test.now = test.now + 300
        effects += test.iterate(WorldUnderTest.report(1, test.fix(2, lat: 50.0001)))
        #expect(effects.story == ["self"])
        effects = test.pass(3_000)
        #expect(effects.story == ["self"])
        guard case .selfMoved(let session, let position)? = effects.first(where: { $0.isSelf }) else {
            Issue.record("no self")
            return
        }
        #expect(session == SessionID(2) && position.coordinate.latitude == 50.0001)
    }

    @Test("what is known of a phone's clock is stored with its fixes, and believed when it comes back from storage")
    func clockOffset() {
        var test = WorldUnderTest()
        test.open(1, user: 7)
        var offsets: [Int32?] = []
        for number: Int64 in 1...4 {
            test.now = test.now + 10_000
            let fix = test.fix(number, at: test.now - 90_000)
            for case .fix(let record) in test.iterate(WorldUnderTest.report(1, fix)).records {
                offsets.append(record.clockOffset)
            }
        }
        #expect(offsets == [0, 0, 90_000, 90_000])

        var restarted = WorldUnderTest()
        var arrival = WorldUnderTest.arrival(7, acked: 4)
        arrival.clockOffset = 90_000
        let fix = restarted.fix(5, at: restarted.now - 90_000)
        let report = FixReport(origin: .request(SessionID(1)), arrival: arrival, fixes: [fix])
        let times = restarted.iterate(.fixesReceived(report)).records.compactMap {
            if case .fix(let record) = $0 { record.fix.at } else { nil }
        }
        #expect(times == [restarted.now])
    }
}

extension [WorldEffect] {
    /// The numbers of the written fixes.
    fileprivate var sequences: [Int64] {
        self.records.compactMap { if case .fix(let record) = $0 { record.fix.sequence } else { nil } }
    }
    /// The highest acknowledged number of each origin.
    fileprivate var acknowledged: [FixReport.Origin: Int64] {
        var acknowledged: [FixReport.Origin: Int64] = [:]
        for case .acknowledged(let origin, let value) in self { acknowledged[origin] = value.sequence }
        return acknowledged
    }
    /// The latitudes of the written positions.
    fileprivate var latitudes: [Double] {
        self.records.compactMap {
            if case .position(_, let position, _) = $0 { position.fix.coordinate.latitude } else { nil }
        }
    }
}

extension WorldEffect {
    fileprivate var isSelf: Bool { if case .selfMoved = self { true } else { false } }
}
