package import MusterCore

/// A place of the gazetteers that one goes to for its category.
package struct PlanPlace: Sendable, Equatable {
    package var id: String
    package var name: String
    package var coordinate: Coordinate
    /// How far it reaches; nil when nobody knows.
    package var extent: Place.Extent?
    /// What OpenStreetMap tells of it.
    package var tags: [String: String]
    /// The city that it lies in, when the gazetteer knows.
    package var city: String?
    /// The gazetteer that it is from.
    package var source: String
}

/// What the gazetteers know of the surroundings of a point.
package struct PlanArea: Sendable, Equatable {
    /// The time zone of the nearest city by IANA, such as `Europe/Berlin`; nil when none is near.
    package var timeZone: String?
    /// Whom to name beside places, by the gazetteers that hold categories and reach there.
    package var attribution: [String: String]
    /// Whether what one goes to places for was imported there.
    package var isImported: Bool { !self.attribution.isEmpty }
}

/// What people think of the spots near a place.
package struct NearbyVotes: Sendable, Equatable {
    package var likes: Int
    package var dislikes: Int
}
