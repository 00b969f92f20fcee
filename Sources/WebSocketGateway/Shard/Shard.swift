import EventLoop
import MusterWire

/// What a shard's core tells the side that has the application and the mailbox.
protocol ShardEvents: AnyObject {
    func connectionOpened(_ connection: Connection)
    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection)
    func messageReceived(_ message: ApplicationMessage, on connection: Connection)
    func timerFired(_ token: UInt8, on connection: Connection)
    func connectionClosed(_ connection: Connection, _ code: CloseCode)
    func topicUnfollowed(_ id: TopicID, since number: UInt64)
    func requestReceived(_ request: HTTPRequest)
    func commandsWaiting()
    func turnEnded()
}

/// One thread of a gateway: its application, its mailboxes, and the core that has the sockets.
///
/// Core and shard refer to each other until `finish`.
final class Shard<Application: GatewayApplication>: ShardEvents {
    private let door: ShardDoor
    let application: Application
    private let core: ShardCore
    /// Nil when somebody else makes the core turn.
    private let loop: ServiceLoop?
    private var commands: [GatewayCommand] = []
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
        loop: ServiceLoop?,
        door: ShardDoor,
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
        self.loop?.run()
        self.core.flush()
        self.loop?.destroy()
        self.application.turnEnded()
        self.core.events = nil
        repeat { self.carryOutOrders() } while !self.arrivals.isEmpty
    }

    // MARK: Orders and commands

    func commandsWaiting() {
        self.carryOutOrders()
        self.carryOutCommands()
    }

    private func carryOutCommands() {
        self.door.commands.drain(into: &self.commands)
        self.core.carryOut(&self.commands)
    }

    private func carryOutOrders() {
        self.door.orders.drain(into: &self.orders)
        for order in self.orders {
            switch order {
            case .adopt(let descriptor, let address): self.arrivals.append((descriptor, address))
            case .drain(let farewell, let code, let done):
                self.core.beginDrain(farewell: farewell, code: code, done: done)
            case .stop: self.loop?.stop()
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

    // MARK: What the core tells

    func connectionOpened(_ connection: Connection) { self.application.connectionOpened(connection) }

    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        self.application.frameReceived(bytes, on: connection)
    }

    func messageReceived(_ message: ApplicationMessage, on connection: Connection) {
        guard let message = message.content as? Application.Message else {
            preconditionFailure("a gateway delivers only what its own application understands")
        }
        self.application.messageReceived(message, on: connection)
    }

    func timerFired(_ token: UInt8, on connection: Connection) {
        self.application.timerFired(token, on: connection)
    }

    func connectionClosed(_ connection: Connection, _ code: CloseCode) {
        self.application.connectionClosed(connection, code)
    }

    func topicUnfollowed(_ id: TopicID, since number: UInt64) {
        self.application.topicUnfollowed(id, on: self.core.index, since: number)
    }

    func requestReceived(_ request: HTTPRequest) { self.application.requestReceived(request) }
    /// Lets the application end its turn, and does at once what it asks for meanwhile: no wake of our own is needed for it.
    func turnEnded() {
        self.door.commands.suppressWakes()
        self.application.turnEnded()
        self.carryOutCommands()
        // Commands may have told it something.
        self.application.turnEnded()
    }
}

@available(*, unavailable)
extension Shard: Sendable {}
