/// A place of the gazetteer, as clients are told of it.
package struct Place: Sendable, Equatable {
    /// West, south, east, north in degrees; west is greater than east across the date line.
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

    /// Characters that an id may have.
    package static let idLength = 1...64

    /// An opaque text such as `gn:3471335`.
    package var id: String
    /// What it is called.
    package var name: String
    /// Its name with what it lies in: `Atibaia, São Paulo, Brazil`.
    package var label: String
    /// What it is.
    package var type: PlaceType
    /// What one goes there for; nil for a town.
    package var category: PlaceCategory?
    /// Where it is.
    package var coordinate: Coordinate
    /// How far it reaches; nil when nobody knows.
    package var extent: Extent?
    /// The gazetteer that it is from.
    package var source: String
    /// What it lies in, as far as the gazetteer knows.
    package var surroundings: Surroundings

    /// Names of what a place lies in.
    package struct Surroundings: Sendable, Equatable {
        /// The city of a street, a house or a business.
        package var city: String?
        /// The state or province.
        package var state: String?
        /// The country.
        package var country: String?
        /// The country by its two letters (ISO 3166-1).
        package var countryCode: String?

        /// Creates names.
        package init(city: String? = nil, state: String? = nil, country: String? = nil, countryCode: String? = nil) {
            self.city = city
            self.state = state
            self.country = country
            self.countryCode = countryCode
        }
    }

    /// Describes a place; its label is made of its name and its surroundings.
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

/// What a place is.
package enum PlaceType: String, Sendable, CaseIterable, Codable {
    case house
    case street
    case locality
    case city
    case state
    case country
    case other

    /// Whether it is an area that others lie in, and no town.
    package var isArea: Bool { self == .state || self == .country }
}
