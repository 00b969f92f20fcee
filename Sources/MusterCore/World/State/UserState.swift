/// The newest position of a person that may be shown.
struct ShownPosition {
    var device: DeviceID
    /// The fix; its `at` is set.
    var fix: Fix
    /// The earlier of when it was taken and when it arrived: a phone whose clock runs ahead must not carry a position
    /// over the end of a pause.
    var takenBefore: Timestamp
    /// Whether the clock that `takenBefore` comes from is known, the device's or our own.
    var isTimeKnown: Bool
    var verdict: FixVerdict
    var isStationary: Bool

    /// Shows a fix that was taken at `at`.
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

    /// Shows again what storage keeps of a position; nil when that does not say when it was taken.
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

    /// When it was taken.
    var at: Timestamp { self.fix.at ?? self.takenBefore }

    /// Takes a time ahead of now as one just before now, so that a `visibleSince` turned back to now still hides it.
    mutating func turnBack(to now: Timestamp) {
        if self.takenBefore > now { self.takenBefore = now - 1 }
    }

    /// What storage keeps of it.
    var stored: StoredPosition {
        StoredPosition(
            device: self.device,
            fix: self.fix,
            isStationary: self.isStationary,
            isClockKnown: self.isTimeKnown
        )
    }
}

/// A person whom the world holds.
struct UserState {
    var profile: UserProfile
    /// Sessions that were welcomed.
    var sessions = ShortList<SessionID>()
    var devices = ShortList<DeviceID>()
    /// Groups that the world holds and they are a member of, by id.
    var memberships = ShortList<GroupID>()
    var shown: ShownPosition?
    /// Which of their devices says where they are.
    var lead = DeviceLead()
    var presence: PresenceState
    var inbox: NotificationInbox
    /// What their watch that went last was sent last.
    @Boxed var partedGlance: GlanceState.Parted?

    /// When a device of theirs last sent something, or went.
    @Packed var lastContact: Timestamp?
    /// The same as others were told it, which is coarser.
    @Packed var lastSeen: Timestamp?
    /// The `lastSeen` that the journal was given last.
    @Packed var lastSeenNoted: Timestamp?
    /// No earlier than the moment at which they wait to be looked at; to ask for a later one changes nothing.
    var nextDeadline = Timestamp.never
    /// Where the first of their groups was last.
    var groupHint: UInt32 = 0
    /// When something last happened to them.
    var lastActivity: Timestamp
    /// The last record that the journal was given for them.
    var lastRecord: Int64 = 0

    // At most one write and one `self` a second; the last one always goes out.
    @Packed var lastPositionWrite: Timestamp?
    @Packed var lastSelfSent: Timestamp?
    var isPositionOwed = false
    var isSelfOwed = false
    /// Whether the next tick looks at them.
    var isTrailing = false
    /// Whether one of their sessions shows glances.
    var hasWatch = false
    /// Whether the journal has still to be told the presence.
    var isPresenceOwed = false
    /// Whether that says that they are not there any more.
    var isDepartureOwed = false

    /// Creates a person who does nothing yet.
    init(profile: UserProfile, presence: PresenceState, inbox: NotificationInbox, at now: Timestamp) {
        self.profile = profile
        self.presence = presence
        self.inbox = inbox
        self.lastActivity = now
    }

    /// Notes that a device of theirs sent something, or went.
    mutating func noteContact(at now: Timestamp) {
        self.lastContact = now
        self.lastActivity = now
    }

    /// Forgets times ahead of now, after the clock was put right.
    mutating func turnBack(to now: Timestamp) {
        self.lead.turnBack(to: now)
        self.shown?.turnBack(to: now)
        self.presence.turnBack(to: now)
        self.lastActivity = min(self.lastActivity, now)
        self.lastContact = self.lastContact.map { min($0, now) }
        self.lastSeen = self.lastSeen.map { min($0, now) }
        self.lastSeenNoted = self.lastSeenNoted.map { min($0, now) }
        self.lastPositionWrite = nil
        self.lastSelfSent = nil
    }

    /// Shows where they are from now on, which is to be written and told their other devices.
    mutating func show(_ position: ShownPosition) {
        self.shown = position
        self.isPositionOwed = true
        self.isSelfOwed = true
    }
}
