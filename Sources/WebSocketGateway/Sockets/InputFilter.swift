import CGatewayShims
import Glibc

// libwebsockets' reads of one thread's sockets go through here: `SocketInput` judges what came, and the library gets the rest.
//
// A read must not end with nothing while OpenSSL holds more, so it goes on until something can be passed or there is no more. When
// only pings came, or a part of a frame, the library gets a pong of no payload instead, which means nothing to it.
//
// With TLS the library asks for as many bytes of frames as OpenSSL still has, which may be one, and fewer than wait here or a pong
// takes. It always reads into the same buffer, so what it gets may be more than it asked for, as long as that has room.

/// Stands between a thread's sockets and libwebsockets.
final class InputFilter {
    /// A masked pong without a payload.
    private static let emptyPong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]
    /// Bytes that are thrown away in one read behind what ended a connection's input; then it ends.
    private static let discardedBytes = 1_048_576
    /// Bytes that the library's buffer has room for at least, wherever in it a read begins (`LWS_PRE`).
    private static let room = ContextFactory.readBytes - 16

    /// The sockets by their descriptors.
    ///
    /// Unretained: libwebsockets holds each until it is destroyed, which takes it out.
    private var sockets: [Unmanaged<Socket>?] = []
    private var pongs: [UInt8] = []
    private var events: (any ServiceLoopEvents)?

    /// Begins to judge what the calling thread reads.
    func install(events: any ServiceLoopEvents) {
        self.events = events
        muster_input_set_filter(readFiltered, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Lets the calling thread read unjudged again.
    func remove() {
        muster_input_set_filter(nil, nil)
        self.events = nil
    }

    /// Judges what a socket sends from now on.
    func add(_ socket: Socket) {
        let index = Int(socket.descriptor)
        while self.sockets.count <= index { self.sockets.append(nil) }
        self.sockets[index] = .passUnretained(socket)
    }

    /// Forgets a socket that is being destroyed.
    func remove(_ socket: Unmanaged<Socket>) {
        let index = Int(socket._withUnsafeGuaranteedRef { $0.descriptor })
        // Another may have got its number already.
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
                    end = max(buffer.count, min(waiting + buffer.count, Self.room))
                    let size = max(buffer.count, min(end + Self.emptyPong.count, Self.room))
                    buffer = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size)
                }
                guard waiting < end else { return 0 }
                let count = read(UnsafeMutableRawBufferPointer(rebasing: buffer[waiting..<end]))
                guard count > 0 else { return count }
                if waiting > 0 { socket.input.restore(into: buffer) }
                let outcome = socket.input.judge(buffer, count: waiting + count, pongs: &self.pongs)
                if outcome.isBroken || outcome.lastPong != nil {
                    self.events?.framesJudged(outcome, pongs: self.pongs, of: socket)
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
