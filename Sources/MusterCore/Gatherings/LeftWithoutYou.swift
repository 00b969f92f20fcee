/// The durable alert to a member that the others are together without them.
package struct LeftWithoutYou: Sendable, Equatable {
    /// The rule that applied.
    package enum Variant: String, Sendable, CaseIterable, Codable {
        /// The others are together and the recipient is elsewhere.
        case gathered
        /// The recipient was with the others, and they left.
        case departed
    }

    /// One of the members together.
    package struct Companion: Sendable, Equatable, Encodable {
        package var id: UserID
        package var name: String

        /// Creates a companion.
        package init(id: UserID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The last position of the recipient.
    package struct OwnPosition: Sendable, Equatable {
        package var lat: Double
        package var lon: Double
        package var at: Timestamp

        /// Creates a position in degrees.
        package init(lat: Double, lon: Double, at: Timestamp) {
            self.lat = lat
            self.lon = lon
            self.at = at
        }
    }

    /// The recipient.
    package var user: UserID
    package var group: GroupID
    package var groupName: String
    package var gathering: GatheringID
    package var variant: Variant
    /// The time of the decision.
    package var at: Timestamp
    /// The moment since which the others are together.
    package var since: Timestamp
    package var place: GatheringPlace
    package var together: [Companion]
    /// The distance in metres from the recipient to the place.
    package var distance: Double
    package var you: OwnPosition

    /// Creates an alert.
    package init(
        user: UserID,
        group: GroupID,
        groupName: String,
        gathering: GatheringID,
        variant: Variant,
        at: Timestamp,
        since: Timestamp,
        place: GatheringPlace,
        together: [Companion],
        distance: Double,
        you: OwnPosition
    ) {
        self.user = user
        self.group = group
        self.groupName = groupName
        self.gathering = gathering
        self.variant = variant
        self.at = at
        self.since = since
        self.place = place
        self.together = together
        self.distance = distance
        self.you = you
    }
}
