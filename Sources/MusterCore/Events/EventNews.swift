/// An event as it is now, for the world: what it decides by, and what it sends, which is encoded once for everybody.
package struct EventNews: Sendable, Equatable, Codable {
    package var event: Event
    /// Its JSON for who may know where it is, without how anybody stands to it.
    package var exact: [UInt8]
    /// The same for everybody else.
    package var rough: [UInt8]

    /// Pairs an event with its JSON.
    package init(event: Event, exact: [UInt8], rough: [UInt8]) {
        self.event = event
        self.exact = exact
        self.rough = rough
    }
}

/// An event as somebody is shown it.
package struct ShownEvent: Sendable, Equatable, Codable {
    package var event: EventID
    /// Its JSON without how the person stands to it.
    package var json: [UInt8]
    /// How they do; nil where that is not said.
    package var standing: EventStanding?

    /// Shows an event.
    package init(_ event: EventID, json: [UInt8], standing: EventStanding?) {
        self.event = event
        self.json = json
        self.standing = standing
    }
}

/// What is new among the events that a session watches.
package struct EventPush: Sendable, Equatable, Codable {
    /// The number of the watch.
    package var watch: Int64
    /// Those that are new or changed, by their beginning.
    package var put: [ShownEvent]
    /// Those that are not among them any more.
    package var gone: [EventID]
    /// Whether there are more than are sent.
    package var more: Bool

    /// Creates a push.
    package init(watch: Int64, put: [ShownEvent], gone: [EventID], more: Bool) {
        self.watch = watch
        self.put = put
        self.gone = gone
        self.more = more
    }
}
