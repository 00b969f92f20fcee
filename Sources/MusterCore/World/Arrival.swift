/// The stored state of an authenticated user and device: everything that the world needs to load them.
package struct Arrival: Sendable, Equatable {
    /// The user.
    package var user: UserProfile
    /// The device that connects or reports.
    package var device: DeviceID
    /// The kind of the device.
    package var kind: DeviceKind
    /// The highest fix number of the device in storage.
    ///
    /// Ignored when the world already knows the device.
    package var acknowledgedSequence: Int64
    /// The stored clock correction in milliseconds, to be added to the device's times; nil when it was never known.
    ///
    /// Ignored when the world already knows the device.
    package var clockOffset: Int64?
    /// The stored state of this device and of the user's other recently active devices.
    ///
    /// Used only for devices that have not sent anything to the world yet.
    package var devices: [StoredDevice]
    /// The groups that the user is a member of.
    package var groups: [GroupID]
    /// The newest shown position in storage.
    ///
    /// Ignored when the world already knows the user.
    package var position: StoredPosition?
    /// The time of the last contact with any device of the user, from storage.
    ///
    /// Ignored when the world already knows the user.
    package var lastSeen: Timestamp?
    /// The presence that the journal wrote last.
    ///
    /// Ignored when the world already knows the user.
    package var presence: Presence
    /// The highest notification number ever assigned to the user, from storage.
    package var lastNotification: Int64
    /// The unseen notifications in storage, oldest first.
    package var unseen: [NumberedNotification]
    /// The users whom this user has blocked.
    package var blocked: [UserID]

    /// Creates an arrival.
    package init(
        user: UserProfile,
        device: DeviceID,
        kind: DeviceKind,
        acknowledgedSequence: Int64 = 0,
        clockOffset: Int64? = nil,
        devices: [StoredDevice] = [],
        groups: [GroupID] = [],
        position: StoredPosition? = nil,
        lastSeen: Timestamp? = nil,
        presence: Presence = .offline,
        lastNotification: Int64 = 0,
        unseen: [NumberedNotification] = [],
        blocked: [UserID] = []
    ) {
        self.user = user
        self.device = device
        self.kind = kind
        self.acknowledgedSequence = acknowledgedSequence
        self.clockOffset = clockOffset
        self.devices = devices
        self.groups = groups
        self.position = position
        self.lastSeen = lastSeen
        self.presence = presence
        self.lastNotification = lastNotification
        self.unseen = unseen
        self.blocked = blocked
    }
}
