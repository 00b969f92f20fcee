package import MusterCore

/// A spot as one person sees it, and how far it is when somebody looks from somewhere.
package struct SpotView: Encodable, Equatable, Sendable {
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

    /// Shows a spot; `distance` in metres.
    package init(_ spot: Spot, distance: Double? = nil) {
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

/// The spot as it is now.
package struct SpotAnswer: Encodable, Equatable, Sendable {
    private let spot: SpotView

    /// Shows a spot.
    package init(_ spot: Spot) { self.spot = SpotView(spot) }
}

extension SpotNews {
    /// Tells of a spot: the frame `new_spot`, without how far it is.
    package init(_ spot: Spot) {
        self.init(spot: spot.id, coordinate: spot.coordinate, frame: Frame("new_spot", nil, SpotAnswer(spot)).encoded)
    }
}

/// Spots, the nearest first.
package struct SpotsNearbyAnswer: Encodable, Equatable, Sendable {
    private let spots: [SpotView]

    /// Shows spots.
    package init(_ spots: [NearbySpot]) { self.spots = spots.map { SpotView($0.spot, distance: $0.distance) } }
}

/// Spots, the newest first.
package struct SpotsAnswer: Encodable, Equatable, Sendable {
    private let spots: [SpotView]
    @Nullable private var next: SpotID?

    /// Shows a page of spots, and behind which one the next of them are; nil when there are none.
    package init(_ spots: [Spot], next: SpotID?) {
        self.spots = spots.map { SpotView($0) }
        self.next = next
    }
}
