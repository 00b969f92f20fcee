package import MusterCore

/// Asks for an event.
package struct EventGet: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.get"
    package static let order = RequestOrder.behind(line: "events")

    package var event: EventID

    /// Names the event.
    package init(_ event: EventID) { self.event = event }

    package init(reading fields: JSONFields) throws(FrameError) { self.event = try fields.event() }
}

/// Calls an event off, for its host.
package struct EventCancel: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.cancel"
    package static let order = RequestOrder.line("events")

    package var event: EventID

    /// Names the event.
    package init(_ event: EventID) { self.event = event }

    package init(reading fields: JSONFields) throws(FrameError) { self.event = try fields.event() }
}

/// Takes a guest off the list for good, for the host.
package struct EventRemove: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.remove"
    package static let order = RequestOrder.line("events")

    package var event: EventID
    package var user: UserID

    /// Names event and guest.
    package init(_ user: UserID, from event: EventID) {
        self.event = event
        self.user = user
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.user = try fields.required("user", fields.identifier("user"))
    }
}

/// Says whether one comes.
package struct EventReply: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.rsvp"
    package static let order = RequestOrder.line("events")
    package static let rate: RequestRate? = .eventReply

    /// What one can say.
    package enum Word: String, Sendable, Encodable, CaseIterable {
        case yes
        case maybe
        case no
    }

    package var event: EventID
    package var rsvp: Word

    /// Says so.
    package init(_ event: EventID, _ word: Word) {
        self.event = event
        self.rsvp = word
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.rsvp = try fields.required("rsvp", fields.choice("rsvp"))
    }
}

/// Asks who comes, for the host and guests.
package struct EventGuests: ClientRequest {
    package typealias Answer = EventGuestsAnswer
    package static let type = "event.guests"
    package static let order = RequestOrder.behind(line: "events")

    /// How many one answer may hold.
    package static let limitRange = 1...100

    package var event: EventID
    /// How many; nil for as many as one answer may hold.
    package var limit: Int?
    /// The last of the page before; nil for the first page.
    package var after: EventCursor?

    /// Asks for a page.
    package init(_ event: EventID, limit: Int? = nil, after: EventCursor? = nil) {
        self.event = event
        self.limit = limit
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.limit = try fields.integer("limit", in: Self.limitRange)
        self.after = try fields.eventCursor()
    }
}

/// Asks for the events that one hosts or has answered to, the last to begin first.
package struct EventsMine: ClientRequest {
    package typealias Answer = EventsAnswer
    package static let type = "events.mine"
    package static let order = RequestOrder.behind(line: "events")

    /// How many one answer may hold.
    package static let limitRange = 1...100

    /// How many; nil for as many as one answer may hold.
    package var limit: Int?
    /// The last of the page before; nil for the first page.
    package var after: EventCursor?

    /// Asks for a page.
    package init(limit: Int? = nil, after: EventCursor? = nil) {
        self.limit = limit
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.limit = try fields.integer("limit", in: Self.limitRange)
        self.after = try fields.eventCursor()
    }
}

/// Where a page of guests or events ends: behind a moment and, of those with the same, an id.
///
/// On the wire `1732060800000.501`.
package struct EventCursor: Hashable, Sendable, Encodable {
    package var at: Timestamp
    package var id: Int64

    /// Ends a page.
    package init(at: Timestamp, id: Int64) {
        self.at = at
        self.id = id
    }

    /// Reads what the wire has; nil when it is no cursor.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), Timestamp.wireRange.contains(at), let id = UserID(parts[1])
        else { return nil }
        self.init(at: Timestamp(milliseconds: at), id: id.rawValue)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(self.at.milliseconds).\(self.id)")
    }
}

extension JSONFields {
    fileprivate func eventCursor() throws(FrameError) -> EventCursor? {
        guard let text = try self.string("after", length: 1...64) else { return nil }
        guard let cursor = EventCursor(text) else { throw self.error("after", "must be next of an answer") }
        return cursor
    }
}
