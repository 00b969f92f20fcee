import EventLoop
import MusterWire

/// The events of a shard's core, for the side that owns the application and the mailboxes.
protocol ShardEvents: AnyObject {
    func connectionOpened(_ connection: Connection)
    func frameReceived(_ bytes: UnsafeRawBufferPointer, on connection: Connection)
    func messageReceived(_ message: ApplicationMessage, on connection: Connection)
    func timerFired(_ token: UInt8, on connection: Connection)
    func connectionClosed(_ connection: Connection, _ code: CloseCode)
    func topicUnfollowed(_ id: TopicID, since number: UInt64)
    func requestReceived(_ request: HTTPRequest)
    func commandsWaiting()
    func iterationEnded()
}

/// One thread of a gateway: its application, its mailboxes, and the core that owns the sockets.
///
/// Core and shard reference each other until the end of `run`.
final class Shard<Application: GatewayApplication>: ShardEvents {
    private let mailbox: ShardMailbox
    let application: Application
    private let core: ShardCore
    /// Nil when the owner of the shard drives the core.
    private let loop: ServiceLoop?
    private var commands: [GatewayCommand] = []
    private var orders: [ShardOrder] = []
    /// Accepted sockets that wait to be adopted, in order.
    private var arrivals = ArrivalQueue<(descriptor: Int32, address: String)>()
    /// The number of sockets that are adopted in a tick.
    ///
    /// For each socket, libwebsockets at once allocates 5 kB for the headers of its request and adds an entry to a
    /// sorted list of timeouts. When many clients connect at once, the limit lets the next tick read the requests of
    /// the adopted ones first.
    private let adoptionsPerIteration = 64

    init(
        core: ShardCore,
        loop: ServiceLoop?,
        mailbox: ShardMailbox,
        makeApplication: (any GatewayShard) -> Application
    ) {
        self.core = core
        self.loop = loop
        self.mailbox = mailbox
        self.application = makeApplication(core)
        core.events = self
    }

    /// Serves until the `stop` order, then cuts the remaining connections and frees everything.
    func run() {
        self.loop?.run()
        self.core.flush()
        self.loop?.destroy()
        self.application.iterationEnded()
        self.core.events = nil
        repeat { self.executeOrders() } while !self.arrivals.isEmpty
    }

    // MARK: Orders and commands

    func commandsWaiting() {
        self.executeOrders()
        self.executeCommands()
    }

    private func executeCommands() {
        self.mailbox.commands.drain(into: &self.commands)
        self.core.execute(&self.commands)
    }

    private func executeOrders() {
        self.mailbox.orders.drain(into: &self.orders)
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
        for _ in 0..<self.adoptionsPerIteration {
            guard let (descriptor, address) = self.arrivals.popFirst() else { return }
            self.core.adopt(descriptor: descriptor, address: address)
        }
        // The next tick continues.
        if !self.arrivals.isEmpty { self.mailbox.wake.raise() }
    }

    // MARK: Events of the core

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
    /// Calls `iterationEnded` of the application, and executes the commands that it causes at once, so that they need
    /// no wake.
    func iterationEnded() {
        self.mailbox.commands.suppressWakes()
        self.application.iterationEnded()
        self.executeCommands()
        // The commands may have delivered messages to the application.
        self.application.iterationEnded()
    }
}

@available(*, unavailable)
extension Shard: Sendable {}
