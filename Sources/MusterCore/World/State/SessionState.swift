/// One session, from its `hello` on.
struct SessionState {
    /// What is needed until the session is in, and rosters and notifications followed its `welcome`.
    ///
    /// Apart from the session, because it is large and soon gone: beside every session it would be the larger part.
    struct Greeting {
        /// The `hello`.
        let opening: SessionOpening
        /// Groups that must be read before the session is in; empty once it is.
        var awaited: [GroupID]
        /// What it reported before it was let in.
        var early: [FixReport] = []
    }

    let user: UserID
    let device: DeviceID
    let login: LoginID
    /// Where device and person were last.
    var deviceHint: UInt32 = 0
    var personHint: UInt32 = 0
    @Boxed var greeting: Greeting?
    let isWatch: Bool
    /// What the client said last; a watch is always in the background.
    var isForeground: Bool
    /// Whether it was welcomed.
    var isOpen = false
    /// Whether the end of the turn has something to do for it.
    var needsAttention = false

    /// Begins a session that waits for `awaited`.
    init(opening: SessionOpening, awaited: [GroupID]) {
        self.user = opening.arrival.user.id
        self.device = opening.arrival.device
        self.login = opening.login
        self.isWatch = opening.isWatch
        self.isForeground = !opening.isWatch
        self.greeting = Greeting(opening: opening, awaited: awaited)
    }

    /// Whether it follows the rosters of all its person's groups that are held.
    var followsRosters: Bool { self.isOpen && !self.isWatch && self.greeting == nil }

    /// The `hello`, until rosters and notifications followed it.
    var opening: SessionOpening? { self.greeting?.opening }
}
