/// The result of a write to a WebSocket.
enum SocketWriting {
    /// The kernel has accepted all bytes.
    case whole
    /// The remaining bytes are buffered, and written before any other output.
    case withTail
    /// The socket is dead.
    case failed
}

/// The operations of a shard on the socket of an open WebSocket.
///
/// Input is reported to the shard's core.
protocol ClientSocket {
    /// The negotiated subprotocol.
    var subprotocol: String { get }
    /// Whether the tail of an earlier write is still buffered.
    var hasUnwrittenTail: Bool { get }
    /// The bytes that the client's system has acknowledged since the start of the connection; nil when unknown.
    var acknowledgedBytes: UInt64? { get }

    /// Writes bytes after all earlier output.
    ///
    /// - Returns: false when the socket is dead.
    func write(_ bytes: inout [UInt8]) -> Bool
    /// Writes whole frames.
    func write(frames: inout [UInt8], isEncrypted: Bool) -> SocketWriting
    /// Requests an event for the core when the tail is written.
    func requestWritable()
    /// Starts or stops reading.
    func setReading(_ isReading: Bool)
    /// Cuts the connection without a close frame and drops all queued output.
    func kill()
}

/// A connection's socket: one of libwebsockets, or one in memory.
///
/// An enum instead of `any ClientSocket`, which would cost one more object and memory access for each connection, or 31
/// more bytes in it.
enum ConnectionSocket: ClientSocket {
    case library(SocketHandle)
    /// Unretained: the simulated client retains it for as long as the connection is open.
    case memory(Unmanaged<MemorySocket>)

    var subprotocol: String {
        switch self {
        case .library(let socket): socket.subprotocol
        case .memory(let socket): socket.takeUnretainedValue().subprotocol
        }
    }

    var hasUnwrittenTail: Bool {
        switch self {
        case .library(let socket): socket.hasUnwrittenTail
        case .memory(let socket): socket.takeUnretainedValue().hasUnwrittenTail
        }
    }

    var acknowledgedBytes: UInt64? {
        switch self {
        case .library(let socket): socket.acknowledgedBytes
        case .memory(let socket): socket.takeUnretainedValue().acknowledgedBytes
        }
    }

    func write(_ bytes: inout [UInt8]) -> Bool {
        switch self {
        case .library(let socket): socket.write(&bytes)
        case .memory(let socket): socket.takeUnretainedValue().write(&bytes)
        }
    }

    func write(frames: inout [UInt8], isEncrypted: Bool) -> SocketWriting {
        switch self {
        case .library(let socket): socket.write(frames: &frames, isEncrypted: isEncrypted)
        case .memory(let socket): socket.takeUnretainedValue().write(frames: &frames, isEncrypted: isEncrypted)
        }
    }

    func requestWritable() {
        switch self {
        case .library(let socket): socket.requestWritable()
        case .memory(let socket): socket.takeUnretainedValue().requestWritable()
        }
    }

    func setReading(_ isReading: Bool) {
        switch self {
        case .library(let socket): socket.setReading(isReading)
        case .memory(let socket): socket.takeUnretainedValue().setReading(isReading)
        }
    }

    func kill() {
        switch self {
        case .library(let socket): socket.kill()
        case .memory(let socket): socket.takeUnretainedValue().kill()
        }
    }
}
