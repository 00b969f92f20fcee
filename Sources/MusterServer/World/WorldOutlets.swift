import EventLoop
import MusterCore
import MusterStore
import MusterWire
import WebSocketGateway

/// Where the world's effects go.
struct WorldOutlets: Sendable {
    let shards: any ShardOutlet
    let journal: any JournalOutlet
    let groups: any GroupSource
    let reports: any ReportOutlet
    let sights: any SightOutlet
    let glances: any GlanceOutlet
    let atlas: any AtlasLink
    let terms: ServerTerms
    let log: @Sendable (LogEvent) -> Void
}

/// Takes records that are to be stored.
protocol JournalOutlet: Sendable {
    /// Takes the records of a turn, to be committed together, and leaves the array empty with its capacity.
    func submit(_ entries: inout [JournalEntry])
}

/// Reads what the world asks storage for.
protocol GroupSource: Sendable {
    /// Begins to read a group; the world is told by `groupLoaded` or `groupLoadFailed`.
    func load(_ group: GroupID)
    /// Begins to read all that waits for a person; the world is told by `notificationsRead` or `notificationsReadFailed`.
    func readNotifications(of user: UserID)
    /// Begins to read spots that a session missed; the world is told by `spotsRead` or `spotsReadFailed`.
    func readSpots(_ reading: SpotReading)
    /// Begins to count votes; the world is told by `votesCounted` or `votesNotCounted`.
    func countVotes(on spots: [SpotID])
    /// Begins to read what spots say; the world is told by `spotTextsRead` or `spotTextsNotRead`.
    func readTexts(of spots: [SpotID])
    /// Begins to read somebody's rooms; the world is told by `roomsRead` or `roomsNotRead`.
    func readRooms(_ reading: RoomsReading)
    /// Begins to read what changed in a room; the world is told by `read` or `notRead`.
    func readRoom(_ room: RoomID, after version: Int64)
    /// Begins to read how far rooms are; the world is told by `advanced`, or `suspected`.
    func readHeads(of rooms: [RoomID])
    /// Begins to read an event; the world is told by `EventInput.changed` or `removed`, or `notRead` for its room.
    func readEvent(_ event: EventID)
    /// Has a room say something, once for a key.
    func say(_ data: NotificationPayload, key: String, in room: RoomID, at moment: Timestamp)
    /// Has a person told what they have not read, who is no longer there.
    func noteAway(_ user: UserID)
}

/// Tells requests that wait for the world what became of their fixes.
protocol ReportOutlet: Sendable {
    /// Ends the wait of a request.
    func resolve(_ request: SessionID, _ outcome: Result<ReportOutcome, FrameError>)
}

/// Tells requests that wait for the world what a group sees of its members.
protocol SightOutlet: Sendable {
    /// Ends the wait of a request; nil when it is not known.
    func resolve(_ request: Int64, _ sight: GroupSight?)
}

/// Sends glances to watches that have no connection of a gateway.
protocol GlanceOutlet: Sendable {
    /// Sends a glance, and says whether the session is such a watch.
    func send(_ glance: Glance, to session: SessionID) -> Bool
    /// Ends the session, if it is such a watch.
    func end(_ session: SessionID)
}

extension Gateway: ShardOutlet {}
extension Journal: JournalOutlet {}
extension PendingReports: ReportOutlet {}
