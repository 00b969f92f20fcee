import MusterCore

/// A place as a source of places describes it.
struct ProvidedPlace: Sendable, Equatable, Codable {
    /// What of a place may be kept in a plan.
    enum Retention: String, Sendable, Codable {
        /// Everything.
        case everything
        /// Its id, name and position.
        case identity
    }

    /// An opaque text such as `osm:n1` or `yelp:abc`, the same each time.
    var id: String
    var name: String
    var category: PlaceCategory
    var coordinate: Coordinate
    /// How far it reaches; nil when nobody knows.
    var extent: Place.Extent?
    /// The gazetteer that it is from; nil for a place of who was asked.
    var gazetteer: String?
    /// Tags of OpenStreetMap; empty for other sources.
    var tags: [String: String] = [:]
    /// What people rate it, 1…5.
    var rating: Double?
    /// How many people rate it; 0 when nobody does or nobody knows.
    var ratings = 0
    /// What it costs, 0…4; nil when nobody knows.
    var priceLevel: Int?
    /// In the language of OpenStreetMap's key `opening_hours`.
    var openingHours: String?
    var address: String?
    var phone: String?
    /// Its own page: http or https.
    var website: String?
    /// The source's page about it: http or https.
    var link: String?
    var retention = Retention.everything

    /// What is known about it, apart from spots nearby.
    var evidence: PlaceFame.Evidence {
        PlaceFame.Evidence(
            rating: self.rating,
            ratings: self.ratings,
            hasEncyclopediaArticle: self.tags["wikidata"] != nil || self.tags["wikipedia"] != nil,
            // Also one that is no address that may be shown.
            hasWebsite: self.website != nil || self.tags["website"] != nil || self.tags["contact:website"] != nil,
            hasOpeningHours: self.openingHours != nil,
            hasPhone: self.phone != nil,
            hasCuisine: self.tags["cuisine"] != nil
        )
    }
}
