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
    struct OwnPosition: Sendable, Equatable {
        package var lat: Double
        package var lon: Double
        package var at: Timestamp
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
    var you: OwnPosition
}
