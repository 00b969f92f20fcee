// What a client sends, between the kernel or OpenSSL and libwebsockets:
//
//     head ──► [body] ──► head …          one request after the other
//       └────► frames                     once a head asks for a WebSocket
//       └────► rest                       a body whose end only its decoder finds; the connection ends with it
//       └────► done                       behind a head that is refused
//
// libwebsockets gets a head when it has come whole and is right. In the place of one that is refused it gets `stand-in`, a small
// right one, and the shard answers what `fault` says. So the library never sees a request that it would understand otherwise than
// we do, nor a method that it answers by itself.
//
// What was read and cannot be passed on yet is kept in `pending`, which exists only while a head, a header of a frame or a
// control frame has come in part.

/// Judges everything that a client sends, before libwebsockets gets it.
struct SocketInput {
    /// What is expected next.
    enum Phase: Equatable {
        case head
        case body(remaining: Int)
        case rest
        case frames
        case done
    }

    /// The beginning of what has not come whole.
    private final class Pending {
        var bytes: [UInt8]
        var reader: RequestHeadReader

        init(_ bytes: UnsafeRawBufferPointer, _ reader: RequestHeadReader) {
            self.bytes = Array(bytes)
            self.reader = reader
        }
    }

    /// What became of bytes that came.
    struct Outcome {
        /// Bytes for the library, at the beginning.
        var passed = 0
        /// Where in the pongs the last one begins; nil when no ping was answered.
        var lastPong: Int?
        /// Whether a frame broke the protocol.
        var isBroken = false
    }

    /// What libwebsockets gets in the place of a head that is refused.
    private static let standIn: StaticString = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    /// Bytes that are kept free behind what is read while a head may come, for the stand-in.
    static let reserve = 32

    private(set) var phase = Phase.head
    private var pending: Pending?
    private var frames = FrameReader()
    /// Heads that libwebsockets got, the stand-in among them.
    private(set) var heads: UInt32 = 0
    /// Why the last of the heads is refused; nil when it is not.
    private(set) var fault: HeadFault?

    /// Bytes that wait for more, and go in front of what comes.
    var pendingBytes: Int { self.pending?.bytes.count ?? 0 }

    /// Puts what waits at the beginning of `buffer`.
    func restore(into buffer: UnsafeMutableRawBufferPointer) {
        if let pending = self.pending { buffer.copyBytes(from: pending.bytes) }
    }

    /// Judges what came.
    ///
    /// - Parameters:
    ///   - buffer: begins with what waited and what came; while a head may come, `reserve` bytes more can be written.
    ///   - count: bytes of both.
    ///   - pongs: gets the frames that answer pings.
    /// - Returns: what the library gets of it.
    mutating func judge(_ buffer: UnsafeMutableRawBufferPointer, count: Int, pongs: inout [UInt8]) -> Outcome {
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
