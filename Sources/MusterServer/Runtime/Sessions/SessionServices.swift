import MusterCore
import MusterWire
import WebSocketGateway

/// The services of the server that the sessions of a shard use; shared by all threads.
protocol SessionServices: Sendable {
    /// The sustained rate limit of a session, in fixes a second.
    var fixRate: Double { get }
    /// The burst limit of a session, in fixes.
    var fixBurst: Double { get }
    /// Milliseconds for which history is kept.
    var retention: Int64 { get }
    /// Milliseconds since the Unix epoch.
    var wallMilliseconds: Int64 { get }
    /// The link to the world.
    var world: any WorldLink { get }
    /// The source of a topic.
    func source(of topic: TopicID) -> any TopicSource
    /// The reason why sessions cannot be admitted now; nil when they can.
    var unreadiness: String? { get }
    /// The answer to `GET /healthz`.
    var health: HTTPResponse { get }

    /// Requests the admission of a session from the directory.
    ///
    /// - Throws: the directory's error.
    func admit(_ hello: Hello) async throws(FrameError) -> Admission

    /// Sends a message to the application of a connection's shard.
    func deliver(_ message: SessionApplication.Message, to connection: ConnectionID)

    /// Answers an HTTP request.
    func respond(_ response: HTTPResponse, to request: RequestID)

    /// The base address of links, for a client that connected to `host`.
    func linkBase(host: String?) -> String

    /// Runs a handler; an error becomes the answer.
    func outcome(
        of request: any ClientRequest,
        for caller: Caller,
        by handle: @Sendable (any ClientRequest, Caller) async throws -> EncodedOutcome
    ) async -> EncodedOutcome

    /// Sends committed changes to the live state, and then the inputs that the closure returns to the world.
    func apply(_ changes: [Change], then inputs: () -> [WorldInput]) async

    /// Logs that a handler exceeded its time limit.
    func requestTookTooLong(_ request: any ClientRequest.Type)
}
