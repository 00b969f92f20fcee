import EventLoop
import MusterCore
import MusterStore
import MusterWire
import WebSocketGateway

/// The destinations of the world's effects.
struct WorldOutlets: Sendable {
    let shards: any ShardOutlet
    let journal: any JournalOutlet
    let groups: any GroupSource
    let reports: PendingAnswers<ReportOutcome>
    let sights: PendingAnswers<GroupSight>
    let glances: any GlanceOutlet
    let atlas: any AtlasLink
    let terms: ServerTerms
    let log: @Sendable (LogEvent) -> Void
}

/// A destination of records to store.
protocol JournalOutlet: Sendable {
    /// Submits the records of a batch, to be committed together, and leaves the array empty with its capacity.
    func submit(_ entries: inout [JournalEntry])
}

/// Performs the storage reads that the world requests.
protocol GroupSource: Sendable {
    /// Starts to read a group; answered by `groupLoaded` or `groupLoadFailed`.
    func load(_ group: GroupID)
    /// Starts to compare logins and users with storage; answered by `loginEnded` and `accountDeleted` for each that has
    /// ended, or by `loginsSuspected`.
    func checkLogins(_ logins: [LoginID], of users: [UserID])
    /// Starts to read a user's pending notifications; answered by `notificationsRead` or `notificationsReadFailed`.
    func readNotifications(of user: UserID)
    /// Starts to read the spots that a session missed; answered by `spotsRead` or `spotsReadFailed`.
    func readSpots(_ reading: SpotReading)
    /// Starts to count votes; answered by `votesCounted` or `votesNotCounted`.
    func countVotes(on spots: [SpotID])
    /// Starts to read the texts of spots; answered by `spotTextsRead` or `spotTextsNotRead`.
    func readTexts(of spots: [SpotID])
    /// Starts to read a user's rooms; answered by `roomsRead` or `roomsNotRead`.
    func readRooms(_ reading: RoomsReading)
    /// Starts to read the changes of a room; answered by `read` or `notRead`.
    func readRoom(_ room: RoomID, after version: Int64)
    /// Starts to read the newest versions of rooms; answered by `advanced` or `suspected`.
    func readHeads(of rooms: [RoomID])
    /// Starts to read an event; answered by `EventInput.changed` or `removed`, or by `notRead` for its room.
    func readEvent(_ event: EventID)
    /// Posts a message of the server in a room, at most once for a key.
    func say(_ data: NotificationPayload, key: String, in room: RoomID, at moment: Timestamp)
    /// Notifies an offline user of unread messages.
    func noteAway(_ user: UserID)
}

/// Sends glances to wearables that have no connection to a gateway.
protocol GlanceOutlet: Sendable {
    /// Sends a glance, and returns whether the session is such a wearable.
    func send(_ glance: Glance, to session: SessionID) -> Bool
    /// Ends the session, if it is such a wearable.
    func end(_ session: SessionID)
}

extension Gateway: ShardOutlet {}
extension Journal: JournalOutlet {}
