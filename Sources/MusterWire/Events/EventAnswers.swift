package import MusterCore

/// The event as one sees it now.
package struct EventAnswer: Encodable, Equatable, Sendable {
    private let event: EncodedJSON

    /// Shows an event to a person.
    package init(_ event: Event, to user: UserID, at now: Timestamp) {
        self.event = ShownEvent(event, to: user, at: now).encoded
    }
}

/// Events, the last to begin first, and where a calendar finds them all.
package struct EventsAnswer: Encodable, Equatable, Sendable {
    private let events: [EncodedJSON]
    @Nullable private var next: EventCursor?
    private let calendar: String

    /// Shows a page of events to a person.
    ///
    /// - Parameters:
    ///   - events: the page.
    ///   - user: who looks.
    ///   - now: the time.
    ///   - next: where the page ends; nil when it is the last.
    ///   - calendar: the address of the person's calendar.
    package init(_ events: [Event], to user: UserID, at now: Timestamp, next: EventCursor?, calendar: String) {
        self.events = events.map { ShownEvent($0, to: user, at: now).encoded }
        self.next = next
        self.calendar = calendar
    }
}

/// Somebody who answered, by name.
package struct NamedGuest: Sendable, Equatable {
    package var person: UserProfile
    package var rsvp: EventGuest.RSVP
    package var askedAt: Timestamp

    /// Names a guest.
    package init(person: UserProfile, rsvp: EventGuest.RSVP, askedAt: Timestamp) {
        self.person = person
        self.rsvp = rsvp
        self.askedAt = askedAt
    }
}

/// Who comes, in the order of their answers.
package struct EventGuestsAnswer: Encodable, Equatable, Sendable {
    private struct GuestView: Encodable, Equatable {
        let user: UserView
        let rsvp: EventGuest.RSVP
        let at: Timestamp
    }

    private let guests: [GuestView]
    @Nullable private var next: EventCursor?

    /// Shows a page of guests, and where it ends; nil when it is the last.
    package init(_ guests: [NamedGuest], next: EventCursor?) {
        self.guests = guests.map { GuestView(user: UserView($0.person), rsvp: $0.rsvp, at: $0.askedAt) }
        self.next = next
    }
}

/// What a session watches from now on.
package struct EventsWatchAnswer: Encodable, Equatable, Sendable {
    @Nullable private var watch: String?
    private let total: Int
    private let more: Bool

    /// Names a watch; 0 for none.
    package init(watch: Int64, total: Int, more: Bool) {
        self.watch = watch == 0 ? nil : String(watch)
        self.total = total
        self.more = more
    }
}

extension FrameError {
    /// Says that the host has another version before them than there is.
    package static func eventStands(_ event: Event, for user: UserID, at now: Timestamp) -> FrameError {
        FrameError(
            .conflict,
            message: "This event was changed meanwhile: look at it and send its version.",
            standing: StandingState("event", ShownEvent(event, to: user, at: now).encoded)
        )
    }
}
