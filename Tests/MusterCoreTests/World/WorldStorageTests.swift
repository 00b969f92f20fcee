import Testing

@testable import MusterCore

/// A question to storage, with what becomes of each outcome.
struct QuestionStory: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Creates a world that asks the question in its last batch.
    let ask: @Sendable () -> WorldUnderTest
    let answer: StorageAnswer
    /// The effects of the answer.
    let answered: [String]
    /// The effects of a failure.
    let failed: [String]
    /// Whether the question is asked again within ten seconds after a failure.
    var isRepeated = false
    /// Removes what the question is about.
    let end: WorldInput
}

@Suite("Questions of the world to storage") struct WorldStorageTests {
    private static let here = Coordinate(latitude: 50, longitude: 8)
    private static let end = WorldInput.sessionClosed(SessionID(7))

    private static let stories: [QuestionStory] = [
        QuestionStory(
            testDescription: "a group",
            ask: { Self.asking(.sessionOpened(WorldUnderTest.opening(7, user: 7, groups: [1]))) },
            answer: .group(WorldUnderTest.group(1, members: [7, 8])),
            answered: ["welcome", "subscribe"],
            failed: ["close"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "a group that does not exist",
            ask: { Self.asking(.sessionOpened(WorldUnderTest.opening(7, user: 7, groups: [1]))) },
            answer: .group(nil),
            answered: ["close"],
            failed: ["close"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "ended logins",
            ask: { Self.asking(.loginsSuspected, in: Self.town()) },
            answer: .ended(logins: [LoginID(7)], users: []),
            answered: ["close"],
            failed: ["ask"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "notifications",
            ask: {
                Self.asking(
                    .notificationsGiven([NotificationNumber(user: UserID(7), number: 1)]),
                    in: Self.town()
                )
            },
            answer: .inbox([Self.notification], upTo: 1),
            answered: ["notify"],
            failed: [],
            isRepeated: true,
            end: Self.end
        ),
        QuestionStory(
            testDescription: "missed spots",
            ask: {
                Self.asking(
                    .spots(.subscribed(SessionID(7), SpotSubscription(.all, after: SpotID(1)))),
                    in: Self.town()
                )
            },
            answer: .missedSpots([SpotSnapshot(spot: SpotID(2), coordinate: Self.here, frame: [1])]),
            answered: ["publishNear"],
            failed: [],
            isRepeated: true,
            end: Self.end
        ),
        QuestionStory(
            testDescription: "votes",
            ask: {
                var test = Self.town()
                test.iterate(.spots(.sent(SessionID(7), [SpotID(5)])))
                return Self.asking(.spots(.voted(SpotID(5), by: nil)), in: test)
            },
            answer: .votes([SpotVotes(spot: SpotID(5), likes: 1, dislikes: 0)]),
            answered: ["publish"],
            failed: [],
            isRepeated: true,
            end: Self.end
        ),
        QuestionStory(
            testDescription: "spot texts",
            ask: {
                var test = Self.town()
                test.iterate(.spots(.added([NamedPlace(spot: SpotID(5), coordinate: Self.here, name: "Café")])))
                test.iterate(WorldUnderTest.report(8, test.fix(1, lat: 50, lon: 8)))
                let watch = WorldUnderTest.opening(7, user: 8, device: 79, groups: [1], isWatch: true)
                return Self.asking(.sessionClosed(SessionID(7)), .sessionOpened(watch), in: test)
            },
            answer: .spotTexts([SpotText(spot: SpotID(5), comment: "Café", likes: 1, dislikes: 0)]),
            answered: ["glance"],
            failed: ["glance"],
            isRepeated: true,
            end: Self.end
        ),
        QuestionStory(
            testDescription: "rooms",
            ask: { Self.asking(.sessionOpened(Self.chatOpening), in: Self.town(closing: true)) },
            answer: .rooms(RoomsRead(rooms: [Self.view(RoomID(1))], changes: [])),
            answered: ["rooms", "follow"],
            failed: ["close"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "changes of a room",
            ask: { Self.asking(.chat(.advanced([Self.advance(RoomID(1), 5, 6)])), in: Self.following()) },
            answer: .roomChanges(Self.advance(RoomID(1), 4, 6)),
            answered: ["advanced"],
            failed: ["closed", "close"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "versions of rooms",
            ask: { Self.asking(.chat(.suspected(nil)), in: Self.following()) },
            answer: .roomVersions([Self.advance(RoomID(1), 6, 6)]),
            answered: ["ask"],
            failed: ["ask"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "the version of a deleted room",
            ask: { Self.asking(.chat(.suspected(nil)), in: Self.following(event: 3)) },
            answer: .roomVersions([]),
            answered: ["unfollow", "closed", "gone"],
            failed: ["ask"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "an event",
            ask: {
                Self.asking(
                    .chat(.advanced([Self.advance(RoomID(901), 4, 5, revision: 4)])),
                    in: Self.following(event: 3)
                )
            },
            answer: .event(Self.event(4)),
            answered: ["ask"],
            failed: ["closed", "close"],
            end: Self.end
        ),
        QuestionStory(
            testDescription: "a deleted event",
            ask: {
                Self.asking(
                    .chat(.advanced([Self.advance(RoomID(901), 4, 5, revision: 4)])),
                    in: Self.following(event: 3)
                )
            },
            answer: .event(nil),
            answered: ["unfollow", "closed", "gone"],
            failed: ["closed", "close"],
            end: Self.end
        ),
    ]

    @Test("an answer reaches those who wait for it", arguments: Self.stories)
    func answer(_ story: QuestionStory) throws {
        var test = story.ask()
        let question = try #require(test.effects.questions.first)
        #expect(test.iterate(.answered(question, story.answer)).words == story.answered)
    }

    @Test("after a failure the sessions that wait are closed, or the question is asked again", arguments: Self.stories)
    func failure(_ story: QuestionStory) throws {
        var test = story.ask()
        let question = try #require(test.effects.questions.first)
        let failed = test.iterate(.answered(question, nil))
        #expect(failed.words == story.failed)
        if story.failed == ["ask"] { #expect(failed.questions == [question]) }
        let later = test.pass(10_000).questions.map(\.word)
        #expect(later.contains(question.word) == story.isRepeated)
    }

    @Test(
        "an answer or a failure that comes after what it is about has gone changes nothing",
        arguments: Self.stories
    )
    func late(_ story: QuestionStory) throws {
        for answer in [story.answer, nil] {
            var test = story.ask()
            let question = try #require(test.effects.questions.first)
            test.iterate(story.end)
            #expect(test.iterate(.answered(question, answer)).words.filter { $0 != "ask" }.isEmpty)
            #expect(!test.pass(10_000).words.contains("close"))
        }
    }

    // MARK: - Worlds

    /// User 7 in group 1 with user 8, both with a session of their number.
    private static func town(closing: Bool = false) -> WorldUnderTest {
        var test = WorldUnderTest()
        for user in [7, 8] as [Int64] { test.open(user, user: user, members: [1: [7, 8]]) }
        if closing { test.iterate(Self.end) }
        return test
    }

    /// The world after it has asked something.
    private static func asking(_ inputs: WorldInput..., in world: WorldUnderTest = WorldUnderTest()) -> WorldUnderTest {
        var test = world
        test.iterate(inputs)
        return test
    }

    private static var chatOpening: SessionOpening {
        var opening = WorldUnderTest.opening(7, user: 7, groups: [1])
        opening.rooms = [:]
        return opening
    }

    /// The session of user 7 follows the room of group 1, or of an event at a revision, from version 4 on.
    private static func following(event revision: Int64? = nil) -> WorldUnderTest {
        var test = Self.asking(.sessionOpened(Self.chatOpening), in: Self.town(closing: true))
        guard let first = test.effects.questions.first else { return test }
        guard let revision else {
            test.iterate(.answered(first, .rooms(RoomsRead(rooms: [Self.view(RoomID(1))], changes: []))))
            return test
        }
        test.iterate(.answered(first, .rooms(RoomsRead(rooms: [], changes: [], others: [RoomID(901)]))))
        guard let second = test.effects.questions.first else { return test }
        let room = Self.view(RoomID(901), revision: revision)
        test.iterate(.answered(second, .rooms(RoomsRead(rooms: [room], changes: []))))
        return test
    }

    private static var notification: NumberedNotification {
        let content = NotificationContent(kind: "greeting", at: WorldUnderTest.start, payload: NotificationPayload([]))
        return NumberedNotification(user: UserID(7), number: 1, content: content)
    }

    private static func view(_ room: RoomID, revision: Int64? = nil) -> RoomView {
        RoomView(
            room: room,
            epoch: "e",
            version: 4,
            seq: 4,
            first: 1,
            read: 0,
            unread: 0,
            mentions: 0,
            muted: .none,
            slow: 0,
            last: nil,
            event: revision.map {
                RoomView.Event(title: "Climbing", host: UserID(99), startsAt: WorldUnderTest.start, revision: $0)
            }
        )
    }

    private static func advance(_ room: RoomID, _ after: Int64, _ upTo: Int64, revision: Int64 = 1) -> RoomAdvance {
        let numbers = after < upTo ? Array((after + 1)...upTo) : []
        return RoomAdvance(
            room: room,
            epoch: "e",
            after: after,
            upTo: upTo,
            revision: revision,
            messages: numbers.map { seq in
                ChatMessage(
                    seq: seq,
                    version: seq,
                    key: "k\(seq)",
                    from: WorldUnderTest.profile(8),
                    at: WorldUnderTest.start,
                    text: "m\(seq)"
                )
            }
        )
    }

    /// An event that is over, with user 7 as a guest.
    private static func event(_ revision: Int64) -> EventSnapshot {
        let event = Event(
            id: EventID(901),
            revision: revision,
            host: WorldUnderTest.profile(99),
            title: "Climbing",
            coordinate: Self.here,
            startsAt: WorldUnderTest.start,
            endsAt: WorldUnderTest.start + 500,
            timeZone: "UTC",
            clock: "18:00",
            createdAt: WorldUnderTest.start,
            changedAt: WorldUnderTest.start,
            guests: [EventGuest(user: UserID(7), rsvp: .maybe, askedAt: WorldUnderTest.start)]
        )
        return EventSnapshot(event: event, exact: [1], coarse: [0])
    }
}

extension StorageQuestion {
    /// The name of the question.
    fileprivate var word: Substring { "\(self)".prefix { $0 != "(" } }
}

extension [WorldEffect] {
    /// The name of each effect, without records and rosters; for effects on rooms their own name.
    fileprivate var words: [String] {
        self.compactMap { effect in
            switch effect {
            case .journal, .rosterShown, .rosterChanged: nil
            case .chat(let effect): String("\(effect)".prefix { $0 != "(" })
            default: String("\(effect)".prefix { $0 != "(" })
            }
        }
    }
}
