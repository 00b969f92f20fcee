/// The place of a gathering: the median of the members together, and the name of the nearest spot within the group's
/// radius.
package struct GatheringPlace: Sendable, Equatable, Encodable {
    package var lat: Double
    package var lon: Double
    package var name: String?
    /// The time of the oldest position behind the place; only set if the place is a current one.
    package var at: Timestamp?

    /// Creates a place in degrees.
    package init(lat: Double, lon: Double, name: String? = nil, at: Timestamp? = nil) {
        self.lat = lat
        self.lon = lon
        self.name = name
        self.at = at
    }
}

/// The status of a gathering, as the group receives it.
package struct GatheringStatus: Sendable, Equatable {
    /// The last change, or the state that still holds.
    package enum State: String, Sendable, CaseIterable, Encodable {
        case together
        case moved
        case ended
    }

    package var gathering: GatheringID
    package var state: State
    package var since: Timestamp
    package var place: GatheringPlace
    /// The members together, sorted by id.
    package var together: [UserID]
    /// The usable and absent members, sorted by id.
    package var absent: [UserID]
}
