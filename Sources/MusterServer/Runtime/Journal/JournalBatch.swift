import Foundation
import MusterCore
import Postgres

/// A batch of records converted to rows: fixes for COPY, and only the last value of each piece of state.
///
/// This is correct because a batch is one transaction: overwritten values within it are never visible.
final class JournalBatch {
    /// The last value of a gathering and its participants.
    typealias Gathering = GatheringRecord

    /// A new verdict of a stored fix.
    struct Verdict {
        let device: DeviceID
        let sequence: Int64
        let at: Timestamp
        let verdict: FixVerdict
    }

    /// The key of a tracker's fix.
    struct Key {
        let device: DeviceID
        let sequence: Int64
        let key: ReportKey
    }

    /// The last position of a user.
    struct Position {
        let position: StoredPosition
        let verdict: FixVerdict
    }

    /// The last presence of a user.
    struct PresenceChange {
        var presence: Presence
        var lastSeen: Timestamp?
    }

    /// The notifications that a user has seen, with the time of the last report.
    struct Seen {
        var upTo: Int64 = 0
        var numbers: [Int64] = []
        var at: Timestamp
    }

    /// A notification, and the number of its record.
    struct Notification {
        let number: Int64
        let record: NotificationRecord
    }

    /// A user and a place.
    struct Visit: Hashable, Comparable {
        let user: UserID
        let place: GroupPlaceID

        static func < (left: Self, right: Self) -> Bool {
            (left.user, left.place) < (right.user, right.place)
        }
    }

    /// The number of records.
    private(set) var count = 0
    /// Whether the rows are sorted, so that no records can be added.
    private var isSealed = false
    private(set) var fixes = JournalFixes()
    private(set) var keys: [Key] = []
    private(set) var verdicts: [Verdict] = []
    private(set) var positions: [UserID: Position] = [:]
    private(set) var presences: [UserID: PresenceChange] = [:]
    private(set) var openedSessions: [SessionID: SessionRecord] = [:]
    private(set) var closedSessions: Set<SessionID> = []
    private(set) var notifications: [Notification] = []
    private(set) var seen: [UserID: Seen] = [:]
    private(set) var gatherings: [GatheringID: Gathering] = [:]
    private(set) var machines: [GroupID: GatheringState?] = [:]
    private(set) var suspension: [GroupID: GroupSuspension?] = [:]
    private(set) var arrivals: [Visit: StoredArrival] = [:]

    /// Adds the records that follow the existing ones.
    ///
    /// - Parameters:
    ///   - entries: the records.
    ///   - refused: per device, the refused fix; its `acked_seq` stays below that fix until the fix is written.
    func add(_ entries: ArraySlice<JournalEntry>, refused: [DeviceID: Int64]) {
        guard !entries.isEmpty else { return }
        precondition(!self.isSealed, "a record was added to a batch whose rows are in order")
        for entry in entries {
            switch entry.record {
            case .fix(let fix): self.fixes.add(fix, refused: refused)
            case .trackerFix(let fix, let key):
                self.fixes.add(fix, refused: refused)
                self.keys.append(Key(device: fix.device, sequence: fix.fix.sequence, key: key))
            case .device(let device): self.fixes.add(device)
            case .verdict(let device, let sequence, let at, let verdict):
                self.verdicts.append(Verdict(device: device, sequence: sequence, at: at, verdict: verdict))
            case .position(let user, let position, let verdict):
                self.positions[user] = Position(position: position, verdict: verdict)
            case .presence(let user, let presence, let lastSeen): self.add(presence, of: user, lastSeen: lastSeen)
            case .sessionOpened(let session): self.openedSessions[session.session] = session
            case .sessionClosed(let session):
                self.openedSessions[session] = nil
                self.closedSessions.insert(session)
            case .notification(let record):
                self.notifications.append(Notification(number: entry.number, record: record))
            case .seen(let user, let what, let at): self.add(what, of: user, at: at)
            case .gathering(let gathering):
                self.gatherings[gathering.status.gathering] = gathering
                self.machines[gathering.group] = .some(gathering.machine)
            case .machine(let group, let machine): self.machines[group] = .some(machine)
            case .suspension(let group, let aside): self.suspension[group] = .some(aside)
            case .arrival(let state): self.arrivals[Visit(user: state.user, place: state.place)] = state
            }
        }
        self.count += entries.count
    }

    /// Sorts the rows after the last record was added.
    func seal() {
        guard !self.isSealed else { return }
        self.isSealed = true
        self.fixes.sort()
    }

    /// Removes all records, and keeps the memory.
    func removeAll() {
        self.count = 0
        self.isSealed = false
        self.fixes.removeAll()
        self.keys.removeAll(keepingCapacity: true)
        self.verdicts.removeAll(keepingCapacity: true)
        self.positions.removeAll(keepingCapacity: true)
        self.presences.removeAll(keepingCapacity: true)
        self.openedSessions.removeAll(keepingCapacity: true)
        self.closedSessions.removeAll(keepingCapacity: true)
        self.notifications.removeAll(keepingCapacity: true)
        self.seen.removeAll(keepingCapacity: true)
        self.gatherings.removeAll(keepingCapacity: true)
        self.machines.removeAll(keepingCapacity: true)
        self.suspension.removeAll(keepingCapacity: true)
        self.arrivals.removeAll(keepingCapacity: true)
    }

    private func add(_ what: SeenNotifications, of user: UserID, at: Timestamp) {
        var seen = self.seen[user] ?? Seen(at: at)
        seen.at = at
        switch what {
        case .upTo(let number): seen.upTo = max(number, seen.upTo)
        case .numbers(let numbers): seen.numbers += numbers
        }
        self.seen[user] = seen
    }

    private func add(_ presence: Presence, of user: UserID, lastSeen: Timestamp?) {
        let known = self.presences[user]?.lastSeen
        self.presences[user] = PresenceChange(presence: presence, lastSeen: lastSeen ?? known)
    }
}
