/// What a shard's timer wheel reminds it of.
enum WheelToken {
    /// The application should have marked the connection as established.
    case helloDeadline(ConnectionID)
    /// It is time for a ping, or to give up on a silent client.
    case heartbeat(ConnectionID)
    /// It is time to look whether a client still takes bytes.
    case writeDeadline(ConnectionID)
    /// The client should have answered the close frame.
    case closeDeadline(ConnectionID)
    /// The body of a request should have come.
    case bodyDeadline(RequestID)
    /// The body of a request has come whole, in chunks.
    case bodyEnded(RequestID)
    /// It is time to look whether the client of a streamed answer is still there.
    case answerDeadline(RequestID)
    /// The client of a refused request should have closed.
    case refusalDeadline(RequestID)
    /// The application asked for it.
    case application(ConnectionID, UInt8)
}
