/// A row that the world wants written.
///
/// Records are committed in the order in which the world made them. What is larger than a fix lies apart.
package enum JournalRecord: Sendable, Equatable, Codable {
    /// A fix with what the gate decided; in the same transaction it is said how far the device got.
    case fix(FixRecord)
    /// What is to be kept of a device beside its fixes is another since those of it that come before in the same turn.
    case device(DeviceRecord)
    /// A fix that was held as implausible was confirmed; `at` is the time with which it was stored.
    case verdict(DeviceID, sequence: Int64, at: Timestamp, FixVerdict)
    /// The newest shown position of a person.
    case position(UserID, StoredPosition, FixVerdict)
    /// A person's presence changed, or it is time to note when they were last heard.
    case presence(UserID, Presence, lastSeen: Timestamp?)
    /// A session opened, for operators.
    case sessionOpened(SessionRecord)
    /// A session closed.
    case sessionClosed(SessionID)
    /// A notification; numbered by storage, and sent only after it is committed.
    indirect case notification(NotificationRecord)
    /// A person has seen notifications.
    case seen(UserID, SeenNotifications, at: Timestamp)
    /// A gathering began, changed or ended, with the machine's state of the same moment.
    indirect case gathering(GatheringRecord)
    /// The machine's state of a group changed without a change to a gathering; nil clears it.
    indirect case machine(GroupID, StoredGathering?)
    /// Nothing is decided about a group for a while, for operators; nil when it is decided about again.
    indirect case setAside(GroupID, GroupSetAside?)
}

/// A fix as history keeps it.
package struct FixRecord: Sendable, Equatable, Codable {
    package var device: DeviceID
    package var user: UserID
    /// The fix; `at` is set, and corrected by the gate.
    package var fix: Fix
    package var receivedAt: Timestamp
    package var verdict: FixVerdict
    /// What the gate adds to the device's times since this fix, in milliseconds; nil while its clock is not known.
    ///
    /// It is stored with the device.
    @Packed package var clockOffset: Int32?

    /// Creates a record.
    package init(
        device: DeviceID,
        user: UserID,
        fix: Fix,
        receivedAt: Timestamp,
        verdict: FixVerdict,
        clockOffset: Int32? = nil
    ) {
        self.device = device
        self.user = user
        self.fix = fix
        self.receivedAt = receivedAt
        self.verdict = verdict
        self.clockOffset = clockOffset
    }
}

/// A device as storage keeps it from now on.
///
/// It is a record of its own because few fixes change it: with it each of them would be half as large again.
package struct DeviceRecord: Sendable, Equatable, Codable {
    package var device: DeviceID
    package var user: UserID
    package var receivedAt: Timestamp
    /// As in the `FixRecord` before it.
    @Packed package var clockOffset: Int32?
    package var memory: DeviceMemory

    /// Creates a record.
    package init(
        device: DeviceID,
        user: UserID,
        receivedAt: Timestamp,
        clockOffset: Int32? = nil,
        memory: DeviceMemory
    ) {
        self.device = device
        self.user = user
        self.receivedAt = receivedAt
        self.clockOffset = clockOffset
        self.memory = memory
    }
}

/// A session as operators see it.
package struct SessionRecord: Sendable, Equatable, Codable {
    package var session: SessionID
    package var user: UserID
    package var device: DeviceID
    package var isWatch: Bool
    package var openedAt: Timestamp

    /// Creates a record.
    package init(session: SessionID, user: UserID, device: DeviceID, isWatch: Bool, openedAt: Timestamp) {
        self.session = session
        self.user = user
        self.device = device
        self.isWatch = isWatch
        self.openedAt = openedAt
    }
}

/// A notification that has no number yet.
package struct NotificationRecord: Sendable, Equatable, Codable {
    /// Who is told.
    package var user: UserID
    /// What they are told; its subject is set.
    package var content: NotificationContent

    /// Creates a record.
    package init(user: UserID, content: NotificationContent) {
        self.user = user
        self.content = content
    }
}

/// A gathering as history keeps it.
package struct GatheringRecord: Sendable, Equatable, Codable {
    package var group: GroupID
    package var status: GatheringStatus
    /// When this was decided.
    package var at: Timestamp
    /// The moment of the machine's own time that this is about, a little before `at`.
    package var instant: Timestamp
    /// Everybody who was together at any time since it began.
    package var participants: [UserID]
    /// The machine's state of the same moment; nil clears it.
    package var machine: StoredGathering?

    /// Creates a record.
    package init(
        group: GroupID,
        status: GatheringStatus,
        at: Timestamp,
        instant: Timestamp? = nil,
        participants: [UserID],
        machine: StoredGathering?
    ) {
        self.group = group
        self.status = status
        self.at = at
        self.instant = instant ?? at
        self.participants = participants
        self.machine = machine
    }
}
