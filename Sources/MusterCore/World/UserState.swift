/// The newest shown position of a user.
struct ShownPosition {
    var device: DeviceID
    /// The fix; its `at` is set.
    var fix: Fix
    /// The earlier of the fix time and the arrival time: a phone whose clock is ahead must not carry a position past
    /// the end of a pause.
    var takenBefore: Timestamp
    /// Whether the clock behind `takenBefore` is known: the corrected device clock or the server's clock.
    var isTimeKnown: Bool
    var verdict: FixVerdict
    var isStationary: Bool

    /// Creates a shown position from a fix taken at `at`.
    init(
        device: DeviceID,
        fix: Fix,
        at: Timestamp,
        takenBefore: Timestamp,
        isTimeKnown: Bool,
        verdict: FixVerdict,
        isStationary: Bool
    ) {
        self.device = device
        self.fix = fix
        self.fix.at = at
        self.takenBefore = takenBefore
        self.isTimeKnown = isTimeKnown
        self.verdict = verdict
        self.isStationary = isStationary
    }

    /// Creates a shown position from a stored one; nil when that has no time.
    init?(stored: StoredPosition) {
        guard let at = stored.fix.at else { return nil }
        self.init(
            device: stored.device,
            fix: stored.fix,
            at: at,
            takenBefore: at,
            isTimeKnown: stored.isClockKnown,
            verdict: .ok,
            isStationary: stored.isStationary
        )
    }

    /// The time of the fix.
    var at: Timestamp { self.fix.at ?? self.takenBefore }

    /// Limits recorded times to now, after the clock was corrected.
    mutating func rewind(to now: Timestamp) {
        if self.takenBefore > now { self.takenBefore = now - 1 }
        // The age of the position is unknown. So the position must not become live when its wrong time comes.
        if self.at - now > FixGate.tolerance { self.fix.at = now - (Freshness.recentAge + 1) }
    }

    /// The position as storage keeps it.
    var stored: StoredPosition {
        StoredPosition(
            device: self.device,
            fix: self.fix,
            isStationary: self.isStationary,
            isClockKnown: self.isTimeKnown
        )
    }
}

/// A loaded user.
struct UserState {
    var profile: UserProfile
    /// Sessions that were welcomed.
    var sessions = ShortList<SessionID>()
    var devices = ShortList<DeviceID>()
    /// The loaded groups of the user, by id.
    var memberships = ShortList<GroupID>()
    var shown: ShownPosition?
    /// Determines which of the user's devices is shown.
    var lead = DeviceLead()
    var presence: PresenceState
    var inbox: NotificationInbox
    /// The last glance of the wearable session that closed last.
    @Boxed var disconnectedGlance: GlanceState.Disconnected?

    /// The time of the last contact with any device of the user.
    @Packed var lastContact: Timestamp?
    /// The last contact as published to others, which is coarser.
    @Packed var lastSeen: Timestamp?
    /// The last contact as journaled.
    @Packed var lastSeenNoted: Timestamp?
    /// An upper bound of the scheduled check.
    ///
    /// Requests for a later one have no effect.
    var nextDeadline = Timestamp.never
    /// The last known slot of the user's first group.
    var groupHint: UInt32 = 0
    /// The time of the last activity.
    var lastActivity: Timestamp
    /// The last journal record of the user.
    var lastRecord: Int64 = 0

    // At most one write and one `self` message a second; the last one is always sent.
    @Packed var lastPositionWrite: Timestamp?
    @Packed var lastSelfSent: Timestamp?
    var isPositionOwed = false
    var isSelfOwed = false
    /// Whether the next tick processes the user.
    var isUpdateDeferred = false
    /// Whether one of the user's sessions receives glances.
    var hasWearable = false
    /// Whether the user notifies others of arrivals, so that the user is in `World.arrivals`.
    var tellsPlaces = false
    /// Whether a change of presence must be journaled.
    var isPresenceOwed = false
    /// Whether that change ends being online.
    var isDepartureOwed = false

    /// Creates a user without activity.
    init(profile: UserProfile, presence: PresenceState, inbox: NotificationInbox, at now: Timestamp) {
        self.profile = profile
        self.presence = presence
        self.inbox = inbox
        self.lastActivity = now
    }

    /// Records a contact with a device of the user.
    mutating func noteContact(at now: Timestamp) {
        self.lastContact = now
        self.lastActivity = now
    }

    /// Limits recorded times to now, after the clock was corrected.
    mutating func rewind(to now: Timestamp) {
        self.lead.rewind(to: now)
        let at = self.shown?.at
        self.shown?.rewind(to: now)
        if self.shown?.at != at { self.isPositionOwed = true }
        self.presence.rewind(to: now)
        self.lastActivity = min(self.lastActivity, now)
        self.lastContact = self.lastContact.map { min($0, now) }
        self.lastSeen = self.lastSeen.map { min($0, now) }
        self.lastSeenNoted = self.lastSeenNoted.map { min($0, now) }
        self.lastPositionWrite = nil
        self.lastSelfSent = nil
    }

    /// Shows a new position, which must be written and sent to the user's other devices.
    mutating func show(_ position: ShownPosition) {
        self.shown = position
        self.isPositionOwed = true
        self.isSelfOwed = true
    }
}
