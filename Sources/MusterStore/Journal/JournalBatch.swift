import Foundation
import MusterCore
import Postgres

/// A batch of records folded into rows: fixes for COPY, and of everything that is state the last word only.
///
/// Folding keeps the meaning because a batch is one transaction: nobody sees what was overwritten within it.
final class JournalBatch {
    static let copySQL = """
        COPY muster.fix (device_id, seq, user_id, at, received_at, lat, lon, accuracy, altitude, speed, course, battery,
            trigger, verdict) FROM STDIN (FORMAT binary)
        """

    /// What a device's row rises to.
    struct DeviceProgress {
        var sequence: Int64
        var lastSeen: Timestamp
    }

    /// The last word on a gathering, and on who takes part.
    typealias Gathering = GatheringRecord

    /// What is to be said of a fix that is stored already.
    struct Verdict {
        let device: DeviceID
        let sequence: Int64
        let at: Timestamp
        let verdict: FixVerdict
    }

    /// The last word on where a person is.
    struct Position {
        let position: StoredPosition
        let verdict: FixVerdict
    }

    /// The last word on a person's presence.
    struct PresenceChange {
        var presence: Presence
        var lastSeen: Timestamp?
    }

    /// How far a person has seen.
    struct Seen {
        var upTo: Int64
        var at: Timestamp
    }

    private(set) var rows = CopyWriter(columnCount: 14)
    private(set) var now = Timestamp(milliseconds: 0)
    private(set) var devices: [DeviceID: DeviceProgress] = [:]
    private(set) var fixOwners: Set<UserID> = []
    private(set) var verdicts: [Verdict] = []
    private(set) var positions: [UserID: Position] = [:]
    private(set) var presences: [UserID: PresenceChange] = [:]
    private(set) var openedSessions: [SessionID: SessionRecord] = [:]
    private(set) var closedSessions: Set<SessionID> = []
    private(set) var notifications: [LeftWithoutYou] = []
    private(set) var seen: [UserID: Seen] = [:]
    private(set) var gatherings: [GatheringID: Gathering] = [:]
    private(set) var machines: [GroupID: StoredGathering?] = [:]

    /// Devices whose refused fix is among the rows this time.
    private(set) var resolved: Set<DeviceID> = []
    private var refused: [DeviceID: Int64] = [:]

    /// Replaces the content by `entries`.
    ///
    /// - Parameters:
    ///   - entries: the records.
    ///   - refused: the fix of a device below which its `acked_seq` must stay until that fix is written.
    ///   - now: when the batch is made.
    func fill(_ entries: ArraySlice<JournalEntry>, refused: [DeviceID: Int64], now: Timestamp) {
        self.removeAll()
        self.now = now
        self.refused = refused
        for entry in entries {
            switch entry.record {
            case .fix(let fix): self.add(fix)
            case .verdict(let device, let sequence, let at, let verdict):
                self.verdicts.append(Verdict(device: device, sequence: sequence, at: at, verdict: verdict))
            case .position(let user, let position, let verdict):
                self.positions[user] = Position(position: position, verdict: verdict)
            case .presence(let user, let presence, let lastSeen): self.add(presence, of: user, lastSeen: lastSeen)
            case .sessionOpened(let session): self.openedSessions[session.session] = session
            case .sessionClosed(let session):
                self.openedSessions[session] = nil
                self.closedSessions.insert(session)
            case .notification(let alert): self.notifications.append(alert)
            case .seen(let user, let upTo, let at):
                if upTo > self.seen[user]?.upTo ?? 0 { self.seen[user] = Seen(upTo: upTo, at: at) }
            case .gathering(let gathering):
                self.gatherings[gathering.status.gathering] = gathering
                self.machines[gathering.group] = .some(gathering.machine)
            case .machine(let group, let machine): self.machines[group] = .some(machine)
            }
        }
    }

    private func removeAll() {
        self.rows.removeAll()
        self.resolved.removeAll(keepingCapacity: true)
        self.devices.removeAll(keepingCapacity: true)
        self.fixOwners.removeAll(keepingCapacity: true)
        self.verdicts.removeAll(keepingCapacity: true)
        self.positions.removeAll(keepingCapacity: true)
        self.presences.removeAll(keepingCapacity: true)
        self.openedSessions.removeAll(keepingCapacity: true)
        self.closedSessions.removeAll(keepingCapacity: true)
        self.notifications.removeAll(keepingCapacity: true)
        self.seen.removeAll(keepingCapacity: true)
        self.gatherings.removeAll(keepingCapacity: true)
        self.machines.removeAll(keepingCapacity: true)
    }

    private func add(_ presence: Presence, of user: UserID, lastSeen: Timestamp?) {
        let known = self.presences[user]?.lastSeen
        self.presences[user] = PresenceChange(presence: presence, lastSeen: lastSeen ?? known)
    }

    private func add(_ record: FixRecord) {
        let fix = record.fix
        let old = self.devices[record.device]
        if self.refused[record.device] == fix.sequence {
            self.resolved.insert(record.device)
            self.refused[record.device] = nil
        }
        let mayRise = fix.sequence < self.refused[record.device] ?? .max
        self.devices[record.device] = DeviceProgress(
            sequence: max(mayRise ? fix.sequence : 0, old?.sequence ?? 0),
            lastSeen: max(record.receivedAt, old?.lastSeen ?? record.receivedAt)
        )
        // Acknowledged, and stored by an earlier record.
        guard record.verdict != .duplicate else { return }
        self.fixOwners.insert(record.user)
        self.rows.beginRow()
        self.rows.append(record.device.rawValue)
        self.rows.append(fix.sequence)
        self.rows.append(record.user.rawValue)
        self.rows.append(unixMilliseconds: (fix.at ?? record.receivedAt).milliseconds)
        self.rows.append(unixMilliseconds: record.receivedAt.milliseconds)
        self.rows.append(fix.coordinate.latitude)
        self.rows.append(fix.coordinate.longitude)
        self.rows.append(fix.accuracy)
        self.rows.append(fix.altitude)
        self.rows.append(fix.speed)
        self.rows.append(fix.course)
        self.rows.append(fix.battery)
        self.rows.append(fix.trigger?.rawValue)
        self.rows.append(record.verdict.rawValue)
    }
}
