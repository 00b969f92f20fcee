/// A client of a `MemoryShard`, with the frames that it sends and receives.
///
/// It answers pings, and answers a close frame by closing, as every client does.
final class MemoryClient {
    /// The connection, as the application knows it.
    package let connection: Connection
    /// The payloads of the received text frames that have not been read.
    private var received: [String] = []
    /// The code of the received close frame.
    private(set) var closeCode: UInt16?
    let socket: MemorySocket
    private var unread: [UInt8] = []

    init(connection: Connection, socket: MemorySocket) {
        self.connection = connection
        self.socket = socket
    }

    /// The connection's id.
    package var id: ConnectionID { self.connection.id }
    /// Whether the server cut the connection, or has closed it with a close frame.
    package var isEnded: Bool { self.socket.isKilled || self.closeCode != nil }
    /// Whether the server reads what the client sends.
    var isRead: Bool { self.socket.isReading }
    /// The number of writes of the server to this client.
    package var writes: Int { self.socket.writes }

    /// Whether the client accepts bytes.
    ///
    /// When that becomes true, the queued bytes arrive with the next tick.
    var acceptsBytes: Bool {
        get { self.socket.acceptsBytes }
        set { self.socket.acceptsBytes = newValue }
    }

    /// Returns the text frames received since the last call, in order.
    package func read() -> [String] {
        self.parse()
        defer { self.received = [] }
        return self.received
    }

    /// Parses the written bytes (RFC 6455, 5.2; server frames have no mask).
    func parse() {
        self.unread += self.socket.read()
        while let (opcode, payload, end) = Self.frame(in: self.unread) {
            switch opcode {
            case 0x1: self.received.append(String(decoding: payload, as: UTF8.self))
            case 0x8: self.closeCode = payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
            default: break
            }
            self.unread.removeFirst(end)
        }
    }

    private static func frame(in bytes: [UInt8]) -> (opcode: UInt8, payload: ArraySlice<UInt8>, end: Int)? {
        guard bytes.count >= 2 else { return nil }
        let widths: [UInt8: Int] = [126: 2, 127: 8]
        let start = 2 + (widths[bytes[1]] ?? 0)
        guard bytes.count >= start else { return nil }
        let count = start == 2 ? Int(bytes[1]) : bytes[2..<start].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= start + count else { return nil }
        return (bytes[0] & 0xF, bytes[start..<start + count], start + count)
    }
}

@available(*, unavailable)
extension MemoryClient: Sendable {}
