/// A place of a plan, with the details that a visitor needs.
package struct PlannedPlace: Sendable, Equatable, Codable {
    /// An opaque text such as `osm:n1`.
    package var id: String
    package var name: String
    /// The category for which it is visited.
    package var category: PlaceCategory
    package var coordinate: Coordinate
    /// The extent; nil when unknown.
    package var extent: Place.Extent?
    /// The source of the details: a gazetteer such as `osm-helsinki`, or a service such as `overpass`.
    package var source: String
    /// The popularity, 0…1: see `PlaceFame`.
    package var fame: Double
    /// The mean rating, 1…5; nil when there is none.
    package var rating: Double?
    /// The number of ratings.
    package var ratings: Int
    /// The price level, 0…4; nil when unknown.
    package var priceLevel: Int?
    /// In the syntax of OpenStreetMap's key `opening_hours`.
    package var openingHours: String?
    package var address: String?
    package var phone: String?
    package var website: String?
    /// Whether the source's terms permit storing only the id, the name and the position.
    package var isKeptBare: Bool

    /// Creates a place.
    package init(
        id: String,
        name: String,
        category: PlaceCategory,
        coordinate: Coordinate,
        extent: Place.Extent? = nil,
        source: String,
        fame: Double,
        rating: Double? = nil,
        ratings: Int = 0,
        priceLevel: Int? = nil,
        openingHours: String? = nil,
        address: String? = nil,
        phone: String? = nil,
        website: String? = nil,
        isKeptBare: Bool = false
    ) {
        self.id = id
        self.name = name
        self.category = category
        self.coordinate = coordinate
        self.extent = extent
        self.source = source
        self.fame = fame
        self.rating = rating
        self.ratings = ratings
        self.priceLevel = priceLevel
        self.openingHours = openingHours
        self.address = address
        self.phone = phone
        self.website = website
        self.isKeptBare = isKeptBare
    }

    /// The name with the address.
    package var label: String { [self.name, self.address].compactMap(\.self).joined(separator: ", ") }

    /// The part that may be stored; for a bare place without its fame.
    package var kept: PlannedPlace {
        guard self.isKeptBare else { return self }
        return PlannedPlace(
            id: self.id,
            name: self.name,
            category: self.category,
            coordinate: self.coordinate,
            source: self.source,
            fame: PlaceFame.unknown,
            isKeptBare: true
        )
    }
}
