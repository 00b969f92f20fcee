import EventLoop
import Synchronization

@testable import WebSocketGateway

/// A shard without sockets, with the echo application, all topic kinds of the tests, and its own clock.
final class MemoryHarness {
    static let list: UInt8 = 1
    static let log: UInt8 = 2
    static let typing: UInt8 = 3
    static let cells: UInt8 = 4
    static let members: UInt8 = 5

    let record = EchoRecord()
    let logs = LogKind()
    let shard: MemoryShard<EchoApplication>
    private let time: Time

    /// A clock in milliseconds that a test advances.
    private final class Time: Sendable {
        let now = Atomic<Int64>(1_000_000)
    }

    init(_ configure: (inout GatewayConfiguration) -> Void = { _ in }) {
        var configuration = GatewayConfiguration()
        // Topics are throttled only if the test sets it, however slow the machine is.
        configuration.timing.topicPacer = Pacer(share: 0, shortest: 1, longest: 1)
        configuration.timing.helloDeadline = 3_600_000
        configuration.timing.pingInterval = 3_600_000
        configure(&configuration)
        let (record, time) = (self.record, Time())
        self.time = time
        self.shard = MemoryShard(
            configuration: configuration,
            kinds: [
                Self.list: LineFormat(), Self.log: self.logs, Self.typing: TypingKind(), Self.cells: CellKind(),
                Self.members: LineFormat(rules: TopicRules(followers: .entries, knowsOwnEntry: true)),
            ],
            clock: MonotonicClock(
                monotonicNanoseconds: { time.now.load(ordering: .relaxed) * 1_000_000 },
                wallMilliseconds: { 1_795_000_000_000 + time.now.load(ordering: .relaxed) }
            ),
            makeApplication: { EchoApplication(shard: $0, record: record) }
        )
    }

    /// Executes commands in one tick of the loop.
    func send(_ commands: GatewayCommand...) {
        for command in commands { self.shard.mailboxes.send(command, toShard: 0) }
        self.shard.iterate()
    }

    /// Advances the clock.
    func pass(milliseconds: Int64) {
        self.time.now.wrappingAdd(milliseconds, ordering: .relaxed)
        self.shard.advance()
    }

    /// A change of entries that consist only of their bytes.
    static func change(
        _ topic: TopicID,
        _ version: UInt64,
        _ entries: [Int64: String],
        removed: [Int64] = []
    ) -> TopicChange {
        TopicChange(
            topic: topic,
            version: version,
            entries: entries.sorted { $0.key < $1.key }.map { .init(key: $0.key, stable: Array($0.value.utf8)) },
            removed: removed
        )
    }
}
