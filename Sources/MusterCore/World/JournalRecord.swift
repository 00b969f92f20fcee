/// A row for the journal to write.
///
/// Records are committed in the order in which the world created them. Cases larger than a fix are `indirect`.
package enum JournalRecord: Sendable, Equatable {
    /// A fix with its verdict. The same transaction updates the device's acknowledged sequence.
    case fix(FixRecord)
    /// A fix of a phone's own app, with the key by which a repeated report is recognised.
    indirect case trackerFix(FixRecord, ReportKey)
    /// The persistent state of a device changed with the fixes that precede this record in the same batch.
    case device(DeviceRecord)
    /// A pending implausible fix was confirmed; `at` is the time it was stored with.
    case verdict(DeviceID, sequence: Int64, at: Timestamp, FixVerdict)
    /// The newest shown position of a user.
    case position(UserID, StoredPosition, FixVerdict)
    /// The presence of a user changed, or `lastSeen` is due for an update.
    case presence(UserID, Presence, lastSeen: Timestamp?)
    /// A session opened, for operators.
    case sessionOpened(SessionRecord)
    /// A session closed.
    case sessionClosed(SessionID)
    /// A notification. Storage assigns its number, and it is sent only after the commit.
    indirect case notification(NotificationRecord)
    /// A user has seen notifications.
    case seen(UserID, SeenNotifications, at: Timestamp)
    /// A gathering began, changed or ended, with the machine state of the same moment.
    indirect case gathering(GatheringRecord)
    /// The machine state of a group changed without a change to a gathering; nil clears it.
    indirect case machine(GroupID, GatheringState?)
    /// The state of a user at a place changed.
    indirect case arrival(StoredArrival)
    /// The evaluation of a group was suspended, for operators; nil when it resumes.
    indirect case suspension(GroupID, GroupSuspension?)
}

/// A fix for the history table.
package struct FixRecord: Sendable, Equatable {
    package var device: DeviceID
    package var user: UserID
    /// The fix; `at` is set and corrected by the gate.
    package var fix: Fix
    package var receivedAt: Timestamp
    package var verdict: FixVerdict
    /// The clock correction that the gate adds to the device's times from this fix on, in milliseconds; nil while
    /// unknown.
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

/// The persistent state of a device.
///
/// It is a separate record because few fixes change it; as part of `FixRecord` it would enlarge each one by half.
package struct DeviceRecord: Sendable, Equatable {
    package var device: DeviceID
    package var user: UserID
    package var receivedAt: Timestamp
    /// The correction of the preceding `FixRecord`.
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

/// A session for the operators' table.
package struct SessionRecord: Sendable, Equatable {
    package var session: SessionID
    package var user: UserID
    package var device: DeviceID
    package var isWatch: Bool
    package var openedAt: Timestamp
}

/// A notification without a number.
package struct NotificationRecord: Sendable, Equatable {
    /// The recipient.
    package var user: UserID
    /// The content; its subject is set.
    package var content: NotificationContent

    /// Creates a record.
    package init(user: UserID, content: NotificationContent) {
        self.user = user
        self.content = content
    }
}

/// A gathering for the history table.
package struct GatheringRecord: Sendable, Equatable {
    package var group: GroupID
    package var status: GatheringStatus
    /// The time of the decision.
    package var at: Timestamp
    /// The moment of the machine's own time that the change refers to, a little before `at`.
    package var instant: Timestamp
    /// All members who were together at any time since the gathering began.
    package var participants: [UserID]
    /// The machine state of the same moment; nil clears it.
    package var machine: GatheringState?

    /// Creates a record.
    package init(
        group: GroupID,
        status: GatheringStatus,
        at: Timestamp,
        instant: Timestamp? = nil,
        participants: [UserID],
        machine: GatheringState?
    ) {
        self.group = group
        self.status = status
        self.at = at
        self.instant = instant ?? at
        self.participants = participants
        self.machine = machine
    }
}
