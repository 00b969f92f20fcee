import Glibc

/// One connection of a `ClientLoop`.
final class ClientLink {
    let descriptor: Int32
    var codec: WebSocketCodec
    /// Whether the loop polls for writability; true while connecting.
    var waitsToWrite = true

    /// Creates the owner of a connecting socket.
    init(descriptor: Int32, codec: WebSocketCodec) {
        self.descriptor = descriptor
        self.codec = codec
    }

    deinit { Glibc.close(self.descriptor) }

    /// Writes as much queued output as the socket accepts.
    ///
    /// - Returns: whether output is left.
    func flush() -> Bool {
        // Swapped out, so that the codec's buffer has a single owner while it is written and trimmed.
        var bytes: [UInt8] = []
        swap(&bytes, &self.codec.outgoing)
        let sent = bytes.withUnsafeBytes {
            Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if sent == bytes.count { bytes.removeAll(keepingCapacity: bytes.count <= 4096) }
        if sent > 0, !bytes.isEmpty { bytes.removeFirst(sent) }
        let isLeft = !bytes.isEmpty
        swap(&bytes, &self.codec.outgoing)
        return isLeft
    }
}

@available(*, unavailable)
extension ClientLink: Sendable {}
