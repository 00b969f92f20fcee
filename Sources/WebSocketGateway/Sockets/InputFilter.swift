import CGatewayShims
import Glibc

// A filter for the reads of libwebsockets from one thread's sockets: `SocketInput` validates the input, and the library
// gets the valid part.
//
// A read must not return empty while OpenSSL has more bytes, so it repeats until bytes can be passed on or the input
// ends. If the input was only pings or an incomplete frame, the library gets an empty pong instead, which it ignores.
//
// With TLS, the library requests as many frame bytes as OpenSSL still has. That may be one byte, and fewer than are
// pending here or a pong needs. The library always reads into the same buffer, so a read may return more than it
// requested, within the buffer's size.

/// The filter between a thread's sockets and libwebsockets.
final class InputFilter {
    /// A masked pong without a payload.
    private static let emptyPong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]
    /// The maximum number of bytes that are discarded in one read after the end of valid input.
    ///
    /// Beyond it, the connection ends.
    private static let discardedBytes = 1_048_576
    /// The minimum space in the library's buffer, wherever a read begins in it (`LWS_PRE`).
    private static let capacity = ContextFactory.readBytes - 16

    /// The sockets by descriptor.
    ///
    /// Unretained: libwebsockets retains each socket until it is destroyed, which removes it here.
    private var sockets: [Unmanaged<Socket>?] = []
    private var pongs: [UInt8] = []
    private var events: (any ServiceLoopEvents)?

    /// Starts to filter the reads of the calling thread.
    func install(events: any ServiceLoopEvents) {
        self.events = events
        muster_input_set_filter(readFiltered, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Stops to filter the reads of the calling thread.
    func remove() {
        muster_input_set_filter(nil, nil)
        self.events = nil
    }

    /// Starts to filter the input of a socket.
    func add(_ socket: Socket) {
        let index = Int(socket.descriptor)
        while self.sockets.count <= index { self.sockets.append(nil) }
        self.sockets[index] = .passUnretained(socket)
    }

    /// Removes a socket that is being destroyed.
    func remove(_ socket: Unmanaged<Socket>) {
        let index = Int(socket._withUnsafeGuaranteedRef { $0.descriptor })
        // Another socket may already have its number.
        if self.sockets[index]?.toOpaque() == socket.toOpaque() { self.sockets[index] = nil }
    }

    fileprivate func read(
        _ descriptor: Int32,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ read: (UnsafeMutableRawBufferPointer) -> Int
    ) -> Int {
        guard self.sockets.indices.contains(Int(descriptor)), let reference = self.sockets[Int(descriptor)] else {
            return read(buffer)
        }
        return reference._withUnsafeGuaranteedRef { socket in
            var discarded = 0
            while discarded <= Self.discardedBytes {
                let waiting = socket.input.pendingBytes
                var buffer = buffer
                var end = buffer.count - SocketInput.reserve
                if socket.input.phase == .frames {
                    end = max(buffer.count, min(waiting + buffer.count, Self.capacity))
                    let size = max(buffer.count, min(end + Self.emptyPong.count, Self.capacity))
                    buffer = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size)
                }
                guard waiting < end else { return 0 }
                let count = read(UnsafeMutableRawBufferPointer(rebasing: buffer[waiting..<end]))
                guard count > 0 else { return count }
                if waiting > 0 { socket.input.restore(into: buffer) }
                let outcome = socket.input.evaluate(buffer, count: waiting + count, pongs: &self.pongs)
                if outcome.isBroken || outcome.lastPong != nil {
                    self.events?.framesEvaluated(outcome, pongs: self.pongs, of: socket)
                    self.pongs.removeAll(keepingCapacity: true)
                }
                if outcome.passed > 0 { return outcome.passed }
                if socket.input.phase == .frames {
                    buffer.copyBytes(from: Self.emptyPong)
                    return Self.emptyPong.count
                }
                discarded += count
            }
            return 0
        }
    }
}

@available(*, unavailable)
extension InputFilter: Sendable {}

private func readFiltered(
    context: UnsafeMutableRawPointer?,
    descriptor: Int32,
    bytes: UnsafeMutableRawPointer?,
    capacity: Int,
    source: muster_input_source?,
    from: UnsafeMutableRawPointer?
) -> Int {
    guard let context, let source else { return 0 }
    return Unmanaged<InputFilter>.fromOpaque(context)._withUnsafeGuaranteedRef { filter in
        filter.read(descriptor, UnsafeMutableRawBufferPointer(start: bytes, count: capacity)) {
            source(from, $0.baseAddress, $0.count)
        }
    }
}
