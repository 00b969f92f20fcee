import MusterCore
import MusterStore
import Synchronization

/// Stores how far users have read, for each room at most once a second.
///
/// The newest mark of a second is written at its end. Until then it exists in memory only. If the process is killed,
/// the messages are merely shown as unread again.
final class ReadMarks: Sendable {
    private struct Seat: Hashable {
        let room: RoomID
        let user: UserID
    }

    /// The highest number that was read since the last mark was written; 0 for none.
    private typealias Waiting = Int64

    private static let pause = Duration.seconds(1)
    /// The maximum number of attempts to write a mark while storage is unavailable.
    private static let attempts = 60

    private let world: any WorldLink
    private let waiting = Mutex<[Seat: Waiting]>([:])

    init(world: any WorldLink) { self.world = world }

    /// Records how far a user has read in a room; the mark is written now or soon.
    ///
    /// - Returns: the user's new read mark in the room.
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

    /// Writes all pending marks when the server stops.
    func flush(in directory: Directory) async {
        let marks = self.waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting.filter { $0.value > 0 }
        }
        for (seat, seq) in marks { _ = try? await directory.readRoom(seat.room, upTo: seq, by: seat.user) }
    }

    /// Writes the pending mark each second, as long as there is one.
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
