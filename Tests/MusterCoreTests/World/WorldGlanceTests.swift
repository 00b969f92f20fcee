import Testing

@testable import MusterCore

@Suite("Glances in the world") struct WorldGlanceTests {
    private static let here = Coordinate(latitude: 50, longitude: 8)
    private static let watch = SessionID(70)

    private static func place(_ spot: Int64, _ metres: Double) -> NamedPlace {
        let point = self.here.moved(metres, bearing: 0)
        return NamedPlace(spot: SpotID(spot), coordinate: point, name: "Spot \(spot)")
    }

    private static func text(_ spot: Int64, likes: Int = 0) -> SpotText {
        SpotText(spot: SpotID(spot), comment: "Spot \(spot)", likes: likes, dislikes: 0)
    }

    private static func content(_ number: Int64, group: Int64? = nil, at: Timestamp) -> WorldInput {
        let content = NotificationContent(
            kind: "left_without_you",
            group: group.map { GroupID($0) },
            groupName: "as it was called",
            at: at,
            payload: NotificationPayload([.init("distance", .number(2_140))])
        )
        let numbers = [NotificationNumber(user: UserID(7), number: number)]
        return .publicationRequested(Publication(stored: content, numbers: numbers))
    }

    /// Users 7, 8 and 9 of group 1 with a phone each.
    ///
    /// 7 has a position here, and connects a wearable.
    private static func world(_ members: [Int64: [Int64]] = [1: [7, 8, 9]]) -> (test: WorldUnderTest, first: [Glance]) {
        var test = WorldUnderTest()
        for user in [7, 8, 9] as [Int64] { test.open(user, user: user, members: members) }
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: self.here.latitude, lon: self.here.longitude)))
        let first = Self.wear(&test, groups: members.keys.sorted())
        return (test, first)
    }

    @discardableResult
    private static func wear(_ test: inout WorldUnderTest, groups: [Int64] = [1]) -> [Glance] {
        let opening = WorldUnderTest.opening(70, user: 7, device: 79, groups: groups, isWatch: true)
        return test.iterate(.sessionOpened(opening)).glances
    }

    /// Advances time in seconds; storage answers queries for spot texts at once.
    private static func pass(_ test: inout WorldUnderTest, _ seconds: Int, likes: Int = 0) -> [Glance] {
        (0..<seconds).flatMap { _ in
            let effects = test.pass(1_000)
            let asked = effects.askedTexts
            guard !asked.isEmpty else { return effects.glances }
            let texts = asked.map { Self.text($0.rawValue, likes: likes) }
            return effects.glances + test.iterate(.answered(.spotTexts(asked), .spotTexts(texts))).glances
        }
    }

    @Test("who comes back with the glance that it holds is sent the next in its time, when there is something new")
    func resume() throws {
        var (test, first) = Self.world()
        let known = try #require(first.last?.at)
        func comeBack(holding known: Timestamp?) -> WorldInput {
            var opening = WorldUnderTest.opening(70, user: 7, device: 79, groups: [1], isWatch: true)
            opening.knownGlance = known
            return .sessionOpened(opening)
        }
        test.iterate(.sessionClosed(Self.watch))
        #expect(test.iterate(comeBack(holding: known)).glances.isEmpty)
        test.iterate(Self.content(1, group: 1, at: test.now))
        #expect(Self.pass(&test, 8).isEmpty)
        let next = Self.pass(&test, 3)
        #expect(next.count == 1 && next.first?.notifications.map(\.number) == [1])
        test.iterate(.sessionClosed(Self.watch))
        #expect(test.iterate(comeBack(holding: known)).glances.count == 1, "it holds an older one")
        test.iterate(.sessionClosed(Self.watch))
        #expect(test.iterate(comeBack(holding: nil)).glances.count == 1)
    }

    @Test("a watch is sent a glance behind its welcome, in the same turn, and then nothing as long as nothing changes")
    func connect() throws {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8, 9]])
        let opening = WorldUnderTest.opening(70, user: 7, device: 79, groups: [1], isWatch: true)
        let effects = test.iterate(.sessionOpened(opening))
        let welcome = try #require(effects.firstIndex { if case .welcome = $0 { true } else { false } })
        let first = try #require(effects.firstIndex { if case .glance(Self.watch, _) = $0 { true } else { false } })
        #expect(welcome < first)
        let groups = [Glance.Group(id: GroupID(1), name: "group 1", of: 3)]
        #expect(effects.glances == [Glance(at: test.now, groups: groups)])
        #expect(test.pass(600_000).glances.isEmpty)
    }

    @Test("a change comes at the next tick; the next one ten seconds later, with all that has changed meanwhile")
    func rate() {
        var (test, first) = Self.world()
        #expect(first.count == 1)
        #expect(test.pass(10_000).glances.isEmpty)
        test.iterate(Self.content(1, group: 1, at: test.now))
        let second = test.pass(1_000).glances
        #expect(second.map { $0.notifications.map(\.number) } == [[1]])
        #expect(second.first?.notifications.first?.text == "group 1 are together without you, 2.1 km away")
        #expect(second.first?.notifications.first?.group == GroupID(1))
        var notified: [Glance] = []
        for number in 2...40 as ClosedRange<Int64> {
            test.iterate(Self.content(number, at: test.now))
            notified += test.pass(1_000).glances
        }
        notified += test.pass(20_000).glances
        #expect((4...5).contains(notified.count))
        for (last, next) in zip(second + notified, notified) { #expect(next.at - last.at >= 10_000) }
        #expect(notified.last?.notifications.map(\.number) == [40, 39, 38, 37, 36])
        // A notification seen on the phone disappears from the wearable, and vice versa.
        test.iterate(.notificationsSeen(SessionID(7), .upTo(39)))
        #expect(test.pass(10_000).glances.map { $0.notifications.map(\.number) } == [[40]])
        let seen = test.iterate(.notificationsSeen(Self.watch, .numbers([40])))
        #expect(seen.messages(to: 7) == [.seen([40])])
        #expect(test.pass(10_000).glances.map(\.notifications) == [[]])
    }

    @Test("who is together, without the person, where and how far; steps of the way there are told, and noise is not")
    func gathering() throws {
        var (test, _) = Self.world()
        var notified: [Glance] = []
        let place = Self.here.moved(3_000, bearing: 0)
        for sequence in 2...60 as ClosedRange<Int64> {
            let noise = Double(sequence % 3) / 100_000
            test.iterate(
                WorldUnderTest.report(7, test.fix(sequence, lat: Self.here.latitude + noise, lon: Self.here.longitude)),
                WorldUnderTest.report(8, test.fix(sequence, lat: place.latitude + noise, lon: place.longitude)),
                WorldUnderTest.report(9, test.fix(sequence, lat: place.latitude, lon: place.longitude + noise))
            )
            notified += test.pass(10_000).glances
            test.commit()
        }
        let group = try #require(notified.last?.groups.first)
        #expect(group.together == 2 && group.of == 3 && group.you == .out)
        #expect(abs((group.distance ?? 0) - 3_000) < 20)
        #expect(abs((group.place?.lat ?? 0) - place.latitude) < 0.001)
        #expect(group.place?.at == nil)
        #expect(notified.last?.notifications.count == 1)
        // At most two steps: the gathering, and the notification.
        #expect((1...2).contains(notified.count), "\(notified.count) glances of noise")
        // Half the distance at 10 m/s is sent in steps of 10 %.
        var way: [Glance] = []
        for second in 1...150 as ClosedRange<Int64> {
            let at = Self.here.moved(Double(second) * 10, bearing: 0)
            test.iterate(WorldUnderTest.report(7, test.fix(60 + second, lat: at.latitude, lon: at.longitude)))
            way += test.pass(1_000).glances
        }
        #expect((5...9).contains(way.count), "\(way.count) glances of the way")
        #expect(abs((way.last?.groups.first?.distance ?? 0) - 1_500) < 250)
    }

    @Test("a glance says nothing of who hides where they are, nor where anybody is but those together")
    func hidden() throws {
        var (test, _) = Self.world()
        test.iterate(
            .groupChanged(
                WorldUnderTest.group(1, revision: 2, members: [7, 8, 9], sharing: [9: Sharing(mode: .paused)]),
                answer: nil
            )
        )
        var notified: [Glance] = []
        for sequence in 2...60 as ClosedRange<Int64> {
            test.iterate(
                WorldUnderTest.report(8, test.fix(sequence, lat: 50.02, lon: 8)),
                WorldUnderTest.report(9, test.fix(sequence, lat: 50.02, lon: 8))
            )
            notified += test.pass(10_000).glances
        }
        #expect(
            notified.allSatisfy { $0.groups.allSatisfy { $0.together == 0 && $0.place == nil && $0.distance == nil } }
        )
    }

    @Test("the spots near the person, nearest first; the first glance waits for what they say")
    func spots() throws {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        test.iterate(.spots(.added((1...14).map { Self.place($0, Double($0) * 150) } + [Self.place(99, 5_100)])))
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: Self.here.latitude, lon: Self.here.longitude)))
        let opening = WorldUnderTest.opening(70, user: 7, device: 79, groups: [1], isWatch: true)
        let effects = test.iterate(.sessionOpened(opening))
        #expect(effects.glances.isEmpty)
        #expect(effects.askedTexts.map(\.rawValue) == Array(1...10))
        // One spot has been deleted since.
        let texts = effects.askedTexts.dropLast().map { Self.text($0.rawValue) }
        let first = test.iterate(.answered(.spotTexts(effects.askedTexts), .spotTexts(texts))).glances
        #expect(first.map { $0.spots.map(\.text.spot.rawValue) } == [Array(1...9)])
        #expect(abs((first.first?.spots.first?.distance ?? 0) - 150) < 1)
        // Another wearable receives the known state at once.
        let other = WorldUnderTest.opening(71, user: 7, device: 78, groups: [1], isWatch: true)
        #expect(test.iterate(.sessionOpened(other)).askedTexts.isEmpty)
        test.iterate(.sessionClosed(SessionID(71)))
        // A new spot, a deleted spot and votes are sent only to the wearable.
        test.pass(10_000)
        test.iterate(.spots(.added([Self.place(50, 10)])), .spots(.deleted([SpotID(2)])))
        let second = Self.pass(&test, 3)
        #expect(second.map { $0.spots.map(\.text.spot.rawValue) } == [[50, 1] + Array(3...9)])
        let counted = test.iterate(.spots(.voted(SpotID(1), by: nil)))
        #expect(counted.countedSpots == [SpotID(1)])
        test.iterate(.answered(.votes([SpotID(1)]), .votes([SpotVotes(spot: SpotID(1), likes: 3, dislikes: 1)])))
        let third = Self.pass(&test, 12)
        #expect(third.map { $0.spots.first { $0.text.spot == SpotID(1) }?.text.likes } == [3])
        // The state is dropped with the session.
        test.iterate(.sessionClosed(Self.watch))
        #expect(test.world.glances.isEmpty && test.world.glanceSpots.count == 0 && test.world.areas.count == 0)
        #expect(test.iterate(.spots(.voted(SpotID(3), by: nil))).countedSpots.isEmpty)
        test.iterate(.spots(.added([Self.place(51, 10)])))
        #expect(Self.pass(&test, 20).isEmpty)
    }

    @Test("when storage cannot say what spots say, the glance comes without them, and they come when it can")
    func outage() {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        test.iterate(.spots(.added([Self.place(1, 100)])))
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: Self.here.latitude, lon: Self.here.longitude)))
        #expect(Self.wear(&test).isEmpty)
        let first = test.iterate(.answered(.spotTexts([SpotID(1)]), nil)).glances
        #expect(first.map(\.spots.count) == [0] && first.first?.groups.count == 1)
        let second = Self.pass(&test, 30)
        #expect(second.map { $0.spots.map(\.text.spot) } == [[SpotID(1)]])
    }

    @Test("when storage does not answer, the first glance comes all the same, two seconds later")
    func silence() {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        test.iterate(.spots(.added([Self.place(1, 100)])))
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: Self.here.latitude, lon: Self.here.longitude)))
        #expect(Self.wear(&test).isEmpty)
        #expect(test.pass(1_000).glances.isEmpty)
        #expect(test.pass(2_000).glances.map(\.spots.count) == [0])
        test.iterate(.answered(.spotTexts([SpotID(1)]), .spotTexts([Self.text(1)])))
        #expect(test.pass(11_000).glances.map(\.spots.count) == [1])
    }

    @Test("a vote that comes while storage is read is in the end on the wrist")
    func voteMeanwhile() {
        var test = WorldUnderTest()
        test.open(7, user: 7, members: [1: [7, 8]])
        test.iterate(.spots(.added([Self.place(1, 100)])))
        test.iterate(WorldUnderTest.report(7, test.fix(1, lat: Self.here.latitude, lon: Self.here.longitude)))
        test.iterate(.spots(.voted(SpotID(1), by: nil)))
        Self.wear(&test)
        // The texts were read before the vote.
        let effects = test.iterate(.answered(.spotTexts([SpotID(1)]), .spotTexts([Self.text(1)])))
        #expect(effects.countedSpots == [SpotID(1)])
        test.iterate(.answered(.votes([SpotID(1)]), .votes([SpotVotes(spot: SpotID(1), likes: 1, dislikes: 0)])))
        #expect(test.pass(11_000).glances.map { $0.spots.first?.text.likes } == [1])
    }

    @Test("a person who stands still does not even have their watch looked at, and one who walks once in 50 m")
    func cost() {
        var (test, _) = Self.world()
        test.pass(20_000)
        var looks = 0
        for second in 1...400 as ClosedRange<Int64> {
            let metres = second <= 200 ? Double(second % 7) * 5 : Double(second - 200) * 1.5
            let at = Self.here.moved(metres, bearing: 45)
            test.iterate(WorldUnderTest.report(7, test.fix(1 + second, lat: at.latitude, lon: at.longitude)))
            if test.world.glances[Self.watch]?.isMarked == true { looks += 1 }
            if second == 200 { #expect(looks == 0) }
            test.pass(1_000)
        }
        #expect((4...7).contains(looks), "\(looks) looks on a way of 300 m")
    }

    @Test("who joins or leaves a group is noticed; who comes and goes online is not")
    func groups() {
        var (test, _) = Self.world([1: [7, 8, 9]])
        test.pass(10_000)
        test.iterate(.sessionClosed(SessionID(8)))
        #expect(test.pass(60_000).glances.isEmpty)
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 2, members: [7, 8, 9, 10]), answer: nil))
        #expect(test.pass(10_000).glances.map { $0.groups.map(\.of) } == [[4]])
        test.iterate(.groupChanged(WorldUnderTest.group(2, members: [7, 8]), answer: nil))
        #expect(test.pass(10_000).glances.map { $0.groups.map(\.of) } == [[4, 2]])
        test.iterate(.groupChanged(WorldUnderTest.group(1, revision: 3, members: [8, 9, 10]), answer: nil))
        #expect(test.pass(10_000).glances.map { $0.groups.map(\.of) } == [[2]])
    }
}

extension [WorldEffect] {
    /// The glances sent to the wearable of these tests.
    fileprivate var glances: [Glance] {
        self.compactMap { if case .glance(SessionID(70), let glance) = $0 { glance } else { nil } }
    }

    fileprivate var askedTexts: [SpotID] {
        self.flatMap { if case .ask(.spotTexts(let spots)) = $0 { spots } else { [] as [SpotID] } }
    }

    fileprivate var countedSpots: [SpotID] {
        self.flatMap { if case .ask(.votes(let spots)) = $0 { spots } else { [] as [SpotID] } }
    }
}
