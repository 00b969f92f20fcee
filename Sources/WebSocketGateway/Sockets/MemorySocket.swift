/// A socket whose other end is in the same process and thread.
final class MemorySocket: ClientSocket {
    let subprotocol: String
    /// What the client has not read yet.
    private(set) var written: [UInt8] = []
    /// What the client does not take.
    private var tail: [UInt8] = []
    private var acknowledged: UInt64 = 0
    /// Whether the client takes bytes; it gets what waits when it does so again.
    var acceptsBytes = true
    private(set) var isReading = true
    private(set) var isKilled = false
    /// Whether the core waits to hear that it can write again.
    private var isWritableWanted = false
    /// How often something was written.
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

    /// Lets the client have what waited, if it takes it.
    ///
    /// - Returns: whether the core is to be told.
    func drainTail() -> Bool {
        guard self.acceptsBytes, !self.isKilled else { return false }
        self.written += self.tail
        self.acknowledged += UInt64(self.tail.count)
        self.tail = []
        defer { self.isWritableWanted = false }
        return self.isWritableWanted
    }

    /// Hands over what the client has not read yet.
    func read() -> [UInt8] {
        defer { self.written = [] }
        return self.written
    }
}

@available(*, unavailable)
extension MemorySocket: Sendable {}
