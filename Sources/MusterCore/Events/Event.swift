/// Something to which people come at a time and a place, as storage has it: with all that some may not see.
package struct Event: Sendable, Equatable, Codable {
    /// Who may find it.
    package enum Visibility: String, Sendable, Codable, CaseIterable {
        /// Everybody who has an account.
        case everybody = "public"
        /// The members of its group.
        case group
    }

    /// How far it has come.
    package enum State: String, Sendable, Codable {
        case planned
        case cancelled
        case over
    }

    /// What a title must be.
    package static let titleRule = TextRule.line(1...120)
    /// What the name of a place must be.
    package static let placeRule = TextRule.line(1...120)
    /// What a description must be.
    package static let textRule = TextRule.lines(1...2000)
    /// What a category must be.
    package static let categoryRule = TextRule.line(1...40)
    /// How many places there may be.
    package static let capacityRange = 1...1000
    /// How long it lasts when its host does not say, in milliseconds.
    package static let usualLength: Int64 = 7_200_000
    /// How long it may last, in milliseconds.
    package static let longest: Int64 = 14 * 86_400_000
    /// How far ahead it may begin, in milliseconds.
    package static let farthest: Int64 = 5 * 366 * 86_400_000

    package var id: EventID
    /// Rises with what its host changes.
    package var version: Int64
    /// Rises with every change, also of its guests.
    package var revision: Int64
    package var host: UserProfile
    /// The group that it is for; nil for everybody.
    package var group: GroupID?
    package var title: String
    package var coordinate: Coordinate
    /// What the place is called.
    package var place: String?
    package var text: String?
    package var category: String?
    package var photo: Photo?
    package var startsAt: Timestamp
    package var endsAt: Timestamp
    /// The IANA name of the time zone in which its host thinks of it.
    package var timeZone: String
    /// The time of day at which it begins there, as in `18:30`.
    package var clock: String
    /// How many may come; nil for any number.
    package var capacity: Int?
    /// Whether only the host and those who come know where it is.
    package var hidesPlace: Bool
    package var isCancelled: Bool
    package var createdAt: Timestamp
    /// When its host changed it last.
    package var changedAt: Timestamp
    /// Everybody who ever answered, in the order of their answers.
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

    /// How far it has come at a moment.
    package func state(at now: Timestamp) -> State {
        self.isCancelled ? .cancelled : now >= self.endsAt ? .over : .planned
    }

    /// How many stand so.
    package func count(_ rsvp: EventGuest.RSVP) -> Int { self.guests.count { $0.rsvp == rsvp } }

    /// Whether somebody who says yes gets a place.
    package var hasRoom: Bool { self.capacity.map { self.count(.yes) < $0 } ?? true }

    /// A person's own line among the guests.
    package func guest(_ user: UserID) -> EventGuest? { self.guests.first { $0.user == user } }

    /// Whether a person may know where it is, whatever it hides.
    package func isInside(_ user: UserID) -> Bool { user == self.host.id || self.guest(user)?.rsvp == .yes }

    /// Whether a person sees the place only roughly.
    package func isRough(for user: UserID) -> Bool { self.hidesPlace && !self.isInside(user) }

    /// How everybody stands who ever answered.
    package var standings: [UserID: EventStanding] {
        var standings: [UserID: EventStanding] = [:]
        var waiting = 0
        for guest in self.guests {
            switch guest.rsvp {
            case .waiting:
                waiting += 1
                standings[guest.user] = EventStanding(rsvp: .waiting, waitingPlace: waiting)
            // Who was taken off the list is a stranger again.
            case .removed: standings[guest.user] = EventStanding(rsvp: nil)
            case .yes, .maybe, .no: standings[guest.user] = EventStanding(rsvp: guest.rsvp)
            }
        }
        return standings
    }

    /// How a person stands; nil for who never answered.
    package func standing(of user: UserID) -> EventStanding? { self.standings[user] }

    /// The event as it is for those who may know of its place only roughly; without what gives it away.
    package var roughened: Event {
        guard self.hidesPlace else { return self }
        var event = self
        event.coordinate = self.coordinate.snappedToGrid
        event.place = nil
        return event
    }
}
