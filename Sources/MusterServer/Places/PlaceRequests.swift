package import MusterCore
import MusterWire

/// Requests the places that match a text.
package struct Geocode: ClientRequest {
    typealias Answer = GeocodeResults
    package static let type = "geocode"
    static let order = RequestOrder.concurrent

    /// The allowed length of the text in characters.
    ///
    /// A position may be longer, because links to maps are long.
    static let textLength = 1...200
    /// The allowed length of a link to a map in characters.
    static let positionLength = 1...PositionText.longest
    /// The allowed number of places in one answer.
    package static let limitRange = 1...10
    /// The default number of places in one answer.
    static let standardLimit = 5

    package var q: String
    /// The user's position, which moves near places to the front; nil when it is unknown.
    var bias: Coordinate?
    package var limit: Int
    /// Whether the last word may be incomplete.
    package var completes: Bool

    /// Creates a request.
    package init(_ q: String, near bias: Coordinate? = nil, limit: Int = Self.standardLimit, completes: Bool = false) {
        self.q = q
        self.bias = bias
        self.limit = limit
        self.completes = completes
    }

    /// Returns whether a text has a valid length for a search.
    package static func isText(_ q: String) -> Bool {
        let length = q.unicodeScalars.count
        return Self.textLength.contains(length)
            || Self.positionLength.contains(length) && PositionText.coordinate(in: q) != nil
    }

    init(reading fields: JSONFields) throws(FrameError) {
        let q = try fields.required("q", fields.string("q", length: Self.positionLength))
        // A text has a lower limit than a position.
        if !Self.isText(q) { _ = try fields.string("q", length: Self.textLength) }
        let latitude = try fields.latitude()
        let longitude = try fields.longitude()
        self.init(
            q,
            near: latitude == nil && longitude == nil ? nil : try fields.coordinate(),
            limit: try fields.integer("limit", in: Self.limitRange) ?? Self.standardLimit,
            completes: try fields.flag("complete") ?? false
        )
    }
}

/// Requests a place by its id.
struct PlaceGet: ClientRequest {
    typealias Answer = PlaceAnswer
    static let type = "place.get"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .placeGet

    var place: String

    /// Creates a request.
    init(_ place: String) { self.place = place }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.required("place", fields.string("place", length: Place.idLength)))
    }
}
