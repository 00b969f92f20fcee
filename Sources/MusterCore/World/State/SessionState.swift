/// One session, from its `hello` on.
struct SessionState {
    /// Apart from the session, because it is large and soon gone: beside every session it would be the larger part.
    private indirect enum Greeting {
        case pending(SessionOpening)
        case done
    }

    let user: UserID
    let device: DeviceID
    let login: LoginID
    let isWatch: Bool
    /// What the client said last; a watch is always in the background.
    var isForeground: Bool
    /// Groups that must be read before the session is in; empty once it is.
    var awaited: [GroupID]
    /// Whether it was welcomed.
    var isOpen = false
    /// The `hello`, until rosters and notifications followed it.
    var opening: SessionOpening? {
        get { if case .pending(let opening) = self.greeting { opening } else { nil } }
        set { self.greeting = newValue.map(Greeting.pending) ?? .done }
    }
    private var greeting: Greeting
    /// What it reported before it was let in.
    var early: [FixReport] = []
    /// The rosters it follows.
    var subscriptions: [GroupID] = []
    /// Whether the end of the turn has something to do for it.
    var needsAttention = false

    /// Begins a session that waits for `awaited`.
    init(opening: SessionOpening, awaited: [GroupID]) {
        self.user = opening.arrival.user.id
        self.device = opening.arrival.device
        self.login = opening.login
        self.isWatch = opening.isWatch
        self.isForeground = !opening.isWatch
        self.awaited = awaited
        self.greeting = .pending(opening)
    }
}
