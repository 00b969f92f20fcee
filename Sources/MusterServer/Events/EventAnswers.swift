import MusterCore
import MusterWire

/// The current event as visible to the user.
struct EventAnswer: Encodable, Equatable, Sendable {
    private let event: EncodedJSON

    /// Creates the answer for a user.
    init(_ event: Event, to user: UserID, at now: Timestamp) {
        self.event = ShownEvent(event, to: user, at: now).encoded
    }
}

/// Events, in descending order of their start, and the URL of the calendar feed.
struct EventsAnswer: Encodable, Equatable, Sendable {
    private let events: [EncodedJSON]
    @Nullable private var next: EventCursor?
    private let calendar: String

    /// Creates a page of events for a user.
    ///
    /// - Parameters:
    ///   - events: the page.
    ///   - user: the user.
    ///   - now: the current time.
    ///   - next: the cursor after the page; nil for the last page.
    ///   - calendar: the URL of the user's calendar feed.
    init(_ events: [Event], to user: UserID, at now: Timestamp, next: EventCursor?, calendar: String) {
        self.events = events.map { ShownEvent($0, to: user, at: now).encoded }
        self.next = next
        self.calendar = calendar
    }
}

/// A guest with the profile of the user.
struct NamedGuest: Sendable, Equatable {
    var person: UserProfile
    var rsvp: EventGuest.RSVP
    var askedAt: Timestamp
}

/// The guests of an event, in the order of their answers.
struct EventGuestsAnswer: Encodable, Equatable, Sendable {
    private struct GuestView: Encodable, Equatable {
        let user: UserView
        let rsvp: EventGuest.RSVP
        let at: Timestamp
    }

    private let guests: [GuestView]
    @Nullable private var next: EventCursor?

    /// Creates a page of guests and the cursor after it; nil for the last page.
    init(_ guests: [NamedGuest], next: EventCursor?) {
        self.guests = guests.map { GuestView(user: UserView($0.person), rsvp: $0.rsvp, at: $0.askedAt) }
        self.next = next
    }
}

/// The session's subscription to events.
struct EventsWatchAnswer: Encodable, Equatable, Sendable {
    @Nullable private var watch: String?
    private let total: Int
    private let more: Bool

    /// Creates the answer for a subscription's number; 0 for none.
    init(subscription watch: Int64, total: Int, more: Bool) {
        self.watch = watch == 0 ? nil : String(watch)
        self.total = total
        self.more = more
    }
}

extension FrameError {
    /// Creates the conflict error for a host whose version of the event is outdated.
    static func eventConflict(_ event: Event, for user: UserID, at now: Timestamp) -> FrameError {
        FrameError(
            .conflict,
            message: "The event has changed. Read event in this error and send its version.",
            conflict: ConflictState("event", ShownEvent(event, to: user, at: now).encoded)
        )
    }
}
