import CLibUV
import CLibWebSockets
import CMusterShims
import Glibc

/// The `struct lws *` of one socket, with the few things that may be done to it.
///
/// Valid from adoption until `LWS_CALLBACK_WSI_DESTROY`, on the thread of its context alone; libwebsockets owns it.
struct SocketHandle: ClientSocket {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Whether libwebsockets still keeps a tail of an earlier write.
    var hasUnwrittenTail: Bool { lws_partial_buffered(self.pointer) != 0 }

    /// Writes bytes as they are; what the kernel does not take, libwebsockets keeps.
    ///
    /// - Returns: false when the socket is dead.
    func write(_ bytes: inout [UInt8]) -> Bool { self.write(&bytes, from: 0) }

    private func write(_ bytes: inout [UInt8], from start: Int) -> Bool {
        bytes.withUnsafeMutableBufferPointer { buffer in
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[start...])
            return lws_write(self.pointer, rest.baseAddress, rest.count, LWS_WRITE_HTTP) >= Int32(rest.count)
        }
    }

    /// Writes whole frames to a WebSocket as they are; what the kernel does not take, libwebsockets keeps.
    ///
    /// Without TLS the kernel is called at once: libwebsockets would end in the same call, but look at four more objects of
    /// the connection on the way, which no cache holds when there are many.
    func write(frames: inout [UInt8], isEncrypted: Bool) -> SocketWriting {
        var sent = 0
        // Before a tail, which a frame of its own such as a pong may have left, nothing else may go.
        if !isEncrypted, !self.hasUnwrittenTail {
            sent = max(0, send(lws_get_socket_fd(self.pointer), frames, frames.count, Int32(MSG_NOSIGNAL)))
            if sent == frames.count { return .whole }
        }
        guard self.write(&frames, from: sent) else { return .failed }
        return self.hasUnwrittenTail ? .withTail : .whole
    }

    /// Bytes that the client's system has acknowledged since the connection began; nil when the kernel does not say.
    var acknowledgedBytes: UInt64? {
        var bytes: UInt64 = 0
        return muster_socket_acknowledged(lws_get_socket_fd(self.pointer), &bytes) ? bytes : nil
    }

    /// Whether the client has sent something that was not read, or has gone.
    var hasInput: Bool {
        var byte: UInt8 = 0
        let count = recv(lws_get_socket_fd(self.pointer), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count >= 0 || errno != EAGAIN && errno != EINTR
    }

    /// Asks for a WRITEABLE callback.
    func requestWritable() { lws_callback_on_writable(self.pointer) }

    /// Starts or stops reading.
    func setReading(_ isReading: Bool) { lws_rx_flow_control(self.pointer, isReading ? 1 : 0) }

    /// Cuts the connection without a word in the next turn of the loop, whatever still waits to be written.
    func kill() {
        lws_set_timeout(self.pointer, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
        // Outside of a callback nothing arms the library's timer; this makes it look.
        lws_cancel_service(lws_get_context(self.pointer))
    }

    /// Lets libwebsockets cut the connection after `seconds`; 0 for never.
    func setTimeout(seconds: Int32) {
        lws_set_timeout(
            self.pointer,
            seconds == 0 ? NO_PENDING_TIMEOUT : PENDING_TIMEOUT_HTTP_CONTENT,
            seconds
        )
    }

    // MARK: WebSocket

    /// Lets libwebsockets name a connection with all that it tells of the socket; nil for none.
    ///
    /// Unretained: the socket's own object holds it for as long as it is named.
    func name(_ connection: Connection?) {
        lws_set_wsi_user(self.pointer, connection.map { Unmanaged.passUnretained($0).toOpaque() })
    }

    var isBinary: Bool { lws_frame_is_binary(self.pointer) != 0 }

    /// Whether the bytes of this callback end a message.
    var isMessageEnd: Bool {
        lws_is_final_fragment(self.pointer) != 0 && lws_remaining_packet_payload(self.pointer) == 0
    }

    /// Bytes of the frame that are still to come.
    var remainingBytes: Int { lws_remaining_packet_payload(self.pointer) }

    /// The code of the close frame that libwebsockets itself has sent or is about to send.
    var ownCloseCode: UInt16? {
        guard lws_get_close_length(self.pointer) >= 2, let payload = lws_get_close_payload(self.pointer) else {
            return nil
        }
        return UInt16(payload[0]) << 8 | UInt16(payload[1])
    }

    /// The subprotocol that was agreed.
    var subprotocol: String {
        guard let name = lws_get_protocol(self.pointer)?.pointee.name else { return "" }
        return String(cString: name)
    }

    // MARK: HTTP

    /// Ends a request's turn on the connection.
    ///
    /// - Returns: whether the connection must be closed now.
    func completeTransaction() -> Bool { lws_http_transaction_completed(self.pointer) != 0 }

    /// The value of a header; nil when it is absent.
    func header(_ token: lws_token_indexes) -> String? {
        let count = self.headerBytes(token)
        guard count > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { buffer in
            guard lws_hdr_copy(self.pointer, buffer.baseAddress, Int32(count + 1), token) >= 0 else { return nil }
            return buffer.baseAddress.map { String(cString: $0) }
        }
    }

    /// How long the value of a header is; 0 when it is absent.
    func headerBytes(_ token: lws_token_indexes) -> Int { Int(lws_hdr_total_length(self.pointer, token)) }

    /// The value of a header that libwebsockets has no number for, by its name in lower case; nil when it is absent.
    func customHeader(_ name: String) -> String? {
        let key = name + ":"
        let length = Int32(key.utf8.count)
        let count = lws_hdr_custom_length(self.pointer, key, length)
        guard count > 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(count) + 1) { buffer in
            guard lws_hdr_custom_copy(self.pointer, buffer.baseAddress, count + 1, key, length) >= 0 else { return nil }
            return buffer.baseAddress.map { String(cString: $0).drop { $0 == " " || $0 == "\t" } }.map(String.init)
        }
    }

    /// The decoded fields of the query.
    var query: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: RequestHeadReader.limit) { buffer in
            while lws_hdr_copy_fragment(
                self.pointer,
                buffer.baseAddress,
                Int32(buffer.count),
                WSI_TOKEN_HTTP_URI_ARGS,
                Int32(fields.count)
            ) >= 0 {
                guard let start = buffer.baseAddress else { return }
                let parts = String(cString: start).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                fields.append((String(parts[0]), parts.count > 1 ? String(parts[1]) : ""))
            }
        }
        return fields
    }

    /// The method and path of the request; nil for a method that is not taken.
    var methodAndPath: (method: HTTPMethod, path: String)? {
        for (token, method) in Self.methods {
            if let path = self.header(token) { return (method, path) }
        }
        return nil
    }

    private static let methods: [(lws_token_indexes, HTTPMethod)] = [
        (WSI_TOKEN_GET_URI, .get),
        (WSI_TOKEN_POST_URI, .post),
        (WSI_TOKEN_OPTIONS_URI, .options),
        (WSI_TOKEN_PUT_URI, .put),
        (WSI_TOKEN_PATCH_URI, .patch),
        (WSI_TOKEN_DELETE_URI, .delete),
        (WSI_TOKEN_HEAD_URI, .head),
    ]
}

/// What a shard keeps for one accepted socket, from adoption to destruction.
///
/// libwebsockets holds it, retained, as the socket's opaque data; `LWS_CALLBACK_WSI_DESTROY` releases it.
final class Socket {
    /// What the socket is being used for.
    enum Use {
        case idle
        case exchange(HTTPExchange)
        case connection(Connection)
    }

    let peerAddress: String
    let descriptor: Int32
    var use = Use.idle
    /// What of the client's bytes libwebsockets gets.
    var input = SocketInput()
    /// Requests that libwebsockets has told of.
    var requests: UInt32 = 0
    /// What frames brought that came before the WebSocket was open.
    var early: EarlyFrames?

    init(peerAddress: String, descriptor: Int32) {
        self.peerAddress = peerAddress
        self.descriptor = descriptor
    }

    /// What frames bring besides messages, while nothing can be written yet.
    final class EarlyFrames {
        var pongs: [UInt8] = []
        var isBroken = false
    }
}

@available(*, unavailable)
extension Socket: Sendable {}
