import MusterCore
import MusterWire

/// Requests an event.
struct EventGet: ClientRequest {
    typealias Answer = EventAnswer
    static let type = "event.get"
    static let order = RequestOrder.behind(line: "events")

    var event: EventID

    /// Creates a request.
    init(_ event: EventID) { self.event = event }

    init(reading fields: JSONFields) throws(FrameError) { self.event = try fields.event() }
}

/// Cancels an event, as its host.
struct EventCancel: ClientRequest {
    typealias Answer = EventAnswer
    static let type = "event.cancel"
    static let order = RequestOrder.line("events")

    var event: EventID

    /// Creates a request.
    init(_ event: EventID) { self.event = event }

    init(reading fields: JSONFields) throws(FrameError) { self.event = try fields.event() }
}

/// Removes a guest permanently, as the host.
struct EventRemove: ClientRequest {
    typealias Answer = EventAnswer
    static let type = "event.remove"
    static let order = RequestOrder.line("events")

    var event: EventID
    var user: UserID

    /// Creates a request.
    init(_ user: UserID, from event: EventID) {
        self.event = event
        self.user = user
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.user = try fields.required("user", fields.identifier("user"))
    }
}

/// Sets the user's RSVP.
struct EventReply: ClientRequest {
    typealias Answer = EventAnswer
    static let type = "event.rsvp"
    static let order = RequestOrder.line("events")
    static let rate: RequestRate? = .eventReply

    /// The possible answers.
    enum Choice: String, Sendable, CaseIterable {
        case yes
        case maybe
        case no
    }

    var event: EventID
    var rsvp: Choice

    /// Creates a request.
    init(_ event: EventID, _ choice: Choice) {
        self.event = event
        self.rsvp = choice
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.rsvp = try fields.required("rsvp", fields.choice("rsvp"))
    }
}

/// Requests the guests of an event, as the host or a guest.
struct EventGuests: ClientRequest {
    typealias Answer = EventGuestsAnswer
    static let type = "event.guests"
    static let order = RequestOrder.behind(line: "events")

    /// The allowed number of guests in one answer.
    static let limitRange = 1...100

    var event: EventID
    /// The maximum number of guests; nil for the maximum of one answer.
    var limit: Int?
    /// The last guest of the previous page; nil for the first page.
    var after: EventCursor?

    /// Creates a request.
    init(_ event: EventID, limit: Int? = nil, after: EventCursor? = nil) {
        self.event = event
        self.limit = limit
        self.after = after
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.event = try fields.event()
        self.limit = try fields.integer("limit", in: Self.limitRange)
        self.after = try fields.eventCursor()
    }
}

/// Requests the events that the user hosts or has answered, in descending order of their start.
struct EventsMine: ClientRequest {
    typealias Answer = EventsAnswer
    static let type = "events.mine"
    static let order = RequestOrder.behind(line: "events")

    /// The allowed number of events in one answer.
    static let limitRange = 1...100

    /// The maximum number of events; nil for the maximum of one answer.
    var limit: Int?
    /// The last event of the previous page; nil for the first page.
    var after: EventCursor?

    /// Creates a request.
    init(limit: Int? = nil, after: EventCursor? = nil) {
        self.limit = limit
        self.after = after
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.limit = try fields.integer("limit", in: Self.limitRange)
        self.after = try fields.eventCursor()
    }
}

/// The end of a page of guests or events: a time and, for equal times, an id.
///
/// The wire format is `1732060800000.501`.
struct EventCursor: Hashable, Sendable, Encodable {
    var at: Timestamp
    var id: Int64

    /// Creates a cursor.
    init(at: Timestamp, id: Int64) {
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

    func encode(to encoder: any Encoder) throws {
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
