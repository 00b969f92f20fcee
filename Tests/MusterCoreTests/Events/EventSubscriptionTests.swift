import Testing

@testable import MusterCore

/// A client that subscribes to events, with the state that it received in pushes.
private struct Watcher {
    var known: [EventID: [UInt8]] = [:]
    var more = false

    mutating func apply(_ effects: [WorldEffect], session: Int64) {
        for effect in effects {
            switch effect {
            case .events(.subscribed(SessionID(session), _, _, _, let more)): self.more = more
            case .events(.pushed(SessionID(session), let push)):
                for id in push.gone { self.known[id] = nil }
                for shown in push.put { self.known[shown.event] = shown.json }
                self.more = push.more
            case _: break
            }
        }
    }
}

@Suite("Watching for events") struct EventSubscriptionTests {
    private static let start = WorldUnderTest.start + 3_600_000

    /// An event of host 99.
    ///
    /// Its JSON says whether it is the exact one, and the revision.
    private static func snapshot(
        _ id: Int64,
        at point: Coordinate = Coordinate(latitude: 50, longitude: 8),
        revision: Int64 = 1,
        startsIn: Int64 = 86_400_000,
        group: Int64? = nil,
        isHidden: Bool = false,
        isCancelled: Bool = false,
        guests: [EventGuest] = [],
        category: String? = nil,
        capacity: Int? = nil,
        title: String = "Climbing",
        place: String? = nil
    ) -> EventSnapshot {
        let event = Event(
            id: EventID(id),
            revision: revision,
            host: WorldUnderTest.profile(99),
            group: group.map { GroupID($0) },
            title: title,
            coordinate: point,
            place: place,
            category: category,
            startsAt: Self.start + startsIn,
            endsAt: Self.start + startsIn + 3_600_000,
            timeZone: "UTC",
            clock: "18:00",
            capacity: capacity,
            hidesPlace: isHidden,
            isCancelled: isCancelled,
            createdAt: WorldUnderTest.start,
            changedAt: WorldUnderTest.start,
            guests: guests
        )
        return EventSnapshot(event: event, exact: [1, UInt8(revision % 200)], coarse: [0, UInt8(revision % 200)])
    }

    private static func guest(_ user: Int64, _ rsvp: EventGuest.RSVP) -> EventGuest {
        EventGuest(user: UserID(user), rsvp: rsvp, askedAt: WorldUnderTest.start)
    }

    private static func subscription(_ session: Int64, _ subscription: EventSubscription?) -> WorldInput {
        .events(.subscribed(SessionID(session), .number(1), subscription))
    }

    private static let everywhere = EventSubscription(.area(.box(south: -90, west: -180, north: 90, east: 180)))

    @Test("what appears, changes or vanishes in a watch is told; a new watch is told the difference alone")
    func difference() throws {
        var test = WorldUnderTest()
        test.open(1, user: 1)
        var client = Watcher()
        test.iterate(
            .events(.changed([Self.snapshot(1), Self.snapshot(2, at: Coordinate(latitude: 51, longitude: 8))]))
        )
        let near = EventSubscription(.area(.circle(Coordinate(latitude: 50, longitude: 8), radius: 5_000)))
        client.apply(test.iterate(Self.subscription(1, near)), session: 1)
        #expect(client.known.keys.sorted() == [EventID(1)])
        client.apply(test.iterate(.events(.changed([Self.snapshot(3)]))), session: 1)
        #expect(client.known.keys.sorted() == [EventID(1), EventID(3)])
        client.apply(test.iterate(.events(.changed([Self.snapshot(1, revision: 2)]))), session: 1)
        #expect(client.known[EventID(1)] == [1, 2])
        #expect(test.iterate(.events(.changed([Self.snapshot(1, revision: 2)]))).story.isEmpty, "that is known")
        let effects = test.iterate(Self.subscription(1, Self.everywhere))
        guard case .events(.pushed(_, let push))? = effects.last else { throw Untold() }
        #expect(push.put.map(\.event) == [EventID(2)])
        #expect(push.gone == [])
        client.apply(effects, session: 1)
        client.apply(test.iterate(.events(.changed([Self.snapshot(3, revision: 2, isCancelled: true)]))), session: 1)
        client.apply(test.iterate(.events(.removed([EventID(2)]))), session: 1)
        #expect(client.known.keys.sorted() == [EventID(1)])
        // The event ends.
        test.now = Self.start + 86_400_000 + 3_600_000 - 500
        client.apply(test.pass(1_000), session: 1)
        #expect(client.known.isEmpty)
        test.iterate(Self.subscription(1, nil))
        #expect(test.iterate(.events(.changed([Self.snapshot(4, startsIn: 2 * 86_400_000)]))).story == ["atlas"])
    }

