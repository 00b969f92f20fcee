import MusterWire
import Synchronization

@testable import MusterCore
@testable import MusterServer

/// What the writer of rooms has told of.
final class ReceivedAdvances: Sendable {
    private let advances = Mutex<[RoomAdvance]>([])

    var all: [RoomAdvance] { self.advances.withLock { $0 } }

    func add(_ changes: [RoomAdvance]) { self.advances.withLock { $0 += changes } }
}

/// A group with a writer of its room.
struct ChatScene {
    let store: Store
    let writer: ChatWriter
    let room: RoomID
    let people: [UserID]
    let advances: ReceivedAdvances

    /// Runs `body` on a fresh database, in a group with so many members.
    static func with(_ members: Int, _ body: (ChatScene) async throws -> Void) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(members)
            let advances = ReceivedAdvances()
            let writer = store.chatWriter { changes in
                advances.add(changes)
            }
            let scene = ChatScene(
                store: store,
                writer: writer,
                room: group.id.room,
                people: people.map(\.user.id),
                advances: advances
            )
            do {
                try await body(scene)
            } catch {
                await writer.close()
                throw error
            }
            await writer.close()
        }
    }

    /// Says something.
    func send(
        _ text: String,
        key: String,
        by person: Int = 0,
        at shift: Int64 = 0
    ) async throws -> ChatOutcome {
        try await self.writer.write(
            ChatOrder(
                .send(ChatOrder.Draft(key: key, text: text)),
                in: self.room,
                by: self.people[person],
                at: self.store.now + shift
            )
        )
    }

    /// Writes anything.
    func order(_ action: ChatOrder.Action, by person: Int = 0) async throws -> ChatOutcome {
        try await self.writer.write(
            ChatOrder(action, in: self.room, by: self.people[person], at: self.store.now)
        )
    }

    /// The room's log as a member may read it.
    func log(for person: Int = 0) async throws -> [ChatMessage] {
        try await self.store.directory.messages(of: self.room, .newest, limit: 100, for: self.people[person])
            .messages
    }
}
