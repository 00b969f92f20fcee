import Testing

@testable import MusterCore

/// The table at the top of `Glance+Noticing.swift`, line by line, and changes just below each of its thresholds.
@Suite("What a person notices on their wrist") struct GlanceNoticingTests {
    private static let here = Coordinate(latitude: 48, longitude: 11)

    private static func place(_ metres: Double = 0, _ name: String? = "Blue Bottle") -> GatheringPlace {
        let point = self.here.moved(metres, bearing: 90)
        return GatheringPlace(lat: point.latitude, lon: point.longitude, name: name)
    }

    private static func spot(_ id: Int64, likes: Int = 30, distance: Double = 1_200) -> Glance.Spot {
        let text = SpotText(spot: SpotID(id), comment: "Spot \(id)", likes: likes, dislikes: 0)
        return Glance.Spot(text, coordinate: self.here, distance: distance)
    }

    private static var glance: Glance {
        Glance(
            at: Timestamp(milliseconds: 1_750_000_000_000),
            groups: [
                Glance.Group(id: GroupID(1), name: "Choir", together: 3, of: 5, place: self.place(), distance: 2_000),
                Glance.Group(id: GroupID(2), name: "Flat 12", of: 2),
            ],
            spots: [self.spot(1), self.spot(2)],
            notifications: [Glance.Notification(number: 7, kind: "left_without_you", text: "…")]
        )
    }

    /// A change of a glance, with a description for the test's name.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout Glance) -> Void

        init(_ description: String, _ apply: @escaping @Sendable (inout Glance) -> Void) {
            self.testDescription = description
            self.apply = apply
        }
    }

    static let steps = [
        Change("a group comes") { $0.groups.append(Glance.Group(id: GroupID(3), name: "New", of: 1)) },
        Change("a group goes") { $0.groups.removeLast() },
        Change("one group comes for another") { $0.groups[1].id = GroupID(9) },
        Change("a group is called otherwise") { $0.groups[1].name = "Flat 14" },
        Change("one more is together") { $0.groups[0].together = 4 },
        Change("there is one more member") { $0.groups[1].of = 3 },
        Change("one is in") { $0.groups[0].you = .in },
        Change("the place goes") { $0.groups[0].place = nil },
        Change("the place is called otherwise") { $0.groups[0].place = Self.place(0, "Bar") },
        Change("the place has no name any more") { $0.groups[0].place = Self.place(0, nil) },
        Change("the place is 101 m away from where it was") { $0.groups[0].place = Self.place(101) },
        Change("a distance grows by more than 10 %") { $0.groups[0].distance = 2_250 },
        Change("a distance shrinks by 10 %") { $0.groups[0].distance = 1_800 },
        Change("nobody knows any more how far it is") { $0.groups[0].distance = nil },
        Change("a spot comes") { $0.spots.append(Self.spot(3)) },
        Change("a spot goes") { $0.spots.removeFirst() },
        Change("one spot comes for another") { $0.spots[1] = Self.spot(3) },
        Change("a spot is nearer by a step") { $0.spots[0].distance = 1_080 },
        Change("likes grow by a tenth") { $0.spots[0].text.likes = 33 },
        Change("likes fall by a tenth") { $0.spots[0].text.likes = 27 },
        Change("the first dislike") { $0.spots[0].text.dislikes = 1 },
        Change("a notification comes") {
            $0.notifications.insert(Glance.Notification(number: 8, kind: "left_without_you", text: "…"), at: 0)
        },
        Change("a notification goes") { $0.notifications = [] },
    ]

    static let small = [
        Change("nothing") { _ in },
        Change("time passes") { $0.at = $0.at + 3_600_000 },
        Change("the place moves by 99 m") { $0.groups[0].place = Self.place(99) },
        Change("a distance changes by less than 10 %") { $0.groups[0].distance = 2_199 },
        Change("spots change places") { $0.spots.swapAt(0, 1) },
        Change("groups change places") { $0.groups.swapAt(0, 1) },
        Change("a spot is nearer by 99 m") { $0.spots[0].distance = 1_101 },
        Change("likes change by less than a tenth") { $0.spots[0].text.likes = 32 },
    ]

    @Test("a step is noticed, there and back", arguments: Self.steps)
    func step(_ change: Change) {
        var glance = Self.glance
        change.apply(&glance)
        #expect(glance.isNoticeable(from: Self.glance))
        #expect(Self.glance.isNoticeable(from: glance))
    }

    @Test("noise is not noticed", arguments: Self.small)
    func noise(_ change: Change) {
        var glance = Self.glance
        change.apply(&glance)
        #expect(!glance.isNoticeable(from: Self.glance))
    }

    @Test("the first glance is noticed, also when nothing is in it")
    func first() { #expect(Glance(at: Timestamp(milliseconds: 0)).isNoticeable(from: nil)) }

    @Test("near by, 100 m are a step and 10 % are none")
    func near() {
        var last = Self.glance
        last.groups[0].distance = 150
        var glance = last
        glance.groups[0].distance = 249
        #expect(!glance.isNoticeable(from: last))
        glance.groups[0].distance = 250
        #expect(glance.isNoticeable(from: last))
    }

    @Test("groups that are together come first, and of them those without the person")
    func order() {
        let groups = [
            Glance.Group(id: GroupID(1), name: "quiet", of: 2),
            Glance.Group(id: GroupID(2), name: "with me", together: 2, of: 2, you: .in),
            Glance.Group(id: GroupID(3), name: "without me", together: 2, of: 3),
        ]
        #expect(Glance(at: Timestamp(milliseconds: 0), groups: groups).groups.map(\.id.rawValue) == [3, 2, 1])
    }
}
