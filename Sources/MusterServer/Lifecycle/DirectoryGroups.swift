import EventLoop
import MusterCore
import MusterStore
import MusterWire

/// Reads groups, inboxes and spots for the world from the directory, each in a task of its own.
struct DirectoryGroups: GroupSource {
    /// What is read for sessions that are in already; each kind has its share, and those who say hello have the rest.
    private enum Reading {
        case inboxes, spots, votes, texts
    }

    let directory: Directory
    let world: any WorldLink
    let chat: ChatDesk

    private let limit = ConcurrencyLimit<Reading>(4, share: 2)

    init(directory: Directory, world: any WorldLink, chat: ChatDesk) {
        self.directory = directory
        self.world = world
        self.chat = chat
    }

    /// How often rooms are tried to be read while storage is away, before who waits for them is told to come back.
    private static let attempts = 15

    func load(_ group: GroupID) {
        self.read(.groupLoadFailed(group)) { (directory) throws(DirectoryError) in
            do throws(DirectoryError) {
                return .groupLoaded(try await directory.loadGroup(group))
            } catch {
                guard error.code == .notFound else { throw error }
                // The world may hold it from before it was deleted.
                self.world.send(
                    .groupChanged(GroupSnapshot(id: group, revision: .max, name: "", members: []), answer: nil)
                )
                throw error
            }
        }
    }

    func readNotifications(of user: UserID) {
        self.read(.inboxes, .notificationsReadFailed(user)) { (directory) throws(DirectoryError) in
            let inbox = try await directory.inbox(of: user)
            return .notificationsRead(user, inbox.unseen, upTo: inbox.lastNumber)
        }
    }

    func readSpots(_ reading: SpotReading) {
        self.read(.spots, .spots(.notRead(reading))) { (directory) throws(DirectoryError) in
            .spots(.read(reading, try await directory.spots(missedBy: reading).map { SpotNews($0) }))
        }
    }

    func countVotes(on spots: [SpotID]) {
        self.read(.votes, .spots(.votesNotCounted(spots))) { (directory) throws(DirectoryError) in
            .spots(.votesCounted(spots, try await directory.votes(on: spots)))
        }
    }

    func readTexts(of spots: [SpotID]) {
        self.read(.texts, .spots(.textsNotRead(spots))) { (directory) throws(DirectoryError) in
            .spots(.textsRead(spots, try await directory.texts(of: spots)))
        }
    }

    func readRooms(_ reading: RoomsReading) {
        self.readPatiently(.chat(.roomsNotRead(reading))) { (directory) throws(DirectoryError) in
            .chat(.roomsRead(reading, try await directory.rooms(reading)))
        }
    }

    func readRoom(_ room: RoomID, after version: Int64) {
        self.readPatiently(.chat(.notRead(room))) { (directory) throws(DirectoryError) in
            .chat(.read(try await directory.roomAdvance(room, after: version)))
        }
    }

    func readHeads(of rooms: [RoomID]) {
        // Nobody who is in a room need come back for it: it is asked until storage answers.
        Task {
            var backoff = Backoff(shortest: 50, longest: 2_000)
            for _ in 0..<Self.attempts {
                do throws(DirectoryError) {
                    let heads = try await self.directory.roomHeads(rooms)
                    let gone = Set(rooms).subtracting(heads.map(\.room)).sorted()
                    if !gone.isEmpty { self.world.send(.events(.removed(gone.map(\.event)))) }
                    return self.world.send(.chat(.advanced(heads)))
                } catch {
                    guard error.code == .unavailable else { return }
                }
                try? await Task.sleep(for: .milliseconds(backoff.fail()))
            }
            self.world.send(.chat(.suspected(rooms)))
        }
    }

    func readEvent(_ event: EventID) {
        self.readPatiently(.chat(.notRead(event.room))) { (directory) throws(DirectoryError) in
            let found = try await directory.events([event])
            let now = Timestamp(milliseconds: MonotonicClock.system.wallMilliseconds)
            return found.isEmpty ? .events(.removed([event])) : .events(.changed(found.map { EventNews($0, at: now) }))
        }
    }

    func say(_ data: NotificationPayload, key: String, in room: RoomID, at moment: Timestamp) {
        self.chat.say(data, key: key, in: room, at: moment)
    }

    func noteAway(_ user: UserID) { self.chat.noteAway(user) }

    /// Tells the world what `body` reads, which is tried for a while as long as storage is away, or `failure` when it cannot.
    private func readPatiently(
        _ failure: WorldInput,
        _ body: @escaping @Sendable (Directory) async throws(DirectoryError) -> WorldInput
    ) {
        Task {
            var backoff = Backoff(shortest: 50, longest: 2_000)
            for _ in 0..<Self.attempts {
                do throws(DirectoryError) {
                    return self.world.send(try await body(self.directory))
                } catch {
                    guard error.code == .unavailable else { break }
                }
                try? await Task.sleep(for: .milliseconds(backoff.fail()))
            }
            self.world.send(failure)
        }
    }

    /// Tells the world what `body` reads as soon as there is room for its kind, or `failure` when it cannot.
    private func read(
        _ kind: Reading,
        _ failure: WorldInput,
        _ body: @escaping @Sendable (Directory) async throws(DirectoryError) -> WorldInput
    ) {
        let (directory, world, limit) = (self.directory, self.world, self.limit)
        Task {
            // Only those who are cancelled are not let in, and nobody cancels these.
            world.send((try? await limit.run(for: kind) { try await body(directory) }) ?? failure)
        }
    }

    /// Tells the world what `body` reads, or `failure` when it cannot.
    private func read(
        _ failure: WorldInput,
        _ body: @escaping @Sendable (Directory) async throws(DirectoryError) -> WorldInput
    ) {
        Task {
            do throws(DirectoryError) {
                self.world.send(try await body(self.directory))
            } catch {
                self.world.send(failure)
            }
        }
    }
}
