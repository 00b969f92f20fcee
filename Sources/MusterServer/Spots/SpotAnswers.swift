package import MusterCore
import MusterWire

/// A spot as one user sees it, with its distance if the request has a position.
struct SpotView: Encodable, Equatable, Sendable {
    private let id: SpotID
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    private let comment: String
    @Nullable private var category: String?
    @Nullable private var photo: PhotoView?
    private let author: PersonView
    private let likes: Int
    private let dislikes: Int
    private let vote: Spot.Vote
    private let at: Timestamp
    private let link: String
    private let distance: RoundedNumber?

    /// Creates the view of a spot; `distance` in metres.
    init(_ spot: Spot, distance: Double? = nil) {
        self.id = spot.id
        self.lat = spot.coordinate.latitude
        self.lon = spot.coordinate.longitude
        self.comment = spot.comment
        self.category = spot.category
        self.photo = spot.photo.map { PhotoView($0) }
        self.author = PersonView(spot.author)
        self.likes = spot.likes
        self.dislikes = spot.dislikes
        self.vote = spot.vote
        self.at = spot.at
        self.link = GeoLink(to: spot.coordinate, name: spot.name).text
        self.distance = distance.map { RoundedNumber($0, decimals: 1) }
    }
}

/// The current spot.
struct SpotAnswer: Encodable, Equatable, Sendable {
    private let spot: SpotView

    /// Creates the answer for a spot.
    init(_ spot: Spot) { self.spot = SpotView(spot) }
}

extension SpotSnapshot {
    /// Creates the change for a spot: the frame `new_spot`, without a distance.
    package init(_ spot: Spot) {
        self.init(spot: spot.id, coordinate: spot.coordinate, frame: Frame("new_spot", nil, SpotAnswer(spot)).encoded)
    }
}

/// Spots in ascending order of their distance.
struct SpotsNearbyAnswer: Encodable, Equatable, Sendable {
    private let spots: [SpotView]

    /// Creates the answer for spots.
    init(_ spots: [NearbySpot]) { self.spots = spots.map { SpotView($0.spot, distance: $0.distance) } }
}

/// Spots, the newest first.
struct SpotsAnswer: Encodable, Equatable, Sendable {
    private let spots: [SpotView]
    @Nullable private var next: SpotID?

    /// Creates a page of spots, and the id after which the next page starts; nil for the last page.
    init(_ spots: [Spot], next: SpotID?) {
        self.spots = spots.map { SpotView($0) }
        self.next = next
    }
}
