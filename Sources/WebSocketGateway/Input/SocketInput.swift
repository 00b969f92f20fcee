// The input of a client between the kernel or OpenSSL and libwebsockets:
//
//     head ──► [body] ──► head …          one request after the other
//       └────► frames                     after a head that requests a WebSocket
//       └────► rest                       a body whose end only its decoder finds; the connection ends with it
//       └────► done                       after a refused head
//
// libwebsockets gets a head when it is complete and valid. In place of a refused head it gets `standIn`, a short valid
// one, and the shard responds with `fault`. So the library never sees a request that it would interpret differently,
// nor a method that it answers itself.
//
// Input that cannot be passed on yet is stored in `pending`, which exists only while a head, a frame header or a
// control frame is incomplete.

/// The validation of all client input before libwebsockets gets it.
struct SocketInput {
    /// The expected kind of the next bytes.
    enum Phase: Equatable {
        case head
        case body(remaining: Int)
        case rest
        case frames
        case done
    }

    /// Incomplete input.
    private final class Pending {
        var bytes: [UInt8]
        var reader: RequestHeadReader

        init(_ bytes: UnsafeRawBufferPointer, _ reader: RequestHeadReader) {
            self.bytes = Array(bytes)
            self.reader = reader
        }
    }

    /// The result of the validation.
    struct Outcome {
        /// Bytes at the beginning of the buffer that the library gets.
        var passed = 0
        /// The offset of the last pong in the pongs; nil when no ping was answered.
        var lastPong: Int?
        /// Whether a frame violated the protocol.
        var isBroken = false
    }

    /// The head that libwebsockets gets in place of a refused one.
    private static let standIn: StaticString = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    /// Free bytes behind the input while a head may arrive, for the stand-in.
    static let reserve = 32

    private(set) var phase = Phase.head
    private var pending: Pending?
    private var frames = FrameReader()
    /// The number of heads that libwebsockets got, including the stand-in.
    private(set) var heads: UInt32 = 0
    /// The reason why the last head is refused; nil when it is valid.
    private(set) var fault: HeadFault?

    /// The size of the stored incomplete input, which precedes the next bytes.
    var pendingBytes: Int { self.pending?.bytes.count ?? 0 }

    /// Copies the stored incomplete input to the beginning of `buffer`.
    func restore(into buffer: UnsafeMutableRawBufferPointer) {
        if let pending = self.pending { buffer.copyBytes(from: pending.bytes) }
    }

    /// Validates new input.
    ///
    /// - Parameters:
    ///   - buffer: the stored input followed by the new bytes. While a head may arrive, `reserve` more bytes are
    ///     writable.
    ///   - count: the total size of both, in bytes.
    ///   - pongs: the buffer to which the answers to pings are appended.
    /// - Returns: the part that the library gets.
    mutating func evaluate(_ buffer: UnsafeMutableRawBufferPointer, count: Int, pongs: inout [UInt8]) -> Outcome {
        var reader = RequestHeadReader()
        if let pending = self.pending {
            reader = pending.reader
            self.pending = nil
        }
        var outcome = Outcome()
        var end = count
        while outcome.passed < end {
            switch self.phase {
            case .head:
                let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[outcome.passed..<end])
                do throws(HeadFault) {
                    guard let head = try reader.read(UnsafeRawBufferPointer(bytes)) else {
                        self.pending = Pending(UnsafeRawBufferPointer(bytes), reader)
                        return outcome
                    }
                    let saved = head.makeUniform(bytes)
                    end -= saved
                    outcome.passed += head.byteCount - saved
                    self.headCame(head)
                    reader = RequestHeadReader()
                } catch {
                    self.fault = error
                    self.heads += 1
                    self.phase = .done
                    Self.standIn.withUTF8Buffer {
                        UnsafeMutableRawBufferPointer(rebasing: buffer[outcome.passed...]).copyBytes(from: $0)
                        outcome.passed += $0.count
                    }
                    return outcome
                }
            case .body(let remaining):
                let length = min(remaining, end - outcome.passed)
                outcome.passed += length
                self.phase = remaining == length ? .head : .body(remaining: remaining - length)
            case .rest: outcome.passed = end
            case .frames: return self.readFrames(buffer, outcome.passed..<end, &pongs)
            case .done: return outcome
            }
        }
        return outcome
    }

    private mutating func headCame(_ head: RequestHead) {
        self.heads += 1
        if head.hasTransferCoding {
            self.phase = .rest
        } else if let length = head.bodyLength, length > 0 {
            self.phase = .body(remaining: length)
        } else if head.wantsWebSocket {
            self.phase = .frames
        }
    }

    private mutating func readFrames(
        _ buffer: UnsafeMutableRawBufferPointer,
        _ range: Range<Int>,
        _ pongs: inout [UInt8]
    ) -> Outcome {
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[range])
        let read = self.frames.read(bytes, pongs: &pongs)
        if read.waiting > 0 {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - read.waiting)...])
            self.pending = Pending(rest, RequestHeadReader())
        }
        if self.frames.isDone { self.phase = .done }
        return Outcome(passed: range.lowerBound + read.passed, lastPong: read.lastPong, isBroken: read.isBroken)
    }
}
