package import MusterWire

/// What a connection asks for when it is to follow a topic.
package struct TopicSubscription: Sendable {
    /// How far the client says that it has come; nil for a newcomer.
    package var resume: TopicPosition?
    /// The lowest key that it may see.
    package var lowestKey: Int64
    /// A number that rises with each subscription to this shard: who opens and closes mirrors learns by it which
    /// subscriptions a shard knew of when it found that nobody follows.
    package var number: UInt64

    /// Creates a subscription.
    package init(resume: TopicPosition? = nil, lowestKey: Int64 = .min, number: UInt64 = 0) {
        self.resume = resume
        self.lowestKey = lowestKey
        self.number = number
    }
}

/// What other threads ask of a shard.
///
/// Commands take effect in order. What names a connection, request or topic that is gone is ignored.
package enum GatewayCommand: Sendable {
    /// A subscription without anything that a newcomer would not say.
    package static func subscribe(_ id: ConnectionID, _ topic: TopicID, resume: TopicPosition? = nil) -> Self {
        .subscribe(id, topic, TopicSubscription(resume: resume))
    }

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
    indirect case openTopic(TopicSnapshot)
    /// Changes a mirrored topic and marks its subscribers.
    case updateTopic(TopicChange)
    /// Forgets a topic and its subscriptions.
    case closeTopic(TopicID)
    /// Lets a connection follow a topic that is mirrored: it is brought up to date as the topic's kind says, then told of
    /// changes.
    indirect case subscribe(ConnectionID, TopicID, TopicSubscription)
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

/// How soon something must be written.
///
/// A write costs far more than the bytes in it, so what nobody waits for goes along with what somebody does.
package enum Urgency: Sendable {
    /// At the end of the turn.
    case now
    /// With whatever is next written to the connection; in one slot of the timer wheel at the latest, or in
    /// half a second when the shard is busy.
    case soon
}

/// A `Message` of a gateway's application on its way there; made by the gateway alone, which knows the type.
///
/// `GatewayCommand` has no type parameter for it: every command would take the longer way of code that does not know how
/// long it is.
package struct ApplicationMessage: Sendable {
    /// The message.
    let content: any Sendable

    /// Wraps a message; for the gateway of the application whose it is.
    init(_ content: some Sendable) { self.content = content }
}
