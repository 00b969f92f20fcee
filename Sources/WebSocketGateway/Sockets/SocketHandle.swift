import CLibUV
import CLibWebSockets
import CMusterShims
import Glibc

/// A wrapper of the `struct lws *` of one socket, with the permitted operations.
///
/// Valid from adoption until `LWS_CALLBACK_WSI_DESTROY`, on its context's thread only; libwebsockets owns it.
struct SocketHandle: ClientSocket {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Whether libwebsockets still buffers the tail of an earlier write.
    var hasUnwrittenTail: Bool { lws_partial_buffered(self.pointer) != 0 }

    /// Writes bytes unchanged.
    ///
    /// libwebsockets buffers the bytes that the kernel does not accept.
    ///
    /// - Returns: false when the socket is dead.
    func write(_ bytes: inout [UInt8]) -> Bool { self.write(&bytes, from: 0) }

    private func write(_ bytes: inout [UInt8], from start: Int) -> Bool {
        bytes.withUnsafeMutableBufferPointer { buffer in
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[start...])
            return lws_write(self.pointer, rest.baseAddress, rest.count, LWS_WRITE_HTTP) >= Int32(rest.count)
        }
    }

    /// Writes whole frames to a WebSocket unchanged.
    ///
    /// libwebsockets buffers the bytes that the kernel does not accept.
    ///
    /// Without TLS, the kernel is called directly. libwebsockets would make the same call, but access four more objects
    /// of the connection, which are in no cache when there are many connections.
    func write(frames: inout [UInt8], isEncrypted: Bool) -> SocketWriting {
        var sent = 0
        // No other bytes may precede a tail, such as that of a frame of the library's own.
        if !isEncrypted, !self.hasUnwrittenTail {
            sent = max(0, send(lws_get_socket_fd(self.pointer), frames, frames.count, Int32(MSG_NOSIGNAL)))
            if sent == frames.count { return .whole }
        }
        guard self.write(&frames, from: sent) else { return .failed }
        return self.hasUnwrittenTail ? .withTail : .whole
    }

    /// The bytes that the client's system has acknowledged since the start of the connection; nil when the kernel does
    /// not know.
    var acknowledgedBytes: UInt64? {
        var bytes: UInt64 = 0
        return muster_socket_acknowledged(lws_get_socket_fd(self.pointer), &bytes) ? bytes : nil
    }

    /// Whether the client has sent unread bytes, or has disconnected.
    var hasInput: Bool {
        var byte: UInt8 = 0
        let count = recv(lws_get_socket_fd(self.pointer), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count >= 0 || errno != EAGAIN && errno != EINTR
    }

    /// Requests a WRITEABLE callback.
    func requestWritable() { lws_callback_on_writable(self.pointer) }

    /// Starts or stops reading.
    func setReading(_ isReading: Bool) { lws_rx_flow_control(self.pointer, isReading ? 1 : 0) }

    /// Cuts the connection in the next tick of the loop, without a close frame, and drops all queued output.
    func kill() {
        lws_set_timeout(self.pointer, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
        // Outside of a callback, nothing arms the library's timer. This call triggers a check.
        lws_cancel_service(lws_get_context(self.pointer))
    }

    /// Sets the timeout after which libwebsockets cuts the connection; 0 for none.
    func setTimeout(seconds: Int32) {
        lws_set_timeout(
            self.pointer,
            seconds == 0 ? NO_PENDING_TIMEOUT : PENDING_TIMEOUT_HTTP_CONTENT,
            seconds
        )
    }

    // MARK: WebSocket

    /// Attaches a connection to the library's events of this socket; nil for none.
    ///
    /// Unretained: the `Socket` retains the connection for as long as it is attached.
    func name(_ connection: Connection?) {
        lws_set_wsi_user(self.pointer, connection.map { Unmanaged.passUnretained($0).toOpaque() })
    }

    var isBinary: Bool { lws_frame_is_binary(self.pointer) != 0 }

    /// Whether the bytes of this callback end a message.
    var isMessageEnd: Bool {
        lws_is_final_fragment(self.pointer) != 0 && lws_remaining_packet_payload(self.pointer) == 0
    }

    /// The remaining bytes of the frame.
    var remainingBytes: Int { lws_remaining_packet_payload(self.pointer) }

    /// The code of the close frame that libwebsockets itself has sent or is about to send.
    var ownCloseCode: UInt16? {
        guard lws_get_close_length(self.pointer) >= 2, let payload = lws_get_close_payload(self.pointer) else {
            return nil
        }
        return UInt16(payload[0]) << 8 | UInt16(payload[1])
    }

    /// The negotiated subprotocol.
    var subprotocol: String {
        guard let name = lws_get_protocol(self.pointer)?.pointee.name else { return "" }
        return String(cString: name)
    }

    // MARK: HTTP

    /// Completes a request on the connection.
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

    /// Returns the length of a header's value; 0 when it is absent.
    func headerBytes(_ token: lws_token_indexes) -> Int { Int(lws_hdr_total_length(self.pointer, token)) }

    /// Returns the value of a header that libwebsockets has no number for, by its name in lower case; nil when it is
    /// absent.
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

    /// The percent-decoded fields of the query.
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

    /// The method and path of the request; nil for an unsupported method.
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

/// The state of one accepted socket, from adoption to destruction.
///
/// libwebsockets retains it as the socket's opaque data; `LWS_CALLBACK_WSI_DESTROY` releases it.
final class Socket {
    /// The current use of the socket.
    enum Use {
        case idle
        case exchange(HTTPExchange)
        case connection(Connection)
    }

    let peerAddress: String
    let descriptor: Int32
    var use = Use.idle
    /// The filter of the client's bytes for libwebsockets.
    var input = SocketInput()
    /// The number of requests that libwebsockets has reported.
    var requests: UInt32 = 0
    /// The results of frames that arrived before the WebSocket was open.
    var buffered: BufferedFrames?

    init(peerAddress: String, descriptor: Int32) {
        self.peerAddress = peerAddress
        self.descriptor = descriptor
    }

    /// Pongs and a protocol violation that cannot be written yet.
    final class BufferedFrames {
        var pongs: [UInt8] = []
        var isBroken = false
    }
}

@available(*, unavailable)
extension Socket: Sendable {}
