package import MusterCore

/// A place as it is read from a file.
package struct PlaceRecord: Sendable {
    /// What a geometry is stored as.
    package enum Shape: Sendable {
        /// The record's own point.
        case point
        /// A street's line.
        case line([Coordinate])
    }

    package var id: String
    package var name: String
    /// Names that are its own besides: such as the one in ASCII.
    package var ownNames: [String] = []
    /// Names in other languages and other names.
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

    /// Describes a place.
    package init(id: String, name: String, type: PlaceType, coordinate: Coordinate, importance: Double) {
        self.id = id
        self.name = name
        self.type = type
        self.coordinate = coordinate
        self.importance = importance
    }
}
