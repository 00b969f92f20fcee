import MusterCore

/// A place of the gazetteers with a category, as a destination of a plan.
struct PlanPlace: Sendable, Equatable {
    var id: String
    var name: String
    var coordinate: Coordinate
    /// The bounding box; nil when unknown.
    var extent: Place.Extent?
    /// The OpenStreetMap tags.
    var tags: [String: String]
    /// The city that contains the place, if known.
    var city: String?
    /// The gazetteer of the place.
    var source: String
}

/// The gazetteers' data about the surroundings of a point.
struct PlanArea: Sendable, Equatable {
    /// The IANA time zone of the nearest city, such as `Europe/Berlin`; nil when there is no city nearby.
    var timeZone: String?
    /// The attribution to show with places, by gazetteer, for the gazetteers with categories that cover the point.
    var attribution: [String: String]
    /// Whether places with categories were imported for the point.
    var isImported: Bool { !self.attribution.isEmpty }
}

/// The votes on the spots near a place.
struct NearbyVotes: Sendable, Equatable {
    var likes: Int
    var dislikes: Int
}
