import EventLoop
import MusterCore
import MusterWire
import WebSocketGateway

/// The destinations of the world's effects.
struct WorldOutlets: Sendable {
    let shards: any ShardOutlet
    let journal: any JournalOutlet
    let storage: any StorageOutlet
    let chat: any ChatOutlet
    let reports: PendingAnswers<ReportOutcome>
    let sights: PendingAnswers<GroupVisibility>
    let phoneViews: PendingAnswers<PhoneView>
    let glances: any GlanceOutlet
    let clusters: any ClusterLink
    let terms: ServerTerms
    let log: @Sendable (LogEvent) -> Void
}

/// A destination of records to store.
protocol JournalOutlet: Sendable {
    /// Submits the records of a batch, to be committed together, and leaves the array empty with its capacity.
    func submit(_ entries: inout [JournalEntry])
}

/// Answers the world's questions to storage.
protocol StorageOutlet: Sendable {
    /// Starts to answer a question; the answer is an input of the world.
    func ask(_ question: StorageQuestion)
    /// Puts what is not stored as a notification into the outbox for closed apps.
    func push(_ content: NotificationContent, to user: UserID, until expiresAt: Timestamp)
}

extension StorageOutlet {
    /// Nothing is pushed without storage.
    func push(_ content: NotificationContent, to user: UserID, until expiresAt: Timestamp) {}
}

/// Performs the chat requests of the world.
protocol ChatOutlet: Sendable {
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
extension ChatService: ChatOutlet {}
