import Testing

@testable import MusterCore

@Suite("The answer to OwnTracks")
struct OwnTracksPlanTests {
    private static let now = Timestamp(milliseconds: 1_793_696_400_000)

    private static func friend(_ user: Int64, isShown: Bool = true, name: String? = nil) -> PhoneView.Friend {
        let coordinate = Coordinate(latitude: 48, longitude: 16)
        return PhoneView.Friend(
            user: UserProfile(id: UserID(user), name: name ?? "user \(user)"),
            position: isShown ? RosterEntry.Position(coordinate: coordinate, at: Self.now - 60_000) : .init()
        )
    }

    private static func alert(_ number: Int64, _ kind: String, age: Int64, from: Int64 = 8) -> NumberedNotification {
        NumberedNotification(
            user: UserID(7),
            number: number,
            content: NotificationContent(
                kind: kind,
                groupName: "Climbers",
                from: UserID(from),
                at: Self.now - age,
                payload: NotificationPayload([
                    .init("from", .object([.init("id", .user(UserID(from))), .init("name", .text("Bo"))]))
                ])
            )
        )
    }

    /// Plans and delivers an answer.
    private static func answer(
        _ view: PhoneView,
        _ memory: inout OwnTracksMemory,
        isAndroid: Bool = true,
        isRepeat: Bool = false,
        lastFix: Fix? = nil
    ) -> [String] {
        memory.begin(isRepeat: isRepeat)
        let messages = OwnTracksPlan(view, memory: &memory, isAndroid: isAndroid, lastFix: lastFix).messages
        memory.note(messages, at: view.at)
        return messages.map { message in
            switch message {
            case .card(let user): "card \(user.id)"
            case .location(let user, _): "location \(user)"
            case .clear(let user): "clear \(user)"
            case .reportLocation: "reportLocation"
            case .transition(let alert): "transition \(alert.number) \(alert.user)"
            }
        }
    }

    @Test("has a friend's card before the position, and again only when it changed or the answer was lost")
    func cards() {
        var memory = OwnTracksMemory()
        let view = PhoneView(friends: [Self.friend(8), Self.friend(9)], at: Self.now)
        let first = ["card 8", "location 8", "card 9", "location 9"]
        #expect(Self.answer(view, &memory) == first)
        #expect(Self.answer(view, &memory, isRepeat: true) == first)
        #expect(Self.answer(view, &memory) == ["location 8", "location 9"])
        let renamed = PhoneView(friends: [Self.friend(8, name: "Bo"), Self.friend(9)], at: Self.now)
        #expect(Self.answer(renamed, &memory) == ["card 8", "location 8", "location 9"])
    }

    @Test("has at most 20 cards; the others come with the next")
    func manyCards() {
        var memory = OwnTracksMemory()
        let view = PhoneView(friends: (8..<58).map { Self.friend($0) }, at: Self.now)
        let counts = (0..<4).map { _ in Self.answer(view, &memory).count { $0.hasPrefix("card") } }
        #expect(counts == [20, 20, 10, 0])
    }

    @Test("takes a friend away once who shares nothing, on Android alone")
    func clears() {
        var memory = OwnTracksMemory()
        let hidden = PhoneView(friends: [Self.friend(8, isShown: false)], at: Self.now)
        #expect(Self.answer(hidden, &memory) == ["clear 8"])
        #expect(Self.answer(hidden, &memory) == [])
        let shown = PhoneView(friends: [Self.friend(8)], at: Self.now)
        #expect(Self.answer(shown, &memory) == ["card 8", "location 8"])
        #expect(Self.answer(hidden, &memory, isAndroid: false) == [])
        #expect(Self.answer(hidden, &memory) == ["clear 8"])
    }

    @Test("asks for a position when somebody waits or the last ping is old, once in ten minutes")
    func requests() {
        var memory = OwnTracksMemory()
        var fix = Fix(sequence: 0, at: Self.now - 600_001, coordinate: Coordinate(latitude: 1, longitude: 1))
        fix.trigger = .ping
        let view = PhoneView(friends: [], at: Self.now)
        #expect(Self.answer(view, &memory, lastFix: fix) == ["reportLocation"])
        #expect(Self.answer(view, &memory, lastFix: fix) == [])
        #expect(Self.answer(PhoneView(friends: [], isAsked: true, at: Self.now + 599_999), &memory) == [])
        #expect(
            Self.answer(PhoneView(friends: [], isAsked: true, at: Self.now + 600_000), &memory) == ["reportLocation"]
        )
        fix.at = Self.now - 600_000
        var other = OwnTracksMemory()
        #expect(Self.answer(view, &other, lastFix: fix) == [])
        fix.trigger = .move
        fix.at = Self.now - 900_000
        #expect(Self.answer(view, &other, lastFix: fix) == [])
    }

    @Test("has unseen alerts of the last half hour once, at a friend whom the phone shows anyway")
    func alerts() {
        var memory = OwnTracksMemory()
        let unseen = [
            Self.alert(1, "wait_for_me", age: 1_800_001), Self.alert(2, "wait_for_me", age: 1_800_000),
            Self.alert(3, "mention", age: 0), Self.alert(4, "wait_for_me", age: 0, from: 9),
        ]
        let view = PhoneView(friends: [Self.friend(8), Self.friend(9, isShown: false)], unseen: unseen, at: Self.now)
        #expect(Self.answer(view, &memory).filter { $0.hasPrefix("transition") } == ["transition 2 8"])
        #expect(Self.answer(view, &memory).filter { $0.hasPrefix("transition") } == [])
        var iOS = OwnTracksMemory()
        #expect(Self.answer(view, &iOS, isAndroid: false).filter { $0.hasPrefix("transition") } == [])
    }

    @Test("tells friends apart by an id in base 36")
    func trackerIDs() {
        #expect(OwnTracksMessage.trackerID(of: UserID(36)) == "10")
        #expect(Int64(OwnTracksMessage.trackerID(of: UserID(734_509_823_450_001)), radix: 36) == 734_509_823_450_001)
    }

    @Test(
        "OwnTracks' reasons have our triggers",
        arguments: [
            ("p", 1, Fix.Trigger.ping), ("u", 2, .manual), ("r", 1, .answer), ("t", 1, .significant), ("", 2, .move),
            ("c", 2, .move), ("v", 1, .significant), ("m", 0, .move), ("C", -1, .move),
        ] as [(String, Int64, Fix.Trigger)]
    )
    func triggers(_ reason: String, mode: Int64, trigger: Fix.Trigger) {
        #expect(Fix.Trigger(ownTracksReason: reason, mode: mode) == trigger)
    }
}
