/// The newest position of a person that may be shown.
struct ShownPosition {
    var device: DeviceID
    /// The fix; its `at` is set.
    var fix: Fix
    var at: Timestamp
    /// The earlier of when it was taken and when it arrived: a phone whose clock runs ahead must not carry a position
    /// over the end of a pause.
    var takenBefore: Timestamp
    var verdict: FixVerdict
    var isStationary: Bool

    /// What storage keeps of it.
    var stored: StoredPosition { StoredPosition(device: self.device, fix: self.fix, isStationary: self.isStationary) }
}

/// A person whom the world holds.
struct UserState {
    var profile: UserProfile
    /// Sessions that were welcomed.
    var sessions: [SessionID] = []
    var devices: [DeviceID] = []
    /// Groups that the world holds and they are a member of, by id.
    var memberships: [GroupID] = []
    var shown: ShownPosition?
    /// Which of their devices says where they are.
    var lead = DeviceLead()
    var presence: PresenceState
    var inbox: NotificationInbox

    /// When a device of theirs was last heard.
    var lastHeard: Timestamp?
    /// The same as others were told it, which is coarser.
    var lastSeen: Timestamp?
    /// The `lastSeen` that the journal was given last.
    var lastSeenNoted: Timestamp?
    /// Whether the journal has still to be told the presence.
    var isPresenceOwed = false

    // At most one write and one `self` a second; the last one always goes out.
    var lastPositionWrite: Timestamp?
    var isPositionOwed = false
    var lastSelfSent: Timestamp?
    var isSelfOwed = false
    /// Whether the next tick looks at them.
    var isTrailing = false

    /// When something last happened to them.
    var lastActivity: Timestamp
    /// The last record that the journal was given for them.
    var lastRecord: Int64 = 0

    /// Creates a person who does nothing yet.
    init(profile: UserProfile, presence: PresenceState, inbox: NotificationInbox, at now: Timestamp) {
        self.profile = profile
        self.presence = presence
        self.inbox = inbox
        self.lastActivity = now
    }
}
