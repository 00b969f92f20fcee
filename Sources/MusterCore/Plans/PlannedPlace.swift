/// A place that a plan leads to, with what whoever goes there wants to know.
package struct PlannedPlace: Sendable, Equatable, Codable {
    /// An opaque text such as `osm:n1`.
    package var id: String
    package var name: String
    /// What it is visited for.
    package var category: PlaceCategory
    package var coordinate: Coordinate
    /// How far it reaches; nil when nobody knows.
    package var extent: Place.Extent?
    /// Where what is known about it is from: a gazetteer such as `osm-helsinki`, or who was asked, such as `overpass`.
    package var source: String
    /// What people think of it, 0…1: see `PlaceFame`.
    package var fame: Double
    /// What people rate it, 1…5; nil when nobody does.
    package var rating: Double?
    /// How many people rate it.
    package var ratings: Int
    /// What it costs, 0…4; nil when nobody knows.
    package var priceLevel: Int?
    /// In the language of OpenStreetMap's key `opening_hours`.
    package var openingHours: String?
    package var address: String?
    package var phone: String?
    package var website: String?
    /// Whether its source lets nobody keep more than its id, its name and where it is.
    package var isKeptBare: Bool

    /// Describes a place.
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

    /// Its name with its address.
    package var label: String { [self.name, self.address].compactMap(\.self).joined(separator: ", ") }

    /// What of it may be kept: of a bare one not even what people think of it.
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
