import Testing

@testable import MusterCore

/// A naive log: one array per room, searched from the front.
private struct NaiveLog {
    var log: [ChatMessage] = []
    var version: Int64 = 0

    mutating func send(_ key: String, _ text: String, by author: UserProfile) -> ChatMessage? {
        guard !self.log.contains(where: { $0.key == key && $0.from?.id == author.id }) else { return nil }
        self.version += 1
        let seq = Int64(self.log.count + 1)
        self.log.append(
            ChatMessage(seq: seq, version: self.version, key: key, from: author, at: RoomLogTests.now, text: text)
        )
        return self.log.last
    }

    mutating func change(_ seq: Int64, to text: String?, by author: UserID, isHost: Bool) {
        guard seq >= 1, seq <= Int64(self.log.count) else { return }
        let index = Int(seq - 1)
        guard !self.log[index].isDeleted, self.log[index].text != text else { return }
        guard self.log[index].from?.id == author || text == nil && isHost else { return }
        self.version += 1
        self.log[index].version = self.version
        if let text {
            self.log[index].text = text
            self.log[index].editedAt = RoomLogTests.now
        } else {
            self.log[index].erase()
        }
    }
}

@Suite("The log of a room") struct RoomLogTests {
    static let now = Timestamp(milliseconds: 1_732_060_800_000)
    private static let room = RoomID(81)
    private static let people = (1...3).map { UserProfile(id: UserID($0), name: "P\($0)") }

    private static func log(
        pause: Int64 = 0,
        messages: [ChatMessage] = [],
        photos: [PhotoID: (owner: UserID, picture: ChatMessage.Picture)] = [:]
    ) -> RoomLog {
        RoomLog(
            rooms: [
                self.room: RoomLog.Room(
                    epoch: "e",
                    lastSeq: Int64(messages.count),
                    version: messages.map(\.version).max() ?? 0,
                    revision: 4,
                    pause: pause
                )
            ],
            members: Dictionary(
                uniqueKeysWithValues: self.people.enumerated().map { index, person in
                    (RoomLog.MembershipKey(self.room, person.id), RoomLog.Member(person, isHost: index == 0))
                }
            ),
            messages: Dictionary(
                uniqueKeysWithValues: messages.map { (RoomLog.Place(self.room, $0.seq), $0) }
            ),
            keys: Dictionary(
                uniqueKeysWithValues: messages.compactMap { message in
                    message.key.map { (RoomLog.Key(self.room, message.from?.id, $0), message.seq) }
                }
            ),
            photos: photos
        )
    }

    private static func order(_ action: ChatOrder.Action, by user: Int64?, at now: Timestamp = now) -> ChatOrder {
        ChatOrder(action, in: self.room, by: user.map { UserID($0) }, at: now)
    }

    private static func refusal(_ log: inout RoomLog, _ order: ChatOrder) -> ChatRefusal? {
        do throws(ChatRefusal) {
            _ = try log.execute(order)
            return nil
        } catch {
            return error
        }
    }

