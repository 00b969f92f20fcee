/// The durable alert to one who is not where the others are.
package struct LeftWithoutYou: Sendable, Equatable, Codable {
    /// Which rule spoke.
    package enum Variant: String, Sendable, Codable, CaseIterable {
        /// The others are together and you are not there.
        case gathered
        /// You were together, and the others moved on.
        case departed
    }

    /// One of those who are together.
    package struct Companion: Sendable, Equatable, Codable {
        package var id: UserID
        package var name: String

        /// Names a companion.
        package init(id: UserID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// Where the person alerted was last.
    package struct OwnPosition: Sendable, Equatable, Codable {
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

    /// Whose alert it is.
    package var user: UserID
    package var group: GroupID
    package var groupName: String
    package var gathering: GatheringID
    package var variant: Variant
    /// When it was decided.
    package var at: Timestamp
    /// Since when the others are together.
    package var since: Timestamp
    package var place: GatheringPlace
    package var together: [Companion]
    /// Metres from the person to the place.
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
