/// A socket whose other end is in the same process and thread.
final class MemorySocket: ClientSocket {
    let subprotocol: String
    /// Bytes that the client has not read yet.
    private(set) var written: [UInt8] = []
    /// Bytes that the client has not accepted.
    private var tail: [UInt8] = []
    private var acknowledged: UInt64 = 0
    /// Whether the client accepts bytes.
    ///
    /// When that becomes true, it gets the queued bytes.
    var acceptsBytes = true
    private(set) var isReading = true
    private(set) var isKilled = false
    /// Whether the core has requested a writable event.
    private var isWritableWanted = false
    /// The number of writes.
    private(set) var writes = 0

    init(subprotocol: String) { self.subprotocol = subprotocol }

    var hasUnwrittenTail: Bool { !self.tail.isEmpty }
    var acknowledgedBytes: UInt64? { self.acknowledged }

    func write(_ bytes: inout [UInt8]) -> Bool {
        guard !self.isKilled else { return false }
        self.writes += 1
        if self.acceptsBytes, self.tail.isEmpty {
            self.written += bytes
            self.acknowledged += UInt64(bytes.count)
        } else {
            self.tail += bytes
        }
        return true
    }

    func write(frames: inout [UInt8], isEncrypted: Bool) -> SocketWriting {
        guard self.write(&frames) else { return .failed }
        return self.hasUnwrittenTail ? .withTail : .whole
    }

    func requestWritable() { self.isWritableWanted = true }
    func setReading(_ isReading: Bool) { self.isReading = isReading }
    func kill() { self.isKilled = true }

    /// Passes the tail to the client if it accepts bytes.
    ///
    /// - Returns: whether the core must be notified.
    func drainTail() -> Bool {
        guard self.acceptsBytes, !self.isKilled else { return false }
        self.written += self.tail
        self.acknowledged += UInt64(self.tail.count)
        self.tail = []
        defer { self.isWritableWanted = false }
        return self.isWritableWanted
    }

    /// Returns the bytes that the client has not read yet.
    func read() -> [UInt8] {
        defer { self.written = [] }
        return self.written
    }
}

@available(*, unavailable)
extension MemorySocket: Sendable {}
