/// All that a wrist shows of a person's groups, the spots near them and what waits for them, at one moment.
///
/// Of others it says only where a gathering is, which its group is told, too.
package struct Glance: Sendable, Equatable, Codable {
    /// Whether one is among those who are together.
    package enum Standing: String, Sendable, Codable, CaseIterable {
        case `in`
        case out
    }

    /// A group of the person.
    package struct Group: Sendable, Equatable, Codable {
        package var id: GroupID
        package var name: String
        /// How many are together; 0 when nobody is.
        package var together: Int
        /// How many members it has.
        package var of: Int
        package var you: Standing
        /// Where they are together; nil when nobody is.
        package var place: GatheringPlace?
        /// Metres from the person to that place; nil when nobody knows where they are.
        package var distance: Double?

        /// Describes a group.
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

    /// A spot near the person.
    package struct Spot: Sendable, Equatable, Codable {
        package var text: SpotText
        package var coordinate: Coordinate
        /// Metres from the person.
        package var distance: Double

        /// Describes a spot.
        package init(_ text: SpotText, coordinate: Coordinate, distance: Double) {
            self.text = text
            self.coordinate = coordinate
            self.distance = distance
        }
    }

    /// What waits to be seen.
    package struct Notification: Sendable, Equatable, Codable {
        package var number: Int64
        package var kind: String
        /// The group that it is about.
        package var group: GroupID?
        /// A sentence: see `NotificationKind`.
        package var text: String

        /// Describes a notification.
        package init(number: Int64, kind: String, group: GroupID? = nil, text: String) {
            self.number = number
            self.kind = kind
            self.group = group
            self.text = text
        }
    }

    /// The most spots in a glance.
    package static let mostSpots = 10
    /// The most notifications in a glance.
    package static let mostNotifications = 5

    package var at: Timestamp
    /// Those in which people are together first, and of them those without the person.
    package var groups: [Group]
    /// The nearest first.
    package var spots: [Spot]
    /// The newest first.
    package var notifications: [Notification]

    /// Shows what there is; groups are put in order.
    package init(
        at: Timestamp,
        groups: [Group] = [],
        spots: [Spot] = [],
        notifications: [Notification] = []
    ) {
        self.at = at
        self.groups = groups.sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
        self.spots = spots
        self.notifications = notifications
    }
}

extension Glance.Group {
    /// Its place among groups: the lower, the more it concerns the person.
    fileprivate var rank: Int {
        guard self.together > 0 else { return 2 }
        return self.you == .out ? 0 : 1
    }
}
