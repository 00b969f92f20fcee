package import MusterCore

/// A place as read from a file.
package struct PlaceRecord: Sendable {
    /// The stored geometry of a place.
    package enum Shape: Sendable {
        /// The point of the record.
        case point
        /// The line of a street.
        case line([Coordinate])
    }

    package var id: String
    package var name: String
    /// Other names in the place's own language, such as the ASCII form.
    package var ownNames: [String] = []
    /// Names in other languages, and alternative names.
    package var otherNames: [String] = []
    package var type: PlaceType
    package var category: PlaceCategory?
    package var coordinate: Coordinate
    package var shape = Shape.point
    package var extent: Place.Extent?
    package var country: String?
    package var state: String?
    package var parent: String?
    package var countryCode: String?
    package var population: Int64 = 0
    package var importance: Double
    package var timezone: String?
    package var tags: [String: String]?

    /// Creates a place.
    package init(id: String, name: String, type: PlaceType, coordinate: Coordinate, importance: Double) {
        self.id = id
        self.name = name
        self.type = type
        self.coordinate = coordinate
        self.importance = importance
    }
}
