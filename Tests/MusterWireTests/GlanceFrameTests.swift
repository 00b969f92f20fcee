import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer

@Suite("Glances on the wire") struct GlanceFrameTests {
    private static let at = Timestamp(milliseconds: 1_732_060_800_000)

    private static func encoded(_ glance: Glance) -> String {
        String(decoding: ServerFrame.glance(glance).encoded, as: UTF8.self)
    }

    private static func spot(_ id: Int64, _ comment: String, distance: Double) -> Glance.Spot {
        Glance.Spot(
            SpotText(spot: SpotID(id), comment: comment, likes: 4, dislikes: 0),
            coordinate: Coordinate(latitude: -48.137_154_1, longitude: -171.576_124_7),
            distance: distance
        )
    }

    /// A glance with more elements than fit, with texts that are long in bytes.
    private static func large(_ text: String, groups: Int64 = 100) -> Glance {
        let place = GatheringPlace(lat: -48.137_154_1, lon: -171.576_124_7, name: text)
        return Glance(
            at: self.at,
            groups: (1...groups).map { id in
                let name = "\(id) \(text)"
                guard id > groups - 3 else { return Glance.Group(id: GroupID(.max - id), name: name, of: 250) }
                return Glance.Group(
                    id: GroupID(.max - id),
                    name: name,
                    together: 249,
                    of: 250,
                    place: place,
                    distance: 20_015_087
                )
            },
            spots: (1...10).map { self.spot(.max - $0, text, distance: Double($0) * 400) },
            notifications: (1...5).map { number in
                Glance.Notification(number: 100 - number, kind: "left_without_you", group: GroupID(.max), text: text)
            }
        )
    }

    @Test("a glance is the frame of the protocol")
    func golden() {
        let glance = Glance(
            at: Self.at,
            groups: [
                Glance.Group(
                    id: GroupID(81),
                    name: "Sunday \"climbers\"",
                    together: 3,
                    of: 4,
                    place: GatheringPlace(lat: 48.2, lon: 16.4, name: "Blue Bottle"),
                    distance: 2_140.4
                ),
                Glance.Group(id: GroupID(82), name: "Choir", together: 2, of: 2, you: .in),
            ],
            spots: [Self.spot(501, "Blue Bottle\nquiet", distance: 119.6)],
            notifications: [
                Glance.Notification(number: 12, kind: "left_without_you", group: GroupID(81), text: "Come"),
                Glance.Notification(number: 11, kind: "left_without_you", text: "Come"),
            ]
        )
        #expect(
            Self.encoded(glance) == """
                {"type":"glance","at":1732060800000,"groups":[\
                {"id":"81","name":"Sunday \\"climbers\\"","together":3,"of":4,"you":"out",\
                "place":{"lat":48.2,"lon":16.4,"name":"Blue Bottle"},"distance":2140},\
                {"id":"82","name":"Choir","together":2,"of":2,"you":"in"}],\
                "spots":[{"id":"501","lat":-48.1371541,"lon":-171.5761247,"comment":"Blue Bottle\\nquiet",\
                "likes":4,"dislikes":0,"distance":120}],\
                "notifications":[{"notification":12,"kind":"left_without_you","group":"81","text":"Come"},\
                {"notification":11,"kind":"left_without_you","text":"Come"}]}
                """
        )
    }

    @Test(
        "whatever is in it, a fitted glance is a frame of at most 2 KiB, and its room is not far from that",
        arguments: ["short", String(repeating: "\u{1F3B6}", count: 80), String(repeating: "\"\n", count: 40)]
    )
    func size(_ text: String) {
        let whole = Self.large(text)
        let bytes = ServerFrame.glance(whole).encoded.count
        #expect((bytes...bytes * 5 / 4).contains(whole.room) || text.contains("\n") && whole.room >= bytes)
        let fitted = whole.fitted()
        #expect(ServerFrame.glance(fitted).encoded.count <= 2_048)
        #expect(fitted.room <= 2_048 && fitted.groups.count > 0)
        // Each remaining list is a prefix of the original.
        #expect(fitted.groups.elementsEqual(whole.groups.prefix(fitted.groups.count)))
        #expect(fitted.spots.elementsEqual(whole.spots.prefix(fitted.spots.count)))
        #expect(fitted.notifications.elementsEqual(whole.notifications.prefix(fitted.notifications.count)))
    }

    @Test("of a hundred groups those together stay, and what waits to be seen; spots and quiet groups go")
    func order() {
        let fitted = Self.large("short").fitted()
        #expect(fitted.groups.filter { $0.together > 0 }.count == 3)
        #expect((4..<100).contains(fitted.groups.count))
        #expect(fitted.notifications.count == 5)
        #expect(fitted.spots.isEmpty)
    }

    @Test("what fits is left as it is; of spots the farthest go first")
    func spots() {
        var small = Self.large("short", groups: 3)
        small.spots.removeLast(6)
        #expect(small.fitted() == small)
        let fitted = Self.large("short", groups: 3).fitted()
        #expect(fitted.groups.count == 3 && fitted.notifications.count == 5)
        #expect((1..<10).contains(fitted.spots.count))
        #expect(fitted.spots.first?.distance == 400)
    }
}
