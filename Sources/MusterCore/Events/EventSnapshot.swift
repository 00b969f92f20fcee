/// The current state of an event for the world, with the JSON that is encoded once for all recipients.
package struct EventSnapshot: Sendable, Equatable {
    package var event: Event
    /// The JSON for users who may see the exact place, without the recipient's status.
    package var exact: [UInt8]
    /// The JSON for all other users, without the recipient's status.
    package var coarse: [UInt8]

    /// Pairs an event with its JSON.
    package init(event: Event, exact: [UInt8], coarse: [UInt8]) {
        self.event = event
        self.exact = exact
        self.coarse = coarse
    }
}

/// An event as shown to a user.
package struct ShownEvent: Sendable, Equatable {
    package var event: EventID
    /// The JSON without the user's status.
    package var json: [UInt8]
    /// The user's status; nil where it is not included.
    package var rsvpStatus: RSVPStatus?

    /// Creates a shown event.
    package init(_ event: EventID, json: [UInt8], rsvpStatus: RSVPStatus?) {
        self.event = event
        self.json = json
        self.rsvpStatus = rsvpStatus
    }
}

/// The changes of the events that a session is subscribed to.
package struct EventPush: Sendable, Equatable {
    /// The number of the subscription.
    package var subscription: Int64
    /// New or changed events, by start time.
    package var put: [ShownEvent]
    /// Events that no longer match.
    package var gone: [EventID]
    /// Whether more events match than are sent.
    package var more: Bool
}
