package import EventLoop
import MusterWire

/// A gateway's shard without sockets, threads and libwebsockets: for tests of what an application, topics and the plan of
/// writing do.
///
/// Everything but the sockets is the real one. It lives on the thread that makes it, and does nothing by itself: `turn` does
/// what a turn of a loop does, and `advance` what the time does. Only `doors` may be used from other threads.
package final class MemoryShard<Application: GatewayApplication> {
    /// The way in from other threads; of one shard, with number 0.
    package let doors: GatewayDoors<Application.Message>

    private let core: ShardCore
    private let shard: Shard<Application>
    private let counters = ShardCounters()
    private let door: ShardDoor
    private var clients: [MemoryClient] = []

    /// Makes a shard with its application.
    package init(
        configuration: GatewayConfiguration = GatewayConfiguration(),
        kinds: TopicKinds,
        clock: MonotonicClock = .system,
        makeApplication: (any GatewayShard) -> Application
    ) {
        let door = ShardDoor()
        self.door = door
        self.doors = GatewayDoors([door])
        let core = ShardCore(
            index: 0,
            configuration: configuration,
            kinds: kinds,
            clock: clock,
            counters: self.counters,
            shared: GatewayShared(
                admissions: AdmissionBook(limits: configuration.limits),
                staticFiles: StaticFiles(mounts: []),
                clock: clock,
                log: { _ in }
            ),
            post: { door.commands.send($0) }
        )
        self.core = core
        self.shard = Shard(core: core, loop: nil, door: door, makeApplication: makeApplication)
    }

    deinit {
        // The two refer to each other.
        self.core.events = nil
    }

    /// The application, as the shard made it.
    package var application: Application { self.shard.application }

    /// What the shard has done so far.
    package var metrics: GatewayMetrics {
        var metrics = GatewayMetrics()
        self.counters.add(to: &metrics)
        return metrics
    }

    /// Connects a client.
    package func connect(subprotocol: String = "muster.v1", host: String? = nil) -> MemoryClient {
        let socket = MemorySocket(subprotocol: subprotocol)
        let connection = self.core.open(.memory(.passUnretained(socket)), host: host)
        let client = MemoryClient(connection: connection, socket: socket)
        self.clients.append(client)
        self.core.events?.connectionOpened(connection)
        return client
    }

    /// Lets a client send a text frame.
    package func receive(_ text: String, from client: MemoryClient) {
        var bytes = Array(text.utf8)
        bytes.withUnsafeMutableBytes { buffer in
            self.core.receive(UnsafeRawBufferPointer(buffer), .textEnd, on: client.connection)
        }
    }

    /// Lets a client close its end with a code, or vanish without.
    package func end(_ client: MemoryClient, number: UInt16 = 1006) {
        client.connection.peerCode = number
        self.forget(client)
    }

    /// Does what other threads asked for, lets the application end its turn, and writes what that leaves due.
    package func turn() {
        self.core.wakeSignalled()
        self.finishTurn()
    }

    /// Turns until something holds that other threads bring about, or so much time has passed.
    ///
    /// Blocks.
    ///
    /// - Returns: whether it holds.
    package func turn(until holds: () -> Bool, milliseconds: Int64 = 10_000) -> Bool {
        let end = MonotonicClock.system.milliseconds + milliseconds
        self.turn()
        while !holds() {
            guard MonotonicClock.system.milliseconds < end else { return false }
            self.door.wake.wait(timeoutMilliseconds: 20)
            self.turn()
        }
        return true
    }

    /// Lets the shard see what its clock says now: deadlines, pings, timers of the application.
    package func advance() {
        self.core.timeAdvanced()
        self.finishTurn()
    }

    private func finishTurn() {
        self.core.turnEnded()
        for client in self.clients {
            if client.socket.drainTail() {
                self.core.becameWritable(client.connection)
                self.core.turnEnded()
            }
            client.parse()
        }
        for client in self.clients where client.isEnded { self.forget(client) }
    }

    private func forget(_ client: MemoryClient) {
        self.core.forget(client.connection, ownCode: nil)
        self.clients.removeAll { $0 === client }
    }
}

@available(*, unavailable)
extension MemoryShard: Sendable {}
