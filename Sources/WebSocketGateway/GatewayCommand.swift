package import MusterWire

/// What other threads ask of a shard.
///
/// Commands take effect in order. What names a connection, request or topic that is gone is ignored.
package enum GatewayCommand: Sendable {
    /// Sends one text frame; wanted now, it reaches the client before or after topic frames in command order.
    case send(ConnectionID, frame: [UInt8], Urgency = .now)
    /// Hands a message over to the application beside the connection that it is about; `Gateway.deliver` makes it.
    indirect case deliver(ConnectionID, ApplicationMessage)
    /// Lifts the `hello` deadline.
    case markEstablished(ConnectionID)
    /// Closes with a code after what is queued has been written.
    case close(ConnectionID, CloseCode)
    /// Stops reading the connection's socket, so that TCP slows the client down.
    case pauseReading(ConnectionID)
    /// Reads the connection's socket again.
    case resumeReading(ConnectionID)

    /// Starts, or starts anew, the mirror of a topic.
    case openTopic(TopicSnapshot)
    /// Changes a mirrored topic and marks its subscribers.
    case updateTopic(TopicChange)
    /// Forgets a topic and its subscriptions.
    case closeTopic(TopicID)
    /// Subscribes a connection: a difference when `resume` still means something, else all of the topic, then updates.
    case subscribe(ConnectionID, TopicID, resume: TopicPosition?)
    /// Ends a subscription.
    case unsubscribe(ConnectionID, TopicID)

    /// Answers an HTTP request.
    case respond(RequestID, HTTPResponse)
    /// Goes on with a request of whose answer there is more, or for more of whose body there is room.
    case resumeExchange(RequestID)

    /// Stops reading all sockets of the shard: whoever takes its messages cannot take more.
    case pauseAllReading
    /// Reads all sockets again, but for those paused one by one.
    case resumeAllReading
}
