/// The content of a wearable's display at one moment: the user's groups, nearby spots and unseen notifications.
///
/// Of other users it contains only the place of a gathering, which the whole group receives as well.
package struct Glance: Sendable, Equatable {
    /// Whether the user is among the members who are together.
    package enum Standing: String, Sendable, CaseIterable, Encodable {
        case `in`
        case out
    }

    /// A group of the user.
    package struct Group: Sendable, Equatable {
        package var id: GroupID
        package var name: String
        /// The number of members who are together; 0 when there is no gathering.
        package var together: Int
        /// The number of members.
        package var of: Int
        package var you: Standing
        /// The place of the gathering; nil when there is none.
        package var place: GatheringPlace?
        /// The distance in metres from the user to that place; nil when the user's position is unknown.
        package var distance: Double?

        /// Creates a group.
        package init(
            id: GroupID,
            name: String,
            together: Int = 0,
            of: Int,
            you: Standing = .out,
            place: GatheringPlace? = nil,
            distance: Double? = nil
        ) {
            self.id = id
            self.name = name
            self.together = together
            self.of = of
            self.you = you
            self.place = place
            self.distance = distance
        }
    }

    /// A spot near the user.
    package struct Spot: Sendable, Equatable {
        package var text: SpotText
        package var coordinate: Coordinate
        /// The distance in metres from the user.
        package var distance: Double

        /// Creates a spot.
        package init(_ text: SpotText, coordinate: Coordinate, distance: Double) {
            self.text = text
            self.coordinate = coordinate
            self.distance = distance
        }
    }

    /// An unseen notification.
    package struct Notification: Sendable, Equatable {
        package var number: Int64
        package var kind: String
        /// The group that it is about.
        package var group: GroupID?
        /// A sentence: see `NotificationKind`.
        package var text: String

        /// Creates a notification.
        package init(number: Int64, kind: String, group: GroupID? = nil, text: String) {
            self.number = number
            self.kind = kind
            self.group = group
            self.text = text
        }
    }

    /// A member who arrived at a place of a group or left it.
    package struct Place: Sendable, Equatable {
        /// What happened.
        package enum State: String, Sendable, Encodable {
            case arrived
            case left
        }

        package var user: UserID
        /// The name of the member.
        package var name: String
        /// The name of the place.
        package var place: String
        package var state: State
        package var at: Timestamp

        /// Creates a change.
        package init(user: UserID, name: String, place: String, state: State, at: Timestamp) {
            self.user = user
            self.name = name
            self.place = place
            self.state = state
            self.at = at
        }
    }

    /// The maximum number of arrivals and departures in a glance.
    static let mostPlaces = 5
    /// The maximum number of spots in a glance.
    static let mostSpots = 10
    /// The maximum number of notifications in a glance.
    static let mostNotifications = 5

    package var at: Timestamp
    /// Groups with a gathering first; among those, gatherings without the user first.
    package var groups: [Group]
    /// The spots, nearest first.
    package var spots: [Spot]
    /// Arrivals and departures that the user has seen, newest first.
    package var places: [Place]
    /// The notifications, newest first.
    package var notifications: [Notification]

    /// Creates a glance and sorts its groups.
    package init(
        at: Timestamp,
        groups: [Group] = [],
        spots: [Spot] = [],
        places: [Place] = [],
        notifications: [Notification] = []
    ) {
        self.at = at
        self.groups = groups.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
        self.spots = spots
        self.places = places
        self.notifications = notifications
    }
}

extension Glance.Group {
    /// The sort rank of the group: lower ranks are more relevant to the user.
    fileprivate var rank: Int {
        guard self.together > 0 else { return 2 }
        return self.you == .out ? 0 : 1
    }
}
