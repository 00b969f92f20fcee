import Testing

@testable import MusterCore

@Suite("Kinds of notifications") struct NotificationKindTests {
    private static func alert(
        _ name: String,
        _ distance: Double,
        variant: LeftWithoutYou.Variant = .gathered
    ) -> NotificationContent {
        NotificationContent(
            kind: "left_without_you",
            group: GroupID(81),
            groupName: name,
            at: Timestamp(milliseconds: 0),
            payload: NotificationPayload(
                [
                    .init("variant", .text(variant.rawValue)), .init("distance", .number(distance)),
                ]
                    + ["from", "user", "place"].map { .init($0, .object([.init("name", .text(name))])) }
                    + ["name", "title", "text"].map { .init($0, .text(name)) }
            )
        )
    }

    @Test(
        "an alert says in a sentence how far away they are",
        arguments: [
            (2140.5, "2.1 km"), (840, "840 m"), (4, "0 m"), (996, "1.0 km"), (13_600, "14 km"), (9_960, "10 km"),
        ]
    )
    func sentence(distance: Double, words: String) {
        let text = NotificationKind.leftWithoutYou.text(of: Self.alert("Sunday climbers", distance))
        #expect(text == "Sunday climbers are together without you, \(words) away")
    }

    @Test("an alert about those who went on says that they left")
    func departed() {
        let text = NotificationKind.leftWithoutYou.text(of: Self.alert("Sunday climbers", 840, variant: .departed))
        #expect(text == "Sunday climbers left without you, 840 m away")
    }

    @Test("a name in a sentence cannot turn the words around it", arguments: ["אבא", "a\u{202E}b"])
    func isolation(name: String) {
        for kind in NotificationKind.table where kind.name != "new_spot" {
            let rest = kind.text(of: Self.alert(name, 10)).replacing("\u{2068}\(name)\u{2069}", with: "")
            #expect(!rest.unicodeScalars.contains { name.unicodeScalars.contains($0) && !$0.isASCII }, "\(kind.name)")
        }
    }

    @Test("no text is longer than a glance has room for")
    func length() {
        let name = String(repeating: "é", count: 200)
        for kind in NotificationKind.table where kind.name != "new_spot" {
            let text = kind.text(of: Self.alert(name, .nan))
            #expect(text.count <= 120 && text.contains("…"), "\(kind.name)")
        }
    }

    @Test("what is told of an event is a sentence with its title, and the time of day there where that is the news")
    func events() {
        func text(_ kind: NotificationKind, changed: [String] = []) -> String {
            kind.text(
                of: NotificationContent(
                    kind: kind.name,
                    at: Timestamp(milliseconds: 0),
                    payload: NotificationPayload([
                        .init("title", .text("Climbing at six")), .init("clock", .text("18:30")),
                        .init("changed", .list(changed.map { .text($0) })),
                    ])
                )
            )
        }
        #expect(text(.eventChanged, changed: ["title", "startsAt"]) == "Climbing at six is now at 18:30")
        #expect(text(.eventChanged, changed: ["lat", "lon"]) == "Climbing at six has changed")
        #expect(text(.eventCancelled) == "Climbing at six is off")
        #expect(text(.eventPlace) == "Climbing at six has a place for you")
        #expect(text(.eventSoon) == "Climbing at six begins at 18:30")
    }

    @Test("what is not stored has its text and actions too, and says where nobody is")
    func live() {
        func content(_ kind: NotificationKind, _ field: String, _ text: String) -> NotificationContent {
            let inner = NotificationPayload.Value.object([.init(field, .text(text))])
            return NotificationContent(
                kind: kind.name,
                at: Timestamp(milliseconds: 0),
                payload: NotificationPayload([.init("spot", inner), .init("from", inner)])
            )
        }
        let spot = NotificationKind.newSpot.text(of: content(.newSpot, "comment", String(repeating: "a", count: 200)))
        #expect(spot == "New near you: " + String(repeating: "a", count: 80))
        #expect(NotificationKind.locate.text(of: content(.locate, "name", "Bo")) == "Bo asks where you are")
        #expect(NotificationKind.table.filter { !$0.isDurable }.map(\.name) == ["new_spot", "locate"])
    }

    @Test("each kind is in the table once, and found by its name")
    func names() {
        let names = NotificationKind.table.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(NotificationKind.named(name)?.name == name) }
        #expect(NotificationKind.named("nothing") == nil)
    }
}
