/// What became of bytes that were written to a WebSocket.
enum SocketWriting {
    /// The kernel has all of them.
    case whole
    /// The rest is kept, and written before anything else.
    case withTail
    /// The socket is dead.
    case failed
}

/// All that a shard does with the socket of an open WebSocket; what comes in is told to the shard's core.
protocol ClientSocket {
    /// The subprotocol that was agreed.
    var subprotocol: String { get }
    /// Whether a tail of an earlier write is still to be written.
    var hasUnwrittenTail: Bool { get }
    /// Bytes that the client's system has acknowledged since the connection began; nil when nobody can tell.
    var acknowledgedBytes: UInt64? { get }

    /// Writes bytes behind all that was written before.
    ///
    /// - Returns: false when the socket is dead.
    func write(_ bytes: inout [UInt8]) -> Bool
    /// Writes whole frames.
    func write(frames: inout [UInt8], isEncrypted: Bool) -> SocketWriting
    /// Has the core told once the tail is written.
    func requestWritable()
    /// Starts or stops reading.
    func setReading(_ isReading: Bool)
    /// Cuts the connection without a word, whatever still waits to be written.
    func kill()
}

/// A connection's socket: libwebsockets', or memory.
///
/// One of two and not `any ClientSocket`: that would be an object more for each connection, to wait for at each write, or 31
/// bytes more in it.
enum ConnectionSocket: ClientSocket {
    case library(SocketHandle)
    /// Unretained: the one who plays the client keeps it for as long as the connection is open.
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
