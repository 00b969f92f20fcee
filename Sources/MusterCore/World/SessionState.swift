/// A session, from its `hello` on.
struct SessionState {
    /// The handshake state, needed until the `welcome`, rosters and notifications are sent.
    ///
    /// It is boxed because it is large and short-lived: stored inline it would be the larger part of every session.
    struct Handshake {
        /// The `hello`.
        let opening: SessionOpening
        /// Groups that must be loaded before the session is admitted; empty afterwards.
        var awaited: [GroupID]
        /// Reports received before the session was admitted.
        var buffered: [FixReport] = []
    }

    let user: UserID
    let device: DeviceID
    let login: LoginID
    /// The last known slots of the device and the user.
    var deviceHint: UInt32 = 0
    var personHint: UInt32 = 0
    @Boxed var handshake: Handshake?
    let isWatch: Bool
    /// The foreground state that the client last reported; a wearable is always in the background.
    var isForeground: Bool
    /// Whether the session was welcomed.
    var isOpen = false
    /// Whether the session has work to do at the end of the batch.
    var needsAttention = false

    /// Creates a session that waits for the groups `awaited`.
    init(opening: SessionOpening, awaited: [GroupID]) {
        self.user = opening.arrival.user.id
        self.device = opening.arrival.device
        self.login = opening.login
        self.isWatch = opening.isWatch
        self.isForeground = !opening.isWatch
        self.handshake = Handshake(opening: opening, awaited: awaited)
    }

    /// Whether it follows the rosters of all its user's loaded groups.
    var followsRosters: Bool { self.isOpen && !self.isWatch && self.handshake == nil }

    /// The `hello`, until rosters and notifications are sent.
    var opening: SessionOpening? { self.handshake?.opening }
}