    private struct Untold: Error {}

    @Test("filters: category, words, group, time and places left")
    func filters() {
        var test = WorldUnderTest()
        test.open(1, user: 1, members: [5: [1, 2]])
        test.iterate(
            .events(
                .changed([
                    Self.snapshot(1, category: "sport", title: "Climbing AT six"),
                    Self.snapshot(2, guests: [Self.guest(3, .yes)], capacity: 1),
                    Self.snapshot(3, group: 5, place: "The Wall"), Self.snapshot(4, group: 6),
                    Self.snapshot(5, startsIn: 9_000_000),
                ])
            )
        )
        func found(_ change: (inout EventSubscription) -> Void) -> [Int64] {
            var (subscription, client) = (Self.everywhere, Watcher())
            change(&subscription)
            test.iterate(Self.subscription(1, nil))
            client.apply(test.iterate(Self.subscription(1, subscription)), session: 1)
            return client.known.keys.map(\.rawValue).sorted()
        }
        #expect(found { _ in } == [1, 2, 3, 5], "none of others' groups")
        #expect(found { $0.category = "sport" } == [1])
        #expect(found { $0.words = "at six" } == [1])
        #expect(found { $0.words = "wall" } == [3])
        #expect(found { $0.group = GroupID(5) } == [3])
        #expect(found { $0.group = GroupID(6) } == [])
        #expect(found { $0.isFree = true } == [1, 3, 5])
        #expect(found { $0.until = Self.start + 10_000_000 } == [5])
        #expect(found { $0.since = Self.start + 20_000_000 } == [1, 2, 3])
    }

    @Test("a hidden place is nowhere but in its cell for who may not know it, however small the circle")
    func hidden() throws {
        var test = WorldUnderTest()
        test.open(1, user: 1)
        test.open(2, user: 2)
        test.open(99, user: 99)
        let secret = Coordinate(latitude: 50.004_4, longitude: 8.004_4)
        let event = Self.snapshot(
            1,
            at: secret,
            isHidden: true,
            guests: [Self.guest(2, .yes)],
            place: "Behind the mill"
        )
        test.iterate(.events(.changed([event])))
        func known(_ session: Int64, around center: Coordinate, _ radius: Double, words: String? = nil) -> [UInt8]? {
            var client = Watcher()
            test.iterate(Self.subscription(session, nil))
            let subscription = EventSubscription(.area(.circle(center, radius: radius)), words: words)
            client.apply(test.iterate(Self.subscription(session, subscription)), session: session)
            return client.known[EventID(1)]
        }
        let cell = secret.snappedToGrid
        for radius in stride(from: 500.0, through: 1.0, by: -10) {
            #expect(known(1, around: cell, radius) == [0, 1])
            #expect(known(1, around: secret, min(radius, cell.distance(to: secret) - 1)) == nil)
            #expect(known(2, around: secret, radius) == [1, 1])
            #expect(known(99, around: secret, radius) == [1, 1])
        }
        #expect(known(1, around: cell, 500, words: "mill") == nil)
        #expect(known(2, around: cell, 2_000, words: "mill") == [1, 1])
        // A guest who withdraws is a stranger again, and a change of the event reveals no more.
        let subscription = EventSubscription(.area(.circle(secret, radius: 100)))
        test.iterate(Self.subscription(1, subscription), Self.subscription(2, subscription))
        let effects = test.iterate(
            .events(.changed([Self.snapshot(1, at: secret, revision: 2, isHidden: true, guests: [Self.guest(2, .no)])]))
        )
        var clients = [1: Watcher(), 2: Watcher()]
        clients[2]?.known = [EventID(1): [1, 1]]
        for session in [1, 2] { clients[session]?.apply(effects, session: Int64(session)) }
        #expect(clients[1]?.known.isEmpty == true && clients[2]?.known.isEmpty == true)
        for case .events(.shown(let sessions, let shown)) in effects {
            #expect(shown.json.first == (sessions == [SessionID(99)] ? 1 : 0))
        }
    }

