package import MusterWire

/// The parameters of a subscription to a topic.
package struct TopicSubscription: Sendable {
    /// The position that the client claims to have; nil for a new client.
    package var resume: TopicPosition?
    /// The lowest key that the client may see.
    package var lowestKey: Int64
    /// A number that rises with each subscription to this shard.
    ///
    /// The owner of the mirrors compares it to find out which subscriptions a shard knew when it reported that the
    /// topic has none.
    package var number: UInt64

    /// Creates a subscription.
    package init(resume: TopicPosition? = nil, lowestKey: Int64 = .min, number: UInt64 = 0) {
        self.resume = resume
        self.lowestKey = lowestKey
        self.number = number
    }
}

/// A command from another thread to a shard.
///
/// Commands take effect in order. A command for a missing connection, request or topic is ignored.
package enum GatewayCommand: Sendable {
    /// Creates a subscription of a client, without a lowest key and a number.
    package static func subscribe(_ id: ConnectionID, _ topic: TopicID, resume: TopicPosition? = nil) -> Self {
        .subscribe(id, topic, TopicSubscription(resume: resume))
    }

    /// Sends one text frame. With `.now` it keeps command order relative to topic frames.
    case send(ConnectionID, frame: [UInt8], Urgency = .now)
    /// Delivers a message to the application for a connection; created by `Gateway.deliver`.
    indirect case deliver(ConnectionID, ApplicationMessage)
    /// Cancels the `hello` deadline.
    case markEstablished(ConnectionID)
    /// Closes a connection with a code after its queued output.
    case close(ConnectionID, CloseCode)
    /// Stops reading the connection's socket, so that TCP slows the client down.
    case pauseReading(ConnectionID)
    /// Resumes reading the connection's socket.
    case resumeReading(ConnectionID)

    /// Creates or replaces the mirror of a topic.
    indirect case openTopic(TopicSnapshot)
    /// Changes a mirrored topic and marks its subscribers.
    case updateTopic(TopicChange)
    /// Removes a topic and its subscriptions.
    case closeTopic(TopicID)
    /// Subscribes a connection to a mirrored topic. The client is brought up to date as the topic's kind says, and then
    /// gets changes.
    indirect case subscribe(ConnectionID, TopicID, TopicSubscription)
    /// Ends a subscription.
    case unsubscribe(ConnectionID, TopicID)

    /// Responds to an HTTP request.
    case respond(RequestID, HTTPResponse)
    /// Continues with a request: more of the response is available, or the body queue has capacity.
    case resumeExchange(RequestID)

    /// Stops reading all sockets of the shard, because the consumer of its messages is overloaded.
    case pauseAllReading
    /// Resumes reading all sockets except those that are paused individually.
    case resumeAllReading
}

/// The urgency of a write.
///
/// A write costs far more than the bytes in it, so output that is not urgent waits for the next urgent output.
package enum Urgency: Sendable {
    /// At the end of the tick.
    case now
    /// With the next write to the connection. At the latest after one tick of the timer wheel, or after half a second
    /// when the shard is busy.
    case soon
}

/// A type-erased `Message` of a gateway's application.
///
/// Only the gateway creates it, because it knows the type.
///
/// `GatewayCommand` has no type parameter for the message, because generic code of unknown size would make every
/// command slower.
package struct ApplicationMessage: Sendable {
    /// The message.
    let content: any Sendable

    /// Wraps a message of the gateway's own application.
    init(_ content: some Sendable) { self.content = content }
}