    @Test("is what a naive log is, in batches of any size, with every key once", arguments: 0..<100)
    func model(hundred: Int) throws {
        // A hundred seeds per case, ten thousand in all. A failure names its hundred and its seed.
        for seed in (hundred * 100)..<(hundred * 100 + 100) {
            var random = SeededGenerator(seed: UInt64(seed))
            var naive = NaiveLog()
            var notified: [Int64: ChatMessage] = [:]
            var notifiedVersion: Int64 = 0
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                var log = Self.log(messages: naive.log)
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let author = Self.people.randomElement(using: &random) ?? Self.people[0]
                    let seq = Int64.random(in: 0...Int64(naive.log.count + 1), using: &random)
                    let text = "t\(Int.random(in: 0...3, using: &random))"
                    switch Int.random(in: 0...4, using: &random) {
                    case 0...2:
                        let key = "k\(Int.random(in: 0...9, using: &random))"
                        let action = ChatOrder.Action.send(ChatOrder.Draft(key: key, text: text))
                        let outcome = try log.execute(Self.order(action, by: author.id.rawValue))
                        let new = naive.send(key, text, by: author)
                        #expect(outcome.isRepeated == (new == nil), "seed \(seed)")
                    case 3:
                        _ = Self.refusal(&log, Self.order(.edit(seq, text: text), by: author.id.rawValue))
                        naive.change(seq, to: text, by: author.id, isHost: author.id == Self.people[0].id)
                    case _:
                        _ = Self.refusal(&log, Self.order(.delete(seq), by: author.id.rawValue))
                        naive.change(seq, to: nil, by: author.id, isHost: author.id == Self.people[0].id)
                    }
                }
                for advance in log.advances {
                    #expect(advance.after == notifiedVersion, "seed \(seed)")
                    notifiedVersion = advance.upTo
                    for message in advance.messages { notified[message.seq] = message }
                }
            }
            #expect(notifiedVersion == naive.version, "seed \(seed)")
            #expect(notified.values.sorted { $0.seq < $1.seq } == naive.log, "seed \(seed)")
        }
    }

    @Test("refuses what names something of another room, or is not one's own, and changes nothing")
    func refusals() throws {
        var log = Self.log()
        let sent = try log.execute(Self.order(.send(ChatOrder.Draft(key: "a", text: "A")), by: 2)).message
        let before = log.advances
        func refusal(_ action: ChatOrder.Action, by user: Int64, at now: Timestamp = Self.now) -> ChatRefusal? {
            Self.refusal(&log, Self.order(action, by: user, at: now))
        }
        #expect(refusal(.send(ChatOrder.Draft(key: "b", text: "B")), by: 9) == .notMember)
        #expect(refusal(.send(ChatOrder.Draft(key: "b", text: "B", replyTo: 2)), by: 1) == .field("replyTo"))
        #expect(
            refusal(.send(ChatOrder.Draft(key: "b", text: "B", mentions: [UserID(9)])), by: 1) == .field("mentions")
        )
        #expect(refusal(.send(ChatOrder.Draft(key: "b", photo: PhotoID(5))), by: 1) == .photo)
        #expect(refusal(.edit(sent.seq, text: "C"), by: 1) == .notOwn)
        #expect(refusal(.edit(sent.seq, text: "C"), by: 2, at: Self.now + 86_400_001) == .notEditable)
        #expect(refusal(.delete(sent.seq), by: 3) == .notOwn)
        #expect(refusal(.delete(sent.seq + 1), by: 1) == .noMessage)
        #expect(log.advances == before)
        #expect(refusal(.delete(sent.seq), by: 1) == nil)
        #expect(refusal(.edit(sent.seq, text: "C"), by: 2) == .deleted)
    }

    @Test("a slow room lets members wait, its host not, and a repeat at once")
    func slow() throws {
        var log = Self.log(pause: 10_000)
        _ = try log.execute(Self.order(.send(ChatOrder.Draft(key: "a", text: "A")), by: 2))
        let soon = Self.now + 4_000
        let second = ChatOrder.Action.send(ChatOrder.Draft(key: "b", text: "B"))
        #expect(Self.refusal(&log, Self.order(second, by: 2, at: soon)) == .slow(retryAfter: 6_000))
        let repeated = ChatOrder.Action.send(ChatOrder.Draft(key: "a", text: "A"))
        #expect(try log.execute(Self.order(repeated, by: 2, at: soon)).isRepeated)
        _ = try log.execute(Self.order(second, by: 2, at: Self.now + 10_000))
        _ = try log.execute(Self.order(.send(ChatOrder.Draft(key: "a", text: "A")), by: 1, at: soon))
        _ = try log.execute(Self.order(second, by: 1, at: soon))
    }

    @Test("a photo is shown by one message")
    func photo() throws {
        let picture = ChatMessage.Picture(
            Photo(id: PhotoID(5), url: "/v1/photos/5?k=0", thumb: "/v1/photos/5/thumb?k=0", width: 2, height: 1)
        )
        var log = Self.log(photos: [PhotoID(5): (UserID(2), picture)])
        let draft = ChatOrder.Draft(key: "a", kind: .photo, photo: PhotoID(5))
        #expect(Self.refusal(&log, Self.order(.send(draft), by: 1)) == .photo)
        #expect(try log.execute(Self.order(.send(draft), by: 2)).message.photo == picture)
        let again = ChatOrder.Draft(key: "b", kind: .photo, photo: PhotoID(5))
        #expect(Self.refusal(&log, Self.order(.send(again), by: 2)) == .photo)
    }

    @Test(
        "a person asks others to wait once in five minutes, whichever of their sessions does; the same wish is no other"
    )
    func waits() throws {
        var log = Self.log()
        func wish(_ key: String, at shift: Int64) -> ChatOrder {
            ChatOrder(
                .send(ChatOrder.Draft(key: key, kind: .wait, mentions: [UserID(3)])),
                in: Self.room,
                by: UserID(2),
                at: Self.now + shift
            )
        }
        let first = try log.execute(wish("a", at: 0))
        #expect(throws: ChatRefusal.waited(retryAfter: 299_000)) { try log.execute(wish("b", at: 1_000)) }
        #expect(try log.execute(wish("a", at: 1_000)) == ChatOutcome(first.message, isRepeated: true))
        #expect(try !log.execute(wish("c", at: 300_000)).isRepeated)
        // The same key of another user is a new message.
        let other = ChatOrder(.send(ChatOrder.Draft(key: "a", kind: .wait)), in: Self.room, by: UserID(1), at: Self.now)
        #expect(try !log.execute(other).isRepeated)
    }
}
