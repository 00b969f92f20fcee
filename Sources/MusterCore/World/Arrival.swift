/// Who arrives on which device, as the directory found them: enough for the world to take them in.
package struct Arrival: Sendable, Equatable, Codable {
    /// The person.
    package var user: UserProfile
    /// The device that speaks.
    package var device: DeviceID
    /// What the device is.
    package var kind: DeviceKind
    /// The highest fix number of the device that storage holds; used only for a device that the world does not hold.
    package var acknowledgedSequence: Int64
    /// What storage knows of the device's clock: what is to be added to its times, in milliseconds, and nil when that
    /// was never known; likewise.
    package var clockOffset: Int64?
    /// What storage knows of this device and of others of the person that were heard of late; used only for those that the
    /// world has not heard.
    package var devices: [StoredDevice]
    /// The groups that they are a member of.
    package var groups: [GroupID]
    /// Their newest shown position, from storage; used only for a person whom the world does not hold.
    package var position: StoredPosition?
    /// When a device of theirs was last heard, from storage; likewise.
    package var lastSeen: Timestamp?
    /// Their presence as the journal last wrote it; likewise.
    package var presence: Presence
    /// The highest notification number that they were ever given, from storage; likewise.
    package var lastNotification: Int64
    /// The notifications that wait to be seen, oldest first, from storage.
    package var unseen: [NumberedNotification]
    /// Whom they do not want to hear of.
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
