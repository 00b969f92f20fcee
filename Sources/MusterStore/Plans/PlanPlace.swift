package import MusterCore

/// A place of the gazetteers with a category, as a destination of a plan.
package struct PlanPlace: Sendable, Equatable {
    package var id: String
    package var name: String
    package var coordinate: Coordinate
    /// The bounding box; nil when unknown.
    package var extent: Place.Extent?
    /// The OpenStreetMap tags.
    package var tags: [String: String]
    /// The city that contains the place, if known.
    package var city: String?
    /// The gazetteer of the place.
    package var source: String
}

/// The gazetteers' data about the surroundings of a point.
package struct PlanArea: Sendable, Equatable {
    /// The IANA time zone of the nearest city, such as `Europe/Berlin`; nil when there is no city nearby.
    package var timeZone: String?
    /// The attribution to show with places, by gazetteer, for the gazetteers with categories that cover the point.
    package var attribution: [String: String]
    /// Whether places with categories were imported for the point.
    package var isImported: Bool { !self.attribution.isEmpty }
}

/// The votes on the spots near a place.
package struct NearbyVotes: Sendable, Equatable {
    package var likes: Int
    package var dislikes: Int
}
