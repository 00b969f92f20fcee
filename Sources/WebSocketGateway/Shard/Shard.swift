import EventLoop
import MusterWire

/// One thread of a gateway: its application, its mailboxes, and the core that has the sockets.
///
/// Core and shard refer to each other until `finish`.
final class Shard<Application: GatewayApplication>: ShardEvents {
    private let door: ShardDoor<Application.Message>
    private let application: Application
    private let core: ShardCore
    private let loop: ServiceLoop
    private var commands: [GatewayCommand<Application.Message>] = []
    private var orders: [ShardOrder] = []
    /// Sockets that wait to be adopted, in order.
    private var arrivals = ArrivalQueue<(descriptor: Int32, address: String)>()
    /// How many sockets are adopted in a turn.
    ///
    /// libwebsockets gives each at once 5 kB for its request's headers, and a place in a sorted list of timeouts: of a
    /// crowd only so many shall have that before the next turn reads what they want.
    private let adoptionsPerTurn = 64

    init(
        core: ShardCore,
        loop: ServiceLoop,
        door: ShardDoor<Application.Message>,
        makeApplication: (any GatewayShard) -> Application
    ) {
        self.core = core
        self.loop = loop
        self.door = door
        self.application = makeApplication(core)
        core.events = self
    }

    /// Serves until it is told to stop, then cuts what is left and frees everything.
    func run() {
        self.loop.run()
        self.core.flush()
        self.loop.destroy()
        self.application.turnEnded()
        self.core.events = nil
        repeat { self.takeOrders() } while !self.arrivals.isEmpty
    }

    // MARK: Orders and commands

    func commandsWaiting() {
        self.takeOrders()
        self.door.commands.drain(into: &self.commands)
        for command in self.commands { self.obey(command) }
    }

    private func takeOrders() {
        self.door.orders.drain(into: &self.orders)
        for order in self.orders {
            switch order {
            case .adopt(let descriptor, let address): self.arrivals.append((descriptor, address))
            case .drain(let farewell, let code, let done):
                self.core.beginDrain(farewell: farewell, code: code, done: done)
            case .stop: self.loop.stop()
            }
        }
        if !self.arrivals.isEmpty { self.adoptArrivals() }
    }

    private func adoptArrivals() {
        for _ in 0..<self.adoptionsPerTurn {
            guard let (descriptor, address) = self.arrivals.popFirst() else { return }
            self.core.adopt(descriptor: descriptor, address: address)
        }
        // The next turn goes on.
        if !self.arrivals.isEmpty { self.door.wake.raise() }
    }

    private func obey(_ command: GatewayCommand<Application.Message>) {
        switch command {
        case .send(let id, let frame, let urgency): self.core.connections[id]?.send(frame, urgency)
        case .deliver(let id, let message):
            guard let connection = self.core.connections[id], connection.isOpen else { return }
            self.application.messageReceived(message, on: connection)
        case .markEstablished(let id): self.core.connections[id]?.markEstablished()
        case .close(let id, let code): self.core.connections[id]?.close(code)
        case .pauseReading(let id): self.core.connections[id]?.pauseReading()
        case .resumeReading(let id): self.core.connections[id]?.resumeReading()
        case .openTopic(let snapshot): self.core.openTopic(snapshot)
        case .updateTopic(let change): self.core.updateTopic(change)
        case .closeTopic(let id): self.core.closeTopic(id)
        case .subscribe(let id, let topic, let resume):
            guard let connection = self.core.connections[id] else { return }
            self.core.subscribe(connection, to: topic, resume: resume)
        case .unsubscribe(let id, let topic):
            guard let connection = self.core.connections[id] else { return }
            self.core.unsubscribe(connection, from: topic)
        case .respond(let id, let response): self.core.respond(id, response)
        case .pauseAllReading: self.core.pauseAllReading()
        case .resumeAllReading: self.core.resumeAllReading()
        }
    }

    // MARK: What the core tells

    func connectionOpened(_ connection: Connection) { self.application.connectionOpened(connection) }

    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        self.application.frameReceived(bytes, on: connection)
    }

    func timerFired(_ token: UInt8, on connection: Connection) {
        self.application.timerFired(token, on: connection)
    }

    func connectionClosed(_ connection: Connection, _ code: CloseCode) {
        self.application.connectionClosed(connection, code)
    }

    func requestReceived(_ request: HTTPRequest) { self.application.requestReceived(request) }
    func turnEnded() { self.application.turnEnded() }
}

@available(*, unavailable)
extension Shard: Sendable {}
