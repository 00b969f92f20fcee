import EventLoop
import MusterTestSupport
import Synchronization

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import WebSocketGateway

/// A shard with the real session application: no socket, no thread, no database, and a world that only records its
/// inputs.
final class SessionFixture {
    /// A request whose handler ends when the test finishes it.
    struct Slow: ClientRequest {
        static let type = "slow"
        static let order = RequestOrder.concurrent
        init(reading fields: JSONFields) {}
    }

    /// The same, as a barrier: a request that changes permissions.
    struct Barrier: ClientRequest {
        static let type = "barrier"
        static let order = RequestOrder.barrier
        init(reading fields: JSONFields) {}
    }

    /// A request that may be sent once an hour, and is refused if it is malformed.
    struct Metered: ClientRequest {
        static let type = "metered"
        static let order = RequestOrder.concurrent
        static let rate: RequestRate? = RequestRate("metered", 1, inSeconds: 3600)
        let isSense: Bool
        init(reading fields: JSONFields) throws(FrameError) { self.isSense = try fields.flag("sense") ?? true }
    }

    /// Records inputs for the world; an answer returns to its session at once.
    final class Notes: WorldLink {
        private let inputs = Mutex<[WorldInput]>([])
        private let mailboxes = Mutex<GatewayMailboxes<SessionApplication.Message>?>(nil)

        let metrics = WorldStatistics()

        func open(_ mailboxes: GatewayMailboxes<SessionApplication.Message>) {
            self.mailboxes.withLock { $0 = mailboxes }
        }

        func send(_ input: WorldInput) {
            if case .answerRequested(let answer) = input {
                let connection = ConnectionID(answer.session)
                self.mailboxes.withLock { $0 }?.send(.send(connection, frame: answer.frame), toShard: 0)
            }
            self.inputs.withLock { $0.append(input) }
        }

        func send(contentsOf inputs: inout [WorldInput]) {
            for input in inputs { self.send(input) }
            inputs.removeAll()
        }

        func deliver(_ inputs: inout [WorldInput]) -> WorldIntake {
            self.send(contentsOf: &inputs)
            return .open
        }

        func unfollowed(_ topic: UnfollowedTopic) {}

        /// The inputs so far.
        var received: [WorldInput] { self.inputs.withLock { $0 } }

        /// The inputs so far, one word each.
        var story: [String] {
            self.inputs.withLock { inputs in
                inputs.map { input in
                    switch input {
                    case .sessionOpened: "opened"
                    case .sessionClosed: "closed"
                    case .fixReceived(_, let fix): "fix \(fix.sequence)"
                    case .drainBegan: "barrier"
                    case .answerRequested: "answer"
                    case _: "other"
                    }
                }
            }
        }
    }

    /// Suspends handlers until the test resumes them.
    final class Handlers: Sendable {
        private struct State {
            var waiting: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []
            var cancelled = 0
            var finished = 0
        }

        private let state = Mutex(State())

        /// The number of suspended handlers.
        var waiting: Int { self.state.withLock { $0.waiting.count } }
        /// The number of handlers that were cancelled while suspended.
        var cancelled: Int { self.state.withLock { $0.cancelled } }

        /// The number of resumed handlers.
        var finished: Int { self.state.withLock { $0.finished } }

