/// Where a gathering is: the median of those together, and the name of the nearest spot within the group's radius.
package struct GatheringPlace: Sendable, Equatable, Codable {
    package var lat: Double
    package var lon: Double
    package var name: String?
    /// When the oldest of the positions was taken that it was found from; only of where people are when it is said.
    package var at: Timestamp?

    /// Creates a place in degrees.
    package init(lat: Double, lon: Double, name: String? = nil, at: Timestamp? = nil) {
        self.lat = lat
        self.lon = lon
        self.name = name
        self.at = at
    }
}

/// What a group is told about its gathering.
package struct GatheringStatus: Sendable, Equatable, Codable {
    /// What just happened, or what still holds.
    package enum State: String, Sendable, Codable, CaseIterable {
        case together
        case moved
        case ended
    }

    package var gathering: GatheringID
    package var state: State
    package var since: Timestamp
    package var place: GatheringPlace
    /// Who is together, by id.
    package var together: [UserID]
    /// Who is usable and absent, by id.
    package var absent: [UserID]

    /// Creates a status.
    package init(
        gathering: GatheringID,
        state: State,
        since: Timestamp,
        place: GatheringPlace,
        together: [UserID],
        absent: [UserID]
    ) {
        self.gathering = gathering
        self.state = state
        self.since = since
        self.place = place
        self.together = together
        self.absent = absent
    }
}
