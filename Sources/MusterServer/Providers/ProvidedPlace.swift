import MusterCore

/// A place as a source describes it.
struct ProvidedPlace: Sendable, Equatable, Codable {
    /// The part of a place that a plan may keep.
    enum Retention: String, Sendable, Codable {
        /// Everything.
        case everything
        /// Its id, name and position.
        case identity
    }

    /// An opaque text such as `osm:n1` or `yelp:abc`, the same in each answer.
    var id: String
    var name: String
    var category: PlaceCategory
    var coordinate: Coordinate
    /// The bounding box; nil when it is unknown.
    var extent: Place.Extent?
    /// The gazetteer that contains the place; nil for a place of an external source.
    var gazetteer: String?
    /// Tags of OpenStreetMap; empty for other sources.
    var tags: [String: String] = [:]
    /// The average rating by people, 1…5.
    var rating: Double?
    /// The number of ratings; 0 when there are none or the number is unknown.
    var ratings = 0
    /// The price level, 0…4; nil when it is unknown.
    var priceLevel: Int?
    /// In the syntax of OpenStreetMap's key `opening_hours`.
    var openingHours: String?
    var address: String?
    var phone: String?
    /// The place's own page: http or https.
    var website: String?
    /// The source's page about the place: http or https.
    var link: String?
    var retention = Retention.everything

    /// The evidence of the place's fame, apart from spots nearby.
    var evidence: PlaceFame.Evidence {
        PlaceFame.Evidence(
            rating: self.rating,
            ratings: self.ratings,
            hasEncyclopediaArticle: self.tags["wikidata"] != nil || self.tags["wikipedia"] != nil,
            // A website whose address may not be shown counts as well.
            hasWebsite: self.website != nil || self.tags["website"] != nil || self.tags["contact:website"] != nil,
            hasOpeningHours: self.openingHours != nil,
            hasPhone: self.phone != nil,
            hasCuisine: self.tags["cuisine"] != nil
        )
    }
}
