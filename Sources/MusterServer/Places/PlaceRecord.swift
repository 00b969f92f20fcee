import MusterCore

/// A place as read from a file.
struct PlaceRecord: Sendable {
    /// The stored geometry of a place.
    enum Shape: Sendable {
        /// The point of the record.
        case point
        /// The line of a street.
        case line([Coordinate])
    }

    var id: String
    var name: String
    /// Other names in the place's own language, such as the ASCII form.
    var ownNames: [String] = []
    /// Names in other languages, and alternative names.
    var otherNames: [String] = []
    var type: PlaceType
    var category: PlaceCategory?
    var coordinate: Coordinate
    var shape = Shape.point
    var extent: Place.Extent?
    var country: String?
    var state: String?
    var parent: String?
    var countryCode: String?
    var population: Int64 = 0
    var importance: Double
    var timezone: String?
    var tags: [String: String]?
}