    @Test("whose group it was is told no more of its events, and who joins is told of them; guests see how they stand")
    func groups() {
        var test = WorldUnderTest()
        test.open(1, user: 1, members: [5: [1, 2]])
        test.open(2, user: 2)
        var client = Watcher()
        test.iterate(.events(.changed([Self.snapshot(1, group: 5, guests: [Self.guest(1, .maybe)])])))
        client.apply(test.iterate(Self.subscription(1, Self.everywhere)), session: 1)
        #expect(client.known.count == 1)
        client.apply(
            test.iterate(.groupChanged(WorldUnderTest.group(5, revision: 2, members: [2]), answer: nil)),
            session: 1
        )
        #expect(client.known.isEmpty)
        let guest = Self.snapshot(1, revision: 2, group: 5, guests: [Self.guest(1, .maybe)])
        #expect(
            !test.iterate(.events(.changed([guest]))).contains { if case .events(.shown) = $0 { true } else { false } }
        )
        client.apply(
            test.iterate(.groupChanged(WorldUnderTest.group(5, revision: 3, members: [2, 1]), answer: nil)),
            session: 1
        )
        #expect(client.known.count == 1)
        let waiting = [Self.guest(2, .yes), Self.guest(1, .waiting)]
        let effects = test.iterate(
            .events(.changed([Self.snapshot(1, revision: 3, group: 5, guests: waiting, capacity: 1)]))
        )
        let own = effects.compactMap {
            if case .events(.shown(let to, let shown)) = $0 { (to, shown.rsvpStatus) } else { nil }
        }
        #expect(own.map(\.0) == [[SessionID(1)], [SessionID(2)]])
        #expect(own.map(\.1) == [RSVPStatus(rsvp: .waiting, waitingPlace: 1), RSVPStatus(rsvp: .yes)])
    }

    @Test("who watches around themselves needs a position, and is followed in steps")
    func around() {
        var test = WorldUnderTest()
        test.open(1, user: 1)
        let subscription = Self.subscription(1, EventSubscription(.me(radius: 4_000)))
        #expect(test.iterate(subscription).story == ["refused"])
        test.iterate(WorldUnderTest.report(1, test.fix(1, lat: 50, lon: 8)))
        var client = Watcher()
        let east = Coordinate(latitude: 50, longitude: 8).moved(4_100, bearing: 90)
        test.iterate(.events(.changed([Self.snapshot(1), Self.snapshot(2, at: east)])))
        client.apply(test.iterate(subscription), session: 1)
        #expect(client.known.keys.sorted() == [EventID(1)])
        func walk(_ metres: Double, _ sequence: Int64) {
            test.now = test.now + 60_000
            let place = Coordinate(latitude: 50, longitude: 8).moved(metres, bearing: 90)
            let fix = test.fix(sequence, lat: place.latitude, lon: place.longitude)
            client.apply(test.iterate(WorldUnderTest.report(1, fix)), session: 1)
        }
        walk(150, 2)
        #expect(client.known.keys.sorted() == [EventID(1)], "within the step")
        walk(250, 3)
        #expect(client.known.keys.sorted() == [EventID(1), EventID(2)])
    }

    @Test("the first 200 are sent; while there are more, only those are kept up to date, and gaps are filled")
    func many() {
        var test = WorldUnderTest()
        test.open(1, user: 1)
        var client = Watcher()
        test.iterate(.events(.changed((1...205).map { Self.snapshot($0, startsIn: 86_400_000 + $0) })))
        client.apply(test.iterate(Self.subscription(1, Self.everywhere)), session: 1)
        #expect(client.known.count == 200 && client.more)
        #expect(client.known.keys.max() == EventID(200))
        #expect(test.iterate(.events(.changed([Self.snapshot(300, startsIn: 86_400_000)]))).story == ["atlas"])
        client.apply(test.iterate(.events(.changed([Self.snapshot(7, revision: 2, startsIn: 86_400_007)]))), session: 1)
        #expect(client.known[EventID(7)] == [1, 2])
        client.apply(test.iterate(.events(.removed([EventID(1), EventID(2)]))), session: 1)
        #expect(client.known.count == 200 && client.more)
        #expect(client.known[EventID(300)] != nil && client.known[EventID(201)] != nil)
        client.apply(test.iterate(.events(.removed((3...9).map { EventID($0) }))), session: 1)
        #expect(client.known.count == 197 && !client.more)
        client.apply(test.iterate(.events(.changed((400...405).map { Self.snapshot($0) }))), session: 1)
        #expect(client.known.count == 200 && client.more)
    }

    /// A random point, often where bounding boxes are hard: near the date line and the poles.
    private static func point(_ random: inout SeededGenerator) -> Coordinate {
        let latitude: Double
        switch Int.random(in: 0..<4, using: &random) {
        case 0: latitude = .random(in: 89.9...90, using: &random)
        case 1: latitude = .random(in: -90 ... -89.9, using: &random)
        case _: latitude = .random(in: -0.3...0.3, using: &random)
        }
        let side = Double.random(in: 179.7...180.3, using: &random)
        return Coordinate(latitude: latitude, longitude: side > 180 ? side - 360 : side)
    }

    @Test(
        "every client holds what a look at all events finds, whatever changes",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func bruteForce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var test = WorldUnderTest()
        for user in [1, 2] as [Int64] { test.open(user, user: user, members: [5: [1]]) }
        var clients: [Int64: Watcher] = [1: Watcher(), 2: Watcher()]
        var subscriptions: [Int64: EventSubscription] = [:]
        var events: [Int64: EventSnapshot] = [:]
        var checks = 0
        for step in 1...250 {
            var inputs: [WorldInput] = []
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let session = Int64.random(in: 1...2, using: &random)
                let center = Self.point(&random)
                let area: Area
                if Bool.random(using: &random) {
                    area = .circle(center, radius: .random(in: 500...50_000, using: &random))
                } else {
                    let east = center.longitude + .random(in: 0...1, using: &random)
                    area = .box(
                        south: center.latitude,
                        west: center.longitude,
                        north: min(90, center.latitude + 0.4),
                        east: east > 180 ? east - 360 : east
                    )
                }
                subscriptions[session] = EventSubscription(
                    .area(area),
                    isFree: Int.random(in: 0..<3, using: &random) == 0
                )
                inputs = [Self.subscription(session, subscriptions[session])]
            case 1:
                let id = Int64.random(in: 1...40, using: &random)
                if events.removeValue(forKey: id) != nil { inputs = [.events(.removed([EventID(id)]))] }
            case _:
                let id = Int64.random(in: 1...40, using: &random)
                let rsvps: [EventGuest.RSVP] = [.yes, .no, .waiting]
                let snapshot = Self.snapshot(
                    id,
                    at: Self.point(&random),
                    revision: Int64(step),
                    group: id % 4 == 0 ? 5 : nil,
                    isHidden: id % 3 == 0,
                    isCancelled: Int.random(in: 0..<6, using: &random) == 0,
                    guests: [Self.guest(2, rsvps[Int.random(in: 0..<3, using: &random)])],
                    capacity: 1
                )
                events[id] = snapshot
                inputs = [.events(.changed([snapshot]))]
            }
            let effects = test.iterate(inputs)
            for session in [1, 2] as [Int64] {
                clients[session]?.apply(effects, session: session)
                guard let subscription = subscriptions[session], case .area(let area) = subscription.scope else {
                    continue
                }
                var expected: [EventID: [UInt8]] = [:]
                for snapshot in events.values {
                    let event = snapshot.event
                    let isInside = event.guests.contains { $0.user.rawValue == session && $0.rsvp == .yes }
                    let isCoarse = event.hidesPlace && !isInside
                    let point = isCoarse ? event.coordinate.snappedToGrid : event.coordinate
                    guard !event.isCancelled, event.group == nil || session == 1,
                        area.contains(point, around: area.middle ?? point),
                        !subscription.isFree || !event.guests.contains(where: { $0.rsvp == .yes })
                    else { continue }
                    expected[event.id] = isCoarse ? snapshot.coarse : snapshot.exact
                    checks += 1
                }
                #expect(clients[session]?.known == expected, "seed \(seed), step \(step), session \(session)")
            }
        }
        #expect(checks > 50, "the run covers something")
    }
}
