package import MusterCore

/// Requests an event.
package struct EventGet: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.get"
    package static let order = RequestOrder.behind(line: "events")

    package var event: EventID

    /// Creates a request.
    package init(_ event: EventID) { self.event = event }

    package init(reading fields: JSONFields) throws(FrameError) { self.event = try fields.event() }
}

/// Cancels an event, as its host.
package struct EventCancel: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.cancel"
    package static let order = RequestOrder.line("events")

    package var event: EventID

    /// Creates a request.
    package init(_ event: EventID) { self.event = event }

    package init(reading fields: JSONFields) throws(FrameError) { self.event = try fields.event() }
}

/// Removes a guest permanently, as the host.
package struct EventRemove: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.remove"
    package static let order = RequestOrder.line("events")

    package var event: EventID
    package var user: UserID

    /// Creates a request.
    package init(_ user: UserID, from event: EventID) {
        self.event = event
        self.user = user
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.user = try fields.required("user", fields.identifier("user"))
    }
}

/// Sets the user's RSVP.
package struct EventReply: ClientRequest {
    package typealias Answer = EventAnswer
    package static let type = "event.rsvp"
    package static let order = RequestOrder.line("events")
    package static let rate: RequestRate? = .eventReply

    /// The possible answers.
    package enum Choice: String, Sendable, CaseIterable {
        case yes
        case maybe
        case no
    }

    package var event: EventID
    package var rsvp: Choice

    /// Creates a request.
    package init(_ event: EventID, _ choice: Choice) {
        self.event = event
        self.rsvp = choice
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.rsvp = try fields.required("rsvp", fields.choice("rsvp"))
    }
}

/// Requests the guests of an event, as the host or a guest.
package struct EventGuests: ClientRequest {
    package typealias Answer = EventGuestsAnswer
    package static let type = "event.guests"
    package static let order = RequestOrder.behind(line: "events")

    /// The allowed number of guests in one answer.
    package static let limitRange = 1...100

    package var event: EventID
    /// The maximum number of guests; nil for the maximum of one answer.
    package var limit: Int?
    /// The last guest of the previous page; nil for the first page.
    package var after: EventCursor?

    /// Creates a request.
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

/// Requests the events that the user hosts or has answered, in descending order of their start.
package struct EventsMine: ClientRequest {
    package typealias Answer = EventsAnswer
    package static let type = "events.mine"
    package static let order = RequestOrder.behind(line: "events")

    /// The allowed number of events in one answer.
    package static let limitRange = 1...100

    /// The maximum number of events; nil for the maximum of one answer.
    package var limit: Int?
    /// The last event of the previous page; nil for the first page.
    package var after: EventCursor?

    /// Creates a request.
    package init(limit: Int? = nil, after: EventCursor? = nil) {
        self.limit = limit
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.limit = try fields.integer("limit", in: Self.limitRange)
        self.after = try fields.eventCursor()
    }
}

/// The end of a page of guests or events: a time and, for equal times, an id.
///
/// The wire format is `1732060800000.501`.
package struct EventCursor: Hashable, Sendable, Encodable {
    package var at: Timestamp
    package var id: Int64

    /// Creates a cursor.
    package init(at: Timestamp, id: Int64) {
        self.at = at
        self.id = id
    }

    /// Decodes the wire format; nil when it is invalid.
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
        guard let cursor = EventCursor(text) else {
            throw self.error("after", "must be the value of next in an earlier answer")
        }
        return cursor
    }
}
