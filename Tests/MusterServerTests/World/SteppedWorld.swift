import EventLoop
import MusterTestSupport
import Synchronization

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire
@testable import WebSocketGateway

/// A world whose loop runs only when the test calls `iterate`: no thread, no socket, no database.
struct SteppedWorld {
    /// Stores the output of each tick.
    final class Outbox: ShardOutlet, JournalOutlet, StorageOutlet, ChatOutlet {
        private struct State {
            var commands: [[GatewayCommand]]
            var batches: [[JournalEntry]] = []
            var questions: [StorageQuestion] = []
        }

        private let state: Mutex<State>
        let shardCount: Int

        init(shards: Int) {
            self.shardCount = shards
            self.state = Mutex(State(commands: Array(repeating: [], count: shards)))
        }

        func send(contentsOf commands: inout [GatewayCommand], toShard shard: Int) {
            let sent = commands
            self.state.withLock { $0.commands[shard] += sent }
            commands.removeAll(keepingCapacity: true)
        }

        func submit(_ entries: inout [JournalEntry]) {
            let submitted = entries
            self.state.withLock { $0.batches.append(submitted) }
            entries.removeAll(keepingCapacity: true)
        }

        func ask(_ question: StorageQuestion) { self.state.withLock { $0.questions.append(question) } }

        func say(_ data: NotificationPayload, key: String, in room: RoomID, at moment: Timestamp) {}

        func noteAway(_ user: UserID) {}

        /// The commands for a shard since the last call.
        func commands(ofShard shard: Int) -> [GatewayCommand] {
            self.state.withLock { state in
                defer { state.commands[shard] = [] }
                return state.commands[shard]
            }
        }

        /// The batches for the journal since the last call, one per tick.
        var batches: [[JournalEntry]] {
            self.state.withLock { state in
                defer { state.batches = [] }
                return state.batches
            }
        }

        /// The questions to storage since the last call.
        var questions: [StorageQuestion] {
            self.state.withLock { state in
                defer { state.questions = [] }
                return state.questions
            }
        }
    }

    static let group = GroupID(81)
    static let tick: Int64 = 1000

    let clock = ManualClock()
    let outbox = Outbox(shards: 2)
    let reports = PendingAnswers<ReportOutcome>(failure: .storageAway)
    let mailbox = Mailbox<WorldInput> {}
    let unfollowed = Mailbox<UnfollowedTopic> {}
    let gate = IntakeGate()
    let runner: WorldRunner
    private let statistics = Statistics()

    private final class Statistics: Sendable {
        let box = Mutex(WorldStatistics())
    }

    init() {
        self.runner = WorldRunner(
            WorldConfiguration(startedAt: Timestamp(milliseconds: self.clock.clock.wallMilliseconds)),
            tick: Self.tick,
            clock: self.clock.clock,
            outlets: WorldOutlets(
                shards: self.outbox,
                journal: self.outbox,
                storage: self.outbox,
                chat: self.outbox,
                reports: self.reports,
                sights: PendingAnswers(failure: .groupUnseen),
                phoneViews: PendingAnswers(failure: .storageAway),
                glances: GlanceStreams(),
                clusters: LocalClusterService(),
                terms: ServerTerms(tick: 1000, ping: 25_000, frameBytes: 65_536, fixesPerSecond: 10),
                log: { _ in }
            ),
            mailbox: self.mailbox,
            unfollowed: self.unfollowed,
            gate: self.gate
        )
    }

    /// Sends inputs and runs one tick of the loop.
    func iterate(_ inputs: WorldInput..., mayTick: Bool = false) {
        for input in inputs { self.mailbox.send(input) }
        self.runner.iterate(mayTick: mayTick, reporting: self.statistics.box)
    }

    /// The world's statistics for `/metrics`.
    var metrics: WorldStatistics { self.statistics.box.withLock { $0 } }

    /// The session of connection number `number` of a shard.
    static func session(_ number: UInt64, shard: UInt64) -> SessionID {
        SessionID(ConnectionID(rawValue: number << 14 | shard))
    }

    /// A `hello` of a user with the directory's data.
    static func opening(_ session: SessionID, of user: Int64) -> WorldInput {
        .sessionOpened(
            SessionOpening(
                session: session,
                tag: .number(1),
                arrival: Self.arrival(of: user),
                login: LoginID(user)
            )
        )
    }

    /// A user of the group, on their only device.
    static func arrival(of user: Int64) -> Arrival {
        Arrival(user: Self.profile(user), device: DeviceID(user), kind: .phone, groups: [Self.group])
    }

    /// The group as stored in the directory.
    var snapshot: GroupSnapshot {
        GroupSnapshot(
            id: Self.group,
            revision: 1,
            name: "Fridays",
            members: [7, 8, 9].map {
                GroupSnapshot.Member(
                    user: Self.profile($0),
                    joinedAt: Timestamp(milliseconds: self.clock.clock.wallMilliseconds)
                )
            }
        )
    }

    private static func profile(_ user: Int64) -> UserProfile { UserProfile(id: UserID(user), name: "User \(user)") }
}

extension [GatewayCommand] {
    /// The number of the last subscription in the commands.
    var lastSubscription: UInt64? {
        self.compactMap { if case .subscribe(_, _, let subscription) = $0 { subscription.number } else { nil } }.last
    }

    /// The commands, one word each; for frames their type.
    var story: [String] {
        self.map { command in
            switch command {
            case .send(_, let frame, _): (try? JSONDocument(frame))?["type"].string ?? "?"
            case .close(_, let code): "close \(code.number)"
            case .openTopic: "openTopic"
            case .updateTopic: "updateTopic"
            case .closeTopic: "closeTopic"
            case .subscribe: "subscribe"
            case .unsubscribe: "unsubscribe"
            case .resumeAllReading: "resumeAllReading"
            case .deliver, .markEstablished, .pauseReading, .resumeReading, .respond, .resumeExchange,
                .pauseAllReading:
                "other"
            }
        }
    }
}
