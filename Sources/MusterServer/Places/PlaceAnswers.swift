import MusterCore
import MusterWire

/// A place as clients see it, with its score if it is the result of a search.
struct PlaceView: Encodable, Equatable, Sendable {
    private let id: String
    private let name: String
    private let label: String
    private let type: PlaceType
    @Nullable private var category: PlaceCategory?
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    @Nullable private var extent: [RoundedNumber]?
    private let source: String
    private let score: RoundedNumber?
    private let match: String?

    /// Creates the view of a place.
    init(_ place: Place, score: Double? = nil, match: GeocodeMatch.Kind? = nil) {
        self.id = place.id
        self.name = place.name
        self.label = place.label
        self.type = place.type
        self.category = place.category
        self.lat = place.coordinate.latitude
        self.lon = place.coordinate.longitude
        self.extent = place.extent?.rounded
        self.source = place.source
        self.score = score.map { RoundedNumber($0, decimals: 4) }
        self.match = match?.rawValue
    }
}

extension Place.Extent {
    /// The west, south, east and north of the extent.
    var rounded: [RoundedNumber] {
        [self.west, self.south, self.east, self.north].map { RoundedNumber($0, decimals: 7) }
    }
}

/// A place.
struct PlaceAnswer: Encodable, Equatable, Sendable {
    private let place: PlaceView

    /// Creates the answer for a place.
    init(_ place: Place) { self.place = PlaceView(place) }
}

/// Places that match a text, the best first.
struct GeocodeResults: Encodable, Equatable, Sendable {
    private let places: [PlaceView]
    private let attribution: [String]
    private let failed: [String]

    /// Creates the answer from places, their attributions, and the sources that did not respond.
    init(_ places: [PlaceView], attribution: [String], failed: [String] = []) {
        self.places = places
        self.attribution = attribution
        self.failed = failed
    }
}
