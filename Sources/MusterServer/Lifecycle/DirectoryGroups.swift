import EventLoop
import MusterCore
import MusterStore
import MusterWire

/// Reads groups, inboxes and spots for the world from the directory, each in a task of its own.
struct DirectoryGroups: GroupSource {
    /// The kinds of reads for sessions that are already admitted.
    ///
    /// Each kind has its share, and admissions have the remaining capacity.
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

    /// The maximum number of attempts of a read while storage is unavailable.
    ///
    /// After the last one the sessions that wait for it are closed.
    private static let attempts = 15
    /// The longest pause between two attempts, in milliseconds.
    private static let longestPause: Int64 = 2_000

    func load(_ group: GroupID) {
        self.read(.groupLoadFailed(group)) { (directory) throws(DirectoryError) in
            do throws(DirectoryError) {
                return .groupLoaded(try await directory.loadGroup(group))
            } catch {
                guard error.code == .notFound else { throw error }
                // The world may hold the group from before its deletion.
                self.world.send(
                    .groupChanged(GroupSnapshot(id: group, revision: .max, name: "", members: []), answer: nil)
                )
                throw error
            }
        }
    }

    func checkLogins(_ logins: [LoginID], of users: [UserID]) {
        Task {
            do throws(DirectoryError) {
                let ended = try await self.retried { () throws(DirectoryError) in
                    try await self.directory.ended(among: logins, users)
                }
                for login in ended.logins { self.world.send(.loginEnded(login)) }
                for user in ended.users { self.world.send(.accountDeleted(user)) }
            } catch {
                // A login that has ended must not stay open, so the world asks again after a pause.
                try? await Task.sleep(for: .milliseconds(Self.longestPause))
                self.world.send(.loginsSuspected)
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
        Task {
            do throws(DirectoryError) {
                let heads = try await self.retried { () throws(DirectoryError) in
                    try await self.directory.roomHeads(rooms)
                }
                let gone = Set(rooms).subtracting(heads.map(\.room)).sorted()
                if !gone.isEmpty { self.world.send(.events(.removed(gone.map(\.event)))) }
                self.world.send(.chat(.advanced(heads)))
            } catch {
                // No session is closed for this read; it is repeated until storage answers.
                if error.code == .unavailable { self.world.send(.chat(.suspected(rooms))) }
            }
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

    /// Sends the world the result of `body`, or `failure`.
    ///
    /// The read is retried for a while when storage is unavailable.
    private func readPatiently(
        _ failure: WorldInput,
        _ body: @escaping @Sendable (Directory) async throws(DirectoryError) -> WorldInput
    ) {
        Task {
            do throws(DirectoryError) {
                self.world.send(try await self.retried { () throws(DirectoryError) in try await body(self.directory) })
            } catch {
                self.world.send(failure)
            }
        }
    }

    /// Returns the result of `body`, which is retried with growing pauses while storage is unavailable.
    ///
    /// - Throws: the last error.
    private func retried<Value>(
        _ body: () async throws(DirectoryError) -> Value
    ) async throws(DirectoryError) -> Value {
        var backoff = Backoff(shortest: 50, longest: Self.longestPause)
        for _ in 1..<Self.attempts {
            do throws(DirectoryError) {
                return try await body()
            } catch {
                guard error.code == .unavailable else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(backoff.fail()))
        }
        return try await body()
    }

    /// Sends the world the result of `body` as soon as there is capacity for its kind, or `failure`.
    private func read(
        _ kind: Reading,
        _ failure: WorldInput,
        _ body: @escaping @Sendable (Directory) async throws(DirectoryError) -> WorldInput
    ) {
        let (directory, world, limit) = (self.directory, self.world, self.limit)
        Task {
            // The limit itself fails only for a cancelled task, and nothing cancels these tasks.
            world.send((try? await limit.run(for: kind) { try await body(directory) }) ?? failure)
        }
    }

    /// Sends the world the result of `body`, or `failure`.
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
