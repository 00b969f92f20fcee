import MusterCore
import MusterStore
import Synchronization

/// Notes how far people have read, each in a room at most once a second.
///
/// The newest mark of a second is written at its end. It waits in memory alone: what is lost with a process that is killed only
/// shows again as unread.
final class ReadMarks: Sendable {
    private struct Seat: Hashable {
        let room: RoomID
        let user: UserID
    }

    /// What somebody has read since their last mark was written; 0 for nothing.
    private typealias Waiting = Int64

    private static let pause = Duration.seconds(1)
    /// How often a mark is tried to be written while storage is away.
    private static let attempts = 60

    private let world: any WorldLink
    private let waiting = Mutex<[Seat: Waiting]>([:])

    init(world: any WorldLink) { self.world = world }

    /// Notes how far a person has read in a room, now or soon.
    ///
    /// - Returns: how the room is to them from now on.
    /// - Throws: `notMember`, `unavailable`.
    func read(
        _ room: RoomID,
        upTo seq: Int64,
        by user: UserID,
        in directory: Directory
    ) async throws(DirectoryError) -> RoomReadMark {
        let seat = Seat(room: room, user: user)
        let newest = self.waiting.withLock { waiting -> Int64? in
            guard let known = waiting[seat] else {
                waiting[seat] = 0
                return nil
            }
            waiting[seat] = max(known, seq)
            return waiting[seat]
        }
        if let newest { return try await directory.readMark(of: room, upTo: newest, by: user) }
        Task { await self.writeOn(seat, in: directory) }
        return try await directory.readRoom(room, upTo: seq, by: user)
    }

    /// Writes all marks that wait: the server stops.
    func flush(in directory: Directory) async {
        let marks = self.waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting.filter { $0.value > 0 }
        }
        for (seat, seq) in marks { _ = try? await directory.readRoom(seat.room, upTo: seq, by: seat.user) }
    }

    /// Writes what came since the last mark, as long as there is something each second.
    private func writeOn(_ seat: Seat, in directory: Directory) async {
        var attemptsLeft = Self.attempts
        while attemptsLeft > 0 {
            try? await Task.sleep(for: Self.pause)
            let seq = self.waiting.withLock { waiting in
                let seq = waiting[seat] ?? 0
                waiting[seat] = seq > 0 ? 0 : nil
                return seq
            }
            guard seq > 0 else { return }
            do throws(DirectoryError) {
                let mark = try await directory.readRoom(seat.room, upTo: seq, by: seat.user)
                if !mark.seen.isEmpty { self.world.send(.chat(.seen(seat.user, mark.seen))) }
                attemptsLeft = Self.attempts
            } catch {
                attemptsLeft -= 1
                if error.code == .unavailable {
                    self.waiting.withLock { $0[seat] = max($0[seat] ?? 0, seq) }
                }
            }
        }
        self.waiting.withLock { $0[seat] = nil }
    }
}
