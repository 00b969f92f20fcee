import CLibWebSockets
import MusterWire
import Synchronization

extension ShardCore {
    func established(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        let address = ClientAddress.find(
            peer: socket.peerAddress,
            forwarded: handle.header(WSI_TOKEN_X_FORWARDED_FOR),
            trusted: self.configuration.limits.exemptAddresses
        ) { self.shared.logOnce(ClientAddress.unreadable($0, from: socket.peerAddress), about: socket.peerAddress) }
        let host = self.sharedHost(handle.header(WSI_TOKEN_HOST))
        let connection = self.open(.library(handle), host: host, address: address)
        socket.use = .connection(connection)
        handle.name(connection)
        if self.isAllPaused { handle.setReading(false) }
        self.events?.connectionOpened(connection)
        self.openBufferedFrames(of: socket, connection)
        return 0
    }

    /// Creates a connection and starts its deadlines.
    func open(_ socket: ConnectionSocket, host: String?, address: String? = nil) -> Connection {
        let connection = Connection(
            id: ConnectionID(rawValue: self.identities.make()),
            host: host,
            address: address,
            socket: socket,
            core: self,
            now: self.now
        )
        self.connections[connection.id] = connection
        self.counters.connections.wrappingAdd(1, ordering: .relaxed)
        let timing = self.configuration.timing
        self.schedule(.helloDeadline(connection.id), after: timing.helloDeadline)
        // Random within half an interval, so that many clients that connect at once are pinged in small batches.
        let interval = max(1, timing.pingInterval)
        self.schedule(.heartbeat(connection.id), after: .random(in: (interval + 1) / 2...interval))
        return connection
    }

    /// The maximum capacity that is reserved for a message before its bytes arrive.
    private static let announcedBytes = 16_384

    /// The kind of a piece of a message.
    enum Piece {
        case binary
        /// Part of a text frame with `remaining` more bytes to come.
        case text(remaining: Int)
        case textEnd
    }

    func bytesReceived(_ bytes: UnsafeRawBufferPointer, _ handle: SocketHandle, _ connection: Connection) -> Int32 {
        let piece: Piece =
            handle.isBinary ? .binary : handle.isMessageEnd ? .textEnd : .text(remaining: handle.remainingBytes)
        self.receive(bytes, piece, on: connection)
        return 0
    }

    /// Collects the pieces of a message and passes it to the application when it is complete.
    func receive(_ bytes: UnsafeRawBufferPointer, _ piece: Piece, on connection: Connection) {
        guard connection.isOpen else { return }
        // The application reads the attachment after the message is complete and decoded.
        Prefetch.lines(of: &connection.attachment, count: 2)
        connection.lastReceived = self.now
        if case .binary = piece { return self.close(connection, .unsupportedData) }
        let count = connection.partial.count + bytes.count
        guard count <= self.configuration.limits.messageBytes else {
            connection.partial = []
            return self.close(connection, .tooLarge)
        }
        if case .text(let remaining) = piece {
            // Reserves the rest at once, within the limit for bytes that are only announced.
            let rest = min(remaining, Self.announcedBytes)
            if connection.partial.capacity < count { connection.partial.reserveCapacity(count + rest) }
            connection.partial.append(contentsOf: bytes)
            return
        }
        if !connection.partial.isEmpty {
            connection.partial.withUnsafeBytes { self.inbox.copyMemory(from: $0) }
            connection.partial = []
        }
        UnsafeMutableRawBufferPointer(rebasing: self.inbox[(count - bytes.count)...]).copyMemory(from: bytes)
        self.counters.framesIn.count(1)
        self.events?.frameReceived(UnsafeRawBufferPointer(rebasing: self.inbox[..<count]), on: connection)
    }

    /// Handles a client's close frame.
    ///
    /// An answer to our close frame ends the connection. Otherwise libwebsockets answers it.
    func peerClosed(_ payload: UnsafeRawBufferPointer, _ socket: Socket) -> Int32 {
        guard case .connection(let connection) = socket.use else { return 0 }
        if payload.count >= 2 {
            let number = UInt16(payload[0]) << 8 | UInt16(payload[1])
            connection.peerCode = number
        } else {
            connection.peerCode = 1005
        }
        if case .closeSent = connection.state { return -1 }
        return 0
    }

    func closed(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        guard case .connection(let connection) = socket.use else { return 0 }
        self.forget(connection, ownCode: handle.ownCloseCode)
        handle.name(nil)
        socket.use = .idle
        return 0
    }

    func destroyed(_ handle: SocketHandle, _ socket: Socket) -> Int32 {
        switch socket.use {
        case .idle: break
        case .exchange(let exchange):
            exchange.abandon()
            self.exchanges[exchange.id] = nil
        // CLOSED comes before. This case is a handshake that failed after ESTABLISHED.
        case .connection(let connection): self.forget(connection, ownCode: nil)
        }
        socket.use = .idle
        self.counters.sockets.wrappingSubtract(1, ordering: .relaxed)
        self.shared.admissions.release(socket.peerAddress)
        return 0
    }

    /// Removes a connection and its subscriptions, and notifies the application.
    func forget(_ connection: Connection, ownCode: UInt16?) {
        guard self.connections.removeValue(forKey: connection.id) != nil else { return }
        let code: CloseCode =
            switch connection.state {
            case .closing(let code), .closeSent(let code): code
            case .open, .gone:
                connection.isClosedByPeer ? CloseCode(number: connection.peerCode, reason: "") : Self.code(ownCode)
            }
        connection.state = .gone
        let followed = connection.subscriptions
        connection.subscriptions = FollowedTopics()
        followed.forEachSubscription { self.end($0) }
        connection.outgoing.removeAll()
        self.counters.connections.wrappingSubtract(1, ordering: .relaxed)
        self.counters.closed(code.number)
        self.events?.connectionClosed(connection, code)
    }

    /// Returns the host that a client named.
    ///
    /// Nearly all clients use the same name, so equal consecutive values share memory.
    private func sharedHost(_ host: String?) -> String? {
        if host != self.lastHost { self.lastHost = host }
        return self.lastHost
    }

    /// Returns the close code of libwebsockets, for protocol violations that it detects first.
    private static func code(_ number: UInt16?) -> CloseCode {
        switch number {
        case nil: .abnormal
        case CloseCode.invalidText.number: .invalidText
        case CloseCode.protocolError.number: .protocolError
        case .some(let other): CloseCode(number: other, reason: "")
        }
    }
}
