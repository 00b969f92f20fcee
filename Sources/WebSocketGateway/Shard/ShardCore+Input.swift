import CLibWebSockets
import EventLoop
import MusterWire

extension ShardCore {
    /// The maximum size of queued pongs of one connection.
    ///
    /// Beyond it, only the latest ping is answered (RFC 6455,
    /// 5.5.3).
    private static let maximumPongBytes = 2048
    /// Milliseconds for a client to close after it violated the protocol.
    private static let brokenTimeout: Int64 = 1000

    func framesEvaluated(_ outcome: SocketInput.Outcome, pongs: [UInt8], of socket: Socket) {
        guard case .connection(let connection) = socket.use else {
            let buffered = socket.buffered ?? Socket.BufferedFrames()
            socket.buffered = buffered
            buffered.pongs += pongs
            buffered.isBroken = buffered.isBroken || outcome.isBroken
            return
        }
        if let last = outcome.lastPong { self.owe(pongs, last: last, on: connection) }
        // Closed at the end of the tick, after the library has reported the preceding frames and the application has
        // handled them.
        if outcome.isBroken { self.brokenConnections.append(connection) }
    }

    /// Applies the result of frames that arrived together with the handshake.
    func openBufferedFrames(of socket: Socket, _ connection: Connection) {
        guard let buffered = socket.buffered.take() else { return }
        if !buffered.pongs.isEmpty { self.owe(buffered.pongs, last: 0, on: connection) }
        if buffered.isBroken { self.brokenConnections.append(connection) }
    }

    private func owe(_ pongs: [UInt8], last: Int, on connection: Connection) {
        connection.lastReceived = self.now
        guard connection.isOpen else { return }
        if connection.blockedSince != nil || connection.pongs.count + pongs.count > Self.maximumPongBytes {
            connection.pongs = Array(pongs[last...])
        } else {
            connection.pongs += pongs
        }
        connection.owesPong = true
        self.plan.write(to: connection, at: Pacer.now)
    }

    /// Closes the connections with a frame that violated the protocol.
    func closeBroken() {
        guard !self.brokenConnections.isEmpty else { return }
        for connection in self.brokenConnections {
            if connection.isOpen {
                self.close(connection, .protocolError, timeout: Self.brokenTimeout)
            } else {
                // No answer to our close frame can follow.
                self.schedule(.closeDeadline(connection.id), after: Self.brokenTimeout)
            }
        }
        self.brokenConnections.removeAll()
    }

    /// Returns whether an event of libwebsockets is only informational, so that the socket continues unchanged.
    ///
    /// An event that is not listed ends the connection. Otherwise a socket in an unknown state would stay open for
    /// ever.
    static func changesNothing(_ reason: lws_callback_reasons) -> Bool {
        switch reason {
        case LWS_CALLBACK_WSI_CREATE, LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED,
            LWS_CALLBACK_FILTER_NETWORK_CONNECTION,
            LWS_CALLBACK_HTTP_BIND_PROTOCOL, LWS_CALLBACK_HTTP_DROP_PROTOCOL, LWS_CALLBACK_FILTER_HTTP_CONNECTION,
            LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION, LWS_CALLBACK_CONFIRM_EXTENSION_OKAY, LWS_CALLBACK_ADD_HEADERS,
            LWS_CALLBACK_CLOSED_HTTP, LWS_CALLBACK_WS_SERVER_BIND_PROTOCOL, LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL,
            LWS_CALLBACK_LOCK_POLL, LWS_CALLBACK_UNLOCK_POLL, LWS_CALLBACK_ADD_POLL_FD, LWS_CALLBACK_DEL_POLL_FD,
            LWS_CALLBACK_CHANGE_MODE_POLL_FD, LWS_CALLBACK_GET_THREAD_ID, LWS_CALLBACK_EVENT_WAIT_CANCELLED,
            LWS_CALLBACK_SSL_INFO, LWS_CALLBACK_CHECK_ACCESS_RIGHTS:
            true
        default: false
        }
    }
}
