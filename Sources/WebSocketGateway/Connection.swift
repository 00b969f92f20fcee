package import MusterWire

/// One open WebSocket, for use on its shard's thread alone.
package final class Connection {
    /// The connection's name.
    package let id: ConnectionID
    /// The subprotocol that was agreed.
    package let subprotocol: String
    /// The client's IP address.
    package let peerAddress: String

    init(id: ConnectionID, subprotocol: String, peerAddress: String) {
        self.id = id
        self.subprotocol = subprotocol
        self.peerAddress = peerAddress
    }

    /// Queues one text frame; it is written at the end of the turn.
    package func send(_ frame: [UInt8]) { preconditionFailure("being written") }

    /// Closes after what is queued has been written; further frames are not read.
    package func close(_ code: CloseCode) { preconditionFailure("being written") }

    /// Lifts the `hello` deadline.
    package func markEstablished() { preconditionFailure("being written") }

    /// Stops reading the socket, so that TCP slows the client down.
    package func pauseReading() { preconditionFailure("being written") }

    /// Reads the socket again.
    package func resumeReading() { preconditionFailure("being written") }

    /// Lets `GatewayApplication.timerFired` be called with `token` once `milliseconds` have passed.
    package func timer(after milliseconds: Int64, token: UInt64) { preconditionFailure("being written") }
}

@available(*, unavailable)
extension Connection: Sendable {}
