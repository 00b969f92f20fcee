import Testing

@testable import MusterCore

@Suite("The time of events") struct EventTimeTests {
    private static let hour: Int64 = 3_600_000

    private static func snapshot(
        _ id: Int64,
        startsAt start: Timestamp,
        revision: Int64 = 1,
        group: Int64? = nil,
        hides: Bool = true,
        guests: [EventGuest] = []
    ) -> EventSnapshot {
        let event = Event(
            id: EventID(id),
            revision: revision,
            host: WorldUnderTest.profile(99),
            group: group.map { GroupID($0) },
            title: "Climbing",
            coordinate: Coordinate(latitude: 50.004, longitude: 8),
            startsAt: start,
            endsAt: start + Self.hour,
            timeZone: "UTC",
            clock: "18:00",
            hidesPlace: hides,
            createdAt: WorldUnderTest.start,
            changedAt: WorldUnderTest.start,
            guests: guests
        )
        return EventSnapshot(event: event, exact: [1], coarse: [0])
    }

    /// The users whose reminders are written to the journal.
    private static func reminded(_ effects: [WorldEffect]) -> [Int64] {
        effects.records.compactMap { record in
            guard case .notification(let notification) = record, notification.content.kind == "event_soon" else {
                return nil
            }
            return notification.user.rawValue
        }
    }

    private static func points(_ effects: [WorldEffect], of layer: TileLayer) -> (put: [Coordinate], gone: [Int64]) {
        var found: (put: [Coordinate], gone: [Int64]) = ([], [])
        for case .clusters(let input) in effects {
            switch input {
            case .put(layer, let points), .narrowed(layer, let points), .opened(layer, let points):
                found.put += points.map(\.coordinate)
            case .removed(layer, let ids): found.gone += ids
            case .moved(layer, let moves):
                found.put += moves.compactMap { $0.point?.coordinate }
                found.gone += moves.filter { $0.point == nil }.map(\.id)
            case _: break
            }
        }
        return found
    }

    @Test("an hour before, the host and those who come are reminded, once, also after a restart in that hour")
    func reminders() {
        var test = WorldUnderTest()
        let start = test.now + 2 * Self.hour
        let early = test.now - 1
        let guests = [
            EventGuest(user: UserID(1), rsvp: .yes, askedAt: early),
            EventGuest(user: UserID(2), rsvp: .maybe, askedAt: early),
            EventGuest(user: UserID(3), rsvp: .yes, askedAt: start - Self.hour + 5_000),
        ]
        test.iterate(.events(.changed([Self.snapshot(1, startsAt: start, guests: guests)])))
        test.now = start - Self.hour - 2_500
        #expect(Self.reminded(test.pass(2_000)) == [])
        let effects = test.pass(2_000)
        #expect(Self.reminded(effects) == [1, 99])
        for case .notification(let notification) in effects.records {
            #expect(notification.content.subject == "event:1:soon:\(start.milliseconds)")
        }
        test.iterate(.events(.changed([Self.snapshot(1, startsAt: start, revision: 2, guests: guests)])))
        #expect(Self.reminded(test.pass(5_000)) == [], "nobody is told twice")

        var again = WorldUnderTest()
        again.now = start - Self.hour / 2
        again.iterate(.events(.changed([Self.snapshot(1, startsAt: start, guests: guests)])))
        #expect(Self.reminded(again.pass(2_000)) == [1, 99], "the subject makes it the same one in storage")
        var late = WorldUnderTest()
        late.now = start + 1
        late.iterate(.events(.changed([Self.snapshot(1, startsAt: start, guests: guests)])))
        #expect(Self.reminded(late.pass(2_000)) == [])
    }

    @Test("on everybody's map an event is from 30 days before until its end, in the middle of its cell when it hides")
    func publicMap() {
        var test = WorldUnderTest()
        let start = test.now + 30 * 86_400_000 + 10_000
        let first = test.iterate(.events(.changed([Self.snapshot(1, startsAt: start)])))
        #expect(Self.points(first, of: .events).put.isEmpty)
        test.now = test.now + 9_000
        #expect(Self.points(test.pass(2_000), of: .events).put == [Coordinate(latitude: 50, longitude: 8)])
        test.now = start + Self.hour - 500
        #expect(Self.points(test.pass(1_000), of: .events).gone == [1])
        #expect(test.world.counters.events == 0)
    }

    @Test("that an event begins to hide its place does not wait for the tick")
    func hiding() {
        var test = WorldUnderTest()
        let start = test.now + Self.hour
        let isUrgent = { (effects: [WorldEffect]) in
            effects.compactMap { effect -> Bool? in
                switch effect {
                case .clusters(.put(.events, _)): false
                case .clusters(.narrowed(.events, _)): true
                case _: nil
                }
            }
        }
        #expect(isUrgent(test.iterate(.events(.changed([Self.snapshot(1, startsAt: start, hides: false)])))) == [false])
        #expect(isUrgent(test.iterate(.events(.changed([Self.snapshot(1, startsAt: start, revision: 2)])))) == [true])
    }

    @Test("a group's map of events is for its members, and there from the first look on")
    func groupMap() throws {
        var test = WorldUnderTest()
        test.open(1, user: 1, members: [5: [1, 2]])
        test.open(3, user: 3)
        test.iterate(.events(.changed([Self.snapshot(1, startsAt: test.now + Self.hour * 2, group: 5)])))
        let layer = try #require(LayerTable.muster.layer(named: "events:5"))
        #expect(layer == .events(of: GroupID(5)))
        #expect(LayerTable.muster.layer(named: "events") == .events)
        func ask(_ session: Int64) -> [WorldEffect] {
            let question = ClusterQuestion.subscribe(TileCover(zoom: 0, west: -180, south: -85, east: 180, north: 85))
            let asker = ClusterRequester.session(SessionID(session), .number(1))
            let request = ClusterRequest(asker: asker, user: UserID(session), layer: layer, question: question)
            return test.iterate(.tilesAsked(request))
        }
        #expect(Self.points(ask(3), of: layer).put.isEmpty)
        #expect(Self.points(ask(1), of: layer).put == [Coordinate(latitude: 50, longitude: 8)])
        let second = test.iterate(.events(.changed([Self.snapshot(2, startsAt: test.now + Self.hour * 2, group: 5)])))
        #expect(Self.points(second, of: layer).put.count == 1)
        #expect(Self.points(test.iterate(.events(.removed([EventID(1)]))), of: layer).gone == [1])
    }
}