        func wait(_ name: String) async {
            defer { self.state.withLock { $0.finished += 1 } }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    self.state.withLock { $0.waiting.append((name, continuation)) }
                }
            } onCancel: {
                self.state.withLock { $0.cancelled += 1 }
            }
        }

        /// Resumes the first handler suspended under a name.
        func finish(_ name: String) {
            let first = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let index = state.waiting.firstIndex(where: { $0.name == name }) else { return nil }
                return state.waiting.remove(at: index).continuation
            }
            first?.resume()
        }

        /// Resumes all handlers.
        func finishAll() {
            let all = self.state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiter in all { waiter.continuation.resume() }
        }
    }

    private final class TestServices: SessionServices {
        let fixRate = 10.0
        let fixBurst = 400.0
        let retention: Int64 = 30 * 86_400_000
        let wallMilliseconds: Int64 = 1_735_689_600_000
        let unreadiness: String? = nil
        let health = HTTPResponse.text("ok\n")
        let notes: Notes
        let mailboxes = Mutex<GatewayMailboxes<SessionApplication.Message>?>(nil)

        var world: any WorldLink { self.notes }

        init(notes: Notes) { self.notes = notes }

        func admit(_ hello: Hello) async throws(FrameError) -> Admission {
            guard hello.token == "right" else { throw FrameError(.unauthorized, message: "No such login.") }
            return Admission(
                arrival: Arrival(user: UserProfile(id: UserID(7), name: "Ada"), device: DeviceID(5), kind: .phone),
                login: LoginID(1),
                expiresAt: .never
            )
        }

        func deliver(_ message: SessionApplication.Message, to connection: ConnectionID) {
            self.mailboxes.withLock { $0 }?.deliver(message, to: connection)
        }

        func source(of topic: TopicID) -> any TopicSource { self.notes }

        func respond(_ response: HTTPResponse, to request: RequestID) {}

        func linkBase(host: String?) -> String { "" }

        func outcome(
            of request: any ClientRequest,
            for caller: Caller,
            by handle: @Sendable (any ClientRequest, Caller) async throws -> EncodedOutcome
        ) async -> EncodedOutcome {
            do { return try await handle(request, caller) } catch {
                return EncodedOutcome(FrameError(.internal, message: "\(error)"), for: caller)
            }
        }

        func apply(_ changes: [Change], then inputs: () -> [WorldInput]) async {
            var inputs = inputs()
            if !inputs.isEmpty { self.world.send(contentsOf: &inputs) }
        }

        func requestTookTooLong(_ request: any ClientRequest.Type) {}
    }

    let clock = ManualClock()
    let notes = Notes()
    let handlers = Handlers()
    let shard: MemoryShard<SessionApplication>

    init() {
        let (notes, handlers) = (self.notes, self.handlers)
        let services = TestServices(notes: notes)
        let requests = RequestTable([
            .asynchronous(Slow.self) { _, _ in
                await handlers.wait("slow")
                return .done()
            },
            .asynchronous(Metered.self) { request, _ in
                guard request.isSense else {
                    return RequestOutcome(
                        .failure(FrameError(.badRequest, message: "That is no sense.", field: "sense"))
                    )
                }
                return .done()
            },
            // The drain simulates an answer that the world must apply first.
            .asynchronous(Barrier.self) { _, _ in
                await handlers.wait("barrier")
                return .done(after: [WorldInput.drainBegan])
            },
        ])
        let routes = RouteTable(
            [],
            origins: OriginPolicy(named: []),
            statistics: HTTPStatistics(),
            logger: Logger(level: .error)
        )
        self.shard = MemoryShard(kinds: [:], clock: self.clock.clock) {
            SessionApplication(services: services, requests: requests, routes: routes, shard: $0)
        }
        notes.open(self.shard.mailboxes)
        services.mailboxes.withLock { $0 = self.shard.mailboxes }
    }

    deinit { self.handlers.finishAll() }

    /// Connects a client.
    func enter(subprotocol: String = "muster.v1") -> MemoryClient {
        let client = self.shard.connect(subprotocol: subprotocol)
        self.send(Self.hello("right"), from: client)
        _ = self.iterate(until: { self.notes.story.contains("opened") })
        return client
    }

    static func hello(_ token: String) -> String {
        #"{"type":"hello","id":1,"token":"\#(token)","device":{"key":"k","kind":"phone"}}"#
    }

    static func fix(_ number: Int) -> String { #"{"type":"location","seq":\#(number),"lat":48,"lon":11}"# }

    /// Sends frames in one tick of the loop.
    func send(_ frames: String..., from client: MemoryClient) {
        for frame in frames { self.shard.receive(frame, from: client) }
        self.shard.iterate()
    }

    /// Runs the loop until a condition holds that tasks bring about.
    ///
    /// The timeout allows for many concurrent tests.
    func iterate(until holds: () -> Bool) -> Bool { self.shard.iterate(until: holds, milliseconds: 120_000) }

    /// Runs the loop until this many handlers are suspended.
    func wait(for count: Int) -> Bool { self.iterate(until: { self.handlers.waiting == count }) }
}
