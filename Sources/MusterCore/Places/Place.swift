/// A place of the gazetteer, as sent to clients.
package struct Place: Sendable, Equatable {
    /// West, south, east and north in degrees; west is greater than east across 180°.
    package struct Extent: Sendable, Equatable, Codable {
        package var west: Double
        package var south: Double
        package var east: Double
        package var north: Double

        /// Creates an extent.
        package init(west: Double, south: Double, east: Double, north: Double) {
            self.west = west
            self.south = south
            self.east = east
            self.north = north
        }
    }

    /// The permitted length of an id.
    package static let idLength = 1...64

    /// An opaque text such as `gn:3471335`.
    package var id: String
    /// The name.
    package var name: String
    /// The name with the areas that contain the place: `Atibaia, São Paulo, Brazil`.
    package var label: String
    /// The type.
    package var type: PlaceType
    /// The category of a destination; nil for a town.
    package var category: PlaceCategory?
    /// The position.
    package var coordinate: Coordinate
    /// The extent; nil when unknown.
    package var extent: Extent?
    /// The gazetteer that contains it.
    package var source: String
    /// The areas that contain it, as far as the gazetteer knows.
    package var surroundings: Surroundings

    /// The names of the areas that contain a place.
    package struct Surroundings: Sendable, Equatable {
        /// The city of a street, a house or a business.
        package var city: String?
        /// The state or province.
        package var state: String?
        /// The country.
        package var country: String?
        /// The country's two-letter code (ISO 3166-1).
        package var countryCode: String?

        /// Creates names.
        package init(city: String? = nil, state: String? = nil, country: String? = nil, countryCode: String? = nil) {
            self.city = city
            self.state = state
            self.country = country
            self.countryCode = countryCode
        }
    }

    /// Creates a place; its label combines its name and its surroundings.
    package init(
        id: String,
        name: String,
        type: PlaceType,
        category: PlaceCategory? = nil,
        coordinate: Coordinate,
        extent: Extent? = nil,
        source: String,
        surroundings: Surroundings = Surroundings()
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.category = category
        self.coordinate = coordinate
        self.extent = extent
        self.source = source
        self.surroundings = surroundings
        var parts = [name]
        for part in [surroundings.city, surroundings.state, surroundings.country].compactMap({ $0 })
        where !parts.contains(part) {
            parts.append(part)
        }
        self.label = parts.joined(separator: ", ")
    }
}

/// The type of a place.
package enum PlaceType: String, Sendable, CaseIterable, Encodable {
    case house
    case street
    case locality
    case city
    case state
    case country
    case other

    /// Whether it is an area that contains other places, and not a town.
    package var isArea: Bool { self == .state || self == .country }
}
