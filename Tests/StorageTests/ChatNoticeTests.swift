import MusterTestSupport
import MusterWire
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import Postgres

@Suite("Who is told of what is written in rooms") struct ChatNoticeTests {
    @Test("a mention is told once however often that is tried, and taken back with its message")
    func mentions() async throws {
        try await ChatScene.with(3) { scene in
            let directory = scene.store.directory
            let draft = ChatOrder.Draft(key: "a", text: "Ping", mentions: [scene.people[1], scene.people[2]])
            let message = try await scene.order(.send(draft)).message
            _ = try await directory.block(scene.people[0], by: scene.people[2])
            let result = try await directory.notify(of: [scene.room])
            let mentions = result.publications.filter { publication in
                if case .stored(let content, _) = publication.message { content.kind == "mention" } else { false }
            }
            #expect(mentions.map(\.audience) == [.people([scene.people[1]])])
            #expect(try await directory.notify(of: [scene.room]).publications.isEmpty)
            _ = try await scene.order(.delete(message.seq))
            let after = try await directory.notify(of: [scene.room])
            #expect(after.withdrawn.keys.sorted() == [scene.people[1]])
            #expect(
                try await directory.inbox(of: scene.people[1]).unseen.contains { $0.content.kind == "mention" } == false
            )
        }
    }

    /// What becomes of a message that somebody was mentioned in.
    enum Later: CaseIterable { case edited, editedBehind, deleted, blocked, editedAfterSeen }

    @Test("a mention says what the message says now, or nothing", arguments: Later.allCases)
    func mentionsLater(_ later: Later) async throws {
        try await ChatScene.with(2) { scene in
            let (directory, person) = (scene.store.directory, scene.people[1])
            func notified() async throws -> [NumberedNotification] {
                try await directory.inbox(of: person).unseen.filter { $0.content.kind == "mention" }
            }
            let long = String(repeating: "a", count: 150)
            let draft = ChatOrder.Draft(key: "a", text: later == .editedBehind ? long : "First", mentions: [person])
            let message = try await scene.order(.send(draft)).message
            _ = try await directory.notify(of: [scene.room])
            let first = try await notified()
            #expect(first.count == 1)
            var taken: [Int64] = []
            switch later {
            case .edited, .editedAfterSeen:
                if later == .editedAfterSeen {
                    try await scene.store.pool.query("UPDATE muster.notification SET seen_at = now()")
                }
                _ = try await scene.order(.edit(message.seq, text: "Second"))
            case .editedBehind: _ = try await scene.order(.edit(message.seq, text: long + "b"))
            case .deleted: _ = try await scene.order(.delete(message.seq))
            case .blocked: taken = try await directory.block(scene.people[0], by: person).value.map(\.number)
            }
            taken += try await directory.notify(of: [scene.room]).withdrawn[person] ?? []
            let now = try await notified()
            switch later {
            case .edited:
                #expect(now.map { $0.content.payload["text"]?.text } == ["Second"])
                #expect(taken == first.map(\.number))
            case .editedBehind: #expect(now == first && taken.isEmpty, "nothing that is told has changed")
            // With the message may go that there is something to read.
            case .deleted, .blocked: #expect(now.isEmpty && Set(taken).isSuperset(of: first.map(\.number)))
            case .editedAfterSeen: #expect(now.isEmpty && taken.isEmpty, "who has seen it is not called again")
            }
            var export = directory.export(of: person)
            var text = ""
            while let piece = try await export.next() { text += piece }
            #expect(!text.contains("First"))
        }
    }

    @Test("who is not there is told once that there is something to read, until they have read it")
    func messages() async throws {
        try await ChatScene.with(2) { scene in
            let directory = scene.store.directory
            func notified() async throws -> [String] {
                try await directory.inbox(of: scene.people[1]).unseen.map(\.content.kind)
            }
            let first = try await scene.send("a", key: "a").message
            _ = try await directory.notify(of: [scene.room])
            _ = try await scene.send("b", key: "b")
            _ = try await directory.notify(of: [scene.room])
            #expect(try await notified() == ["messages"])
            let mark = try await directory.readRoom(scene.room, upTo: first.seq + 1, by: scene.people[1])
            #expect(mark.seen.count == 1)
            #expect(try await notified() == [])
            _ = try await directory.setRoom(scene.room, muted: .mentions, slow: nil, by: scene.people[1])
            _ = try await scene.send("c", key: "c")
            _ = try await directory.notify(of: [scene.room])
            #expect(try await notified() == [])
        }
    }

    @Test(
        "who has seen that there is something to read is told again when there is more, one at a time; and not once it is gone"
    )
    func messagesAgain() async throws {
        try await ChatScene.with(2) { scene in
            let (directory, away) = (scene.store.directory, scene.people[1])
            func notified() async throws -> [NumberedNotification] { try await directory.inbox(of: away).unseen }
            let first = try await scene.send("a", key: "a").message
            _ = try await directory.notify(of: [scene.room])
            try await scene.store.pool.query("UPDATE muster.notification SET seen_at = now()")
            #expect(try await directory.notifyUnread(of: away).publications.isEmpty, "that is known")
            _ = try await scene.send("b", key: "b")
            #expect(try await directory.notify(of: [scene.room]).publications.count == 1)
            _ = try await scene.send("c", key: "c")
            #expect(try await directory.notify(of: [scene.room]).publications.isEmpty)
            #expect(try await notified().map { $0.content.payload["seq"] } == [.integer(first.seq)])
            // As long as one is left there is something to read.
            for seq in first.seq..<first.seq + 2 { _ = try await scene.order(.delete(seq)) }
            #expect(try await directory.notify(of: [scene.room]).withdrawn.isEmpty)
            _ = try await scene.order(.delete(first.seq + 2))
            let number = try await notified().map(\.number)
            #expect(try await directory.notify(of: [scene.room]).withdrawn == [away: number])
            #expect(try await notified().isEmpty)
        }
    }
}
