import MusterCore
import MusterWire
import Synchronization

/// Stores how far users have read, for each room at most once a second.
///
/// The newest mark of a second is written at its end. Until then it exists in memory only. If the process is killed,
/// the messages are merely shown as unread again.
final class ReadReceipts: Sendable {
    private struct MembershipKey: Hashable {
        let room: RoomID
        let user: UserID
    }

    /// The highest number that was read since the last mark was written; 0 for none.
    private typealias Waiting = Int64

    private static let pause = Duration.seconds(1)
    /// The maximum number of attempts to write a mark while storage is unavailable.
    private static let attempts = 60

    private let world: any WorldLink
    private let waiting = Mutex<[MembershipKey: Waiting]>([:])

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
    ) async throws -> RoomReadReceipt {
        let membership = MembershipKey(room: room, user: user)
        let newest = self.waiting.withLock { waiting -> Int64? in
            guard let known = waiting[membership] else {
                waiting[membership] = 0
                return nil
            }
            waiting[membership] = max(known, seq)
            return waiting[membership]
        }
        if let newest { return try await directory.readMark(of: room, upTo: newest, by: user) }
        Task { await self.writeOn(membership, in: directory) }
        return try await directory.readRoom(room, upTo: seq, by: user)
    }

    /// Writes all pending marks when the server stops.
    func flush(in directory: Directory) async {
        let receipts = self.waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting.filter { $0.value > 0 }
        }
        for (membership, seq) in receipts {
            _ = try? await directory.readRoom(membership.room, upTo: seq, by: membership.user)
        }
    }

    /// Writes the pending mark each second, as long as there is one.
    private func writeOn(_ membership: MembershipKey, in directory: Directory) async {
        var attemptsLeft = Self.attempts
        while attemptsLeft > 0 {
            try? await Task.sleep(for: Self.pause)
            let seq = self.waiting.withLock { waiting in
                let seq = waiting[membership] ?? 0
                waiting[membership] = seq > 0 ? 0 : nil
                return seq
            }
            guard seq > 0 else { return }
            do {
                let receipt = try await directory.readRoom(membership.room, upTo: seq, by: membership.user)
                if !receipt.seen.isEmpty { self.world.send(.chat(.seen(membership.user, receipt.seen))) }
                attemptsLeft = Self.attempts
            } catch {
                attemptsLeft -= 1
                if FrameError(error).code == .unavailable {
                    self.waiting.withLock { $0[membership] = max($0[membership] ?? 0, seq) }
                }
            }
        }
        self.waiting.withLock { $0[membership] = nil }
    }
}
