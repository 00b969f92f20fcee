import MusterStore
import MusterWire
import WebSocketGateway

/// What the sessions of a shard need of the rest of the server; shared by all threads.
protocol SessionServices: Sendable {
    /// Fixes a second that a session may send for long.
    var fixRate: Double { get }
    /// Fixes that a session may send at once.
    var fixBurst: Double { get }
    /// Milliseconds for which history is kept.
    var retention: Int64 { get }
    /// Milliseconds since the Unix epoch.
    var wallMilliseconds: Int64 { get }
    /// The way to the world.
    var world: any WorldLink { get }
    /// Whoever has the topics of a kind mirrored.
    func source(of topic: TopicID) -> any TopicSource
    /// Why nobody can be let in now; nil when they can.
    var unreadiness: String? { get }
    /// The answer to `GET /healthz`.
    var health: HTTPResponse { get }

    /// Asks the directory to let somebody in.
    ///
    /// - Throws: what the directory says.
    func admit(_ hello: Hello) async throws(FrameError) -> Admission

    /// Hands a message to the application of a connection's shard.
    func deliver(_ message: SessionApplication.Message, to connection: ConnectionID)

    /// Answers an HTTP request.
    func respond(_ response: HTTPResponse, to request: RequestID)

    /// The address in front of links, for a client that came by `host`.
    func linkBase(host: String?) -> String

    /// Runs a handler; whatever it throws becomes the answer.
    func outcome(
        of request: any ClientRequest,
        for caller: Caller,
        by handle: @Sendable (any ClientRequest, Caller) async throws -> EncodedOutcome
    ) async -> EncodedOutcome

    /// Notes that a handler did not end in time.
    func requestTookTooLong(_ request: any ClientRequest.Type)
}
