/// A close code of a WebSocket: the number on the wire, its meaning, and whether the client may reconnect.
///
/// This file is the catalogue of all close codes of the protocol (`public/docs/protocol.md#close-codes`).
package struct CloseCode: Hashable, Sendable {
    /// The reconnection rule after a close.
    package enum ReconnectRule: Hashable, Sendable {
        /// Not until the client has been corrected.
        case never
        /// At once, with full jitter.
        case withJitter
        /// After the delay in the `goaway` frame.
        case afterGoaway
        /// After the user has logged in again.
        case afterLogin
        /// After this many seconds.
        case afterSeconds(Int)
    }

    /// The number in the close frame.
    package let number: UInt16
    /// The text in the close frame; at most 123 bytes.
    package let reason: String
    /// The reconnection rule for the client.
    package let reconnectRule: ReconnectRule

    /// Creates a code from a peer's close frame.
    ///
    /// The server's own codes are the constants below.
    package init(number: UInt16, reason: String, reconnectRule: ReconnectRule = .withJitter) {
        self.number = number
        self.reason = reason
        self.reconnectRule = reconnectRule
    }
}

extension CloseCode {
    /// The session has ended normally.
    package static let normal = CloseCode(number: 1000, reason: "done")
    /// The server is going away.
    package static let goingAway = CloseCode(number: 1001, reason: "going away", reconnectRule: .afterGoaway)
    /// A frame violated RFC 6455, for example by missing its mask.
    package static let protocolError = CloseCode(number: 1002, reason: "protocol error", reconnectRule: .never)
    /// A binary frame.
    package static let unsupportedData = CloseCode(number: 1003, reason: "text frames only", reconnectRule: .never)
    /// The peer disconnected without a close frame; never on the wire.
    package static let abnormal = CloseCode(number: 1006, reason: "")
    /// A text frame that is not UTF-8.
    package static let invalidText = CloseCode(number: 1007, reason: "not UTF-8", reconnectRule: .never)
    /// A frame over 64 KiB.
    package static let tooLarge = CloseCode(number: 1009, reason: "frame over 64 KiB", reconnectRule: .never)
    /// The server restarts.
    package static let restarting = CloseCode(number: 1012, reason: "restarting", reconnectRule: .afterGoaway)
    /// The first frame was not a valid `hello`, or 20 bad frames came in a minute.
    package static let badFrames = CloseCode(number: 4400, reason: "bad frames", reconnectRule: .never)
    /// The token is unknown, expired or revoked.
    package static let unauthorized = CloseCode(number: 4401, reason: "unauthorized", reconnectRule: .afterLogin)
    /// There was no `hello` in time, or no input for too long.
    package static let timedOut = CloseCode(number: 4408, reason: "timed out")
    /// The same device connected again elsewhere.
    package static let replaced = CloseCode(number: 4409, reason: "connected elsewhere", reconnectRule: .never)
    /// Nothing could be written for 10 s, or 256 KiB of responses are queued.
    package static let tooSlow = CloseCode(number: 4413, reason: "too slow")
    /// A rate limit was ignored.
    package static let rateLimited = CloseCode(number: 4429, reason: "rate limited", reconnectRule: .afterSeconds(30))
    /// The database is unavailable, so `hello` cannot be processed.
    package static let unavailable = CloseCode(number: 4503, reason: "unavailable")
}
