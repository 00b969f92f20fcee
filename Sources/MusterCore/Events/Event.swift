/// An event with a place and a time, as stored: including the parts that some users may not see.
package struct Event: Sendable, Equatable {
    /// The users who may find an event.
    package enum Visibility: String, Sendable, CaseIterable, Encodable {
        /// All users with an account.
        case everybody = "public"
        /// The members of its group.
        case group
    }

    /// The progress of an event.
    package enum State: String, Sendable, Encodable {
        case planned
        case cancelled
        case over
    }

    /// The rule for titles.
    package static let titleRule = TextRule.line(1...120)
    /// The rule for place names.
    package static let placeRule = TextRule.line(1...120)
    /// The rule for descriptions.
    package static let textRule = TextRule.lines(1...2000)
    /// The rule for categories.
    package static let categoryRule = TextRule.line(1...40)
    /// The permitted number of places.
    package static let capacityRange = 1...1000
    /// The default duration in milliseconds.
    package static let usualLength: Int64 = 7_200_000
    /// The maximum duration in milliseconds.
    package static let longest: Int64 = 14 * 86_400_000
    /// The maximum time from now to the start, in milliseconds.
    package static let farthest: Int64 = 5 * 366 * 86_400_000

    package var id: EventID
    /// The version, which rises with each change by the host.
    package var version: Int64
    /// The revision, which rises with every change, including those of guests.
    package var revision: Int64
    package var host: UserProfile
    /// The group that may see the event; nil for all users.
    package var group: GroupID?
    package var title: String
    package var coordinate: Coordinate
    /// The name of the place.
    package var place: String?
    package var text: String?
    package var category: String?
    package var photo: Photo?
    package var startsAt: Timestamp
    package var endsAt: Timestamp
    /// The IANA name of the host's time zone for the event.
    package var timeZone: String
    /// The local time of the start, such as `18:30`.
    package var clock: String
    /// The maximum number of guests; nil for no limit.
    package var capacity: Int?
    /// Whether only the host and the accepted guests see the exact place.
    package var hidesPlace: Bool
    package var isCancelled: Bool
    package var createdAt: Timestamp
    /// The time of the host's last change.
    package var changedAt: Timestamp
    /// All users who ever answered, in the order of their answers.
    package var guests: [EventGuest]

    /// Creates an event.
    package init(
        id: EventID,
        version: Int64 = 1,
        revision: Int64 = 1,
        host: UserProfile,
        group: GroupID? = nil,
        title: String,
        coordinate: Coordinate,
        place: String? = nil,
        text: String? = nil,
        category: String? = nil,
        photo: Photo? = nil,
        startsAt: Timestamp,
        endsAt: Timestamp,
        timeZone: String,
        clock: String,
        capacity: Int? = nil,
        hidesPlace: Bool = false,
        isCancelled: Bool = false,
        createdAt: Timestamp,
        changedAt: Timestamp,
        guests: [EventGuest] = []
    ) {
        self.id = id
        self.version = version
        self.revision = revision
        self.host = host
        self.group = group
        self.title = title
        self.coordinate = coordinate
        self.place = place
        self.text = text
        self.category = category
        self.photo = photo
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.timeZone = timeZone
        self.clock = clock
        self.capacity = capacity
        self.hidesPlace = hidesPlace
        self.isCancelled = isCancelled
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.guests = guests
    }
}

extension Event {
    package var visibility: Visibility { self.group == nil ? .everybody : .group }

    /// The progress at a moment.
    package func state(at now: Timestamp) -> State {
        self.isCancelled ? .cancelled : now >= self.endsAt ? .over : .planned
    }

    /// The number of guests with a status.
    package func count(_ rsvp: EventGuest.RSVP) -> Int { self.guests.count { $0.rsvp == rsvp } }

    /// Whether a user who accepts gets a place.
    package var hasFreePlaces: Bool { self.capacity.map { self.count(.yes) < $0 } ?? true }

    /// A user's entry in the guest list.
    package func guest(_ user: UserID) -> EventGuest? { self.guests.first { $0.user == user } }

    /// Whether a user may see the exact place even if it is hidden.
    func isInside(_ user: UserID) -> Bool { user == self.host.id || self.guest(user)?.rsvp == .yes }

    /// Whether a user sees only the approximate place.
    package func isCoarse(for user: UserID) -> Bool { self.hidesPlace && !self.isInside(user) }

    /// The status of each user who ever answered.
    var rsvpStatuses: [UserID: RSVPStatus] {
        var rsvpStatuses: [UserID: RSVPStatus] = [:]
        var waiting = 0
        for guest in self.guests {
            switch guest.rsvp {
            case .waiting:
                waiting += 1
                rsvpStatuses[guest.user] = RSVPStatus(rsvp: .waiting, waitingPlace: waiting)
            // A removed guest counts as a user who never answered.
            case .removed: rsvpStatuses[guest.user] = RSVPStatus(rsvp: nil)
            case .yes, .maybe, .no: rsvpStatuses[guest.user] = RSVPStatus(rsvp: guest.rsvp)
            }
        }
        return rsvpStatuses
    }

    /// The status of a user; nil for a user who never answered.
    package func rsvpStatus(of user: UserID) -> RSVPStatus? { self.rsvpStatuses[user] }

    /// The event for users who may see only the approximate place: without the fields that reveal the exact one.
    package var coarsened: Event {
        guard self.hidesPlace else { return self }
        var event = self
        event.coordinate = self.coordinate.snappedToGrid
        event.place = nil
        return event
    }
}
