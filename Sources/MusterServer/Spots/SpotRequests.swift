package import MusterCore
import MusterWire

/// Adds a spot.
package struct SpotAdd: ClientRequest {
    typealias Answer = SpotAnswer
    package static let type = "spot.add"
    static let order = RequestOrder.line("spots")
    static let rate: RequestRate? = .spotAdd

    /// The position of the spot.
    var place: Coordinate
    /// The author's comment, 1…500 characters.
    package var comment: String
    /// The category of the place; nil for none.
    package var category: String?
    /// A photo that the author has uploaded and that is not used elsewhere.
    var photo: PhotoID?

    /// Creates a request.
    package init(at place: Coordinate, comment: String, category: String? = nil, photo: PhotoID? = nil) {
        self.place = place
        self.comment = comment
        self.category = category
        self.photo = photo
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            at: try fields.coordinate(),
            comment: try fields.required("comment", fields.text("comment", Spot.commentRule)),
            category: try fields.text("category", Spot.categoryRule),
            photo: try fields.identifier("photo")
        )
    }
}

/// Sets or removes the user's vote on a spot.
struct SpotVote: ClientRequest {
    typealias Answer = SpotAnswer
    static let type = "spot.vote"
    static let audience = RequestAudience.allSessions
    static let order = RequestOrder.line("spots")
    static let rate: RequestRate? = .spotVote

    var spot: SpotID
    var vote: Spot.Vote

    /// Creates a request.
    init(spot: SpotID, vote: Spot.Vote) {
        self.spot = spot
        self.vote = vote
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(spot: try fields.spot(), vote: try fields.required("vote", fields.choice("vote")))
    }
}

/// Deletes a spot, as its author.
struct SpotDelete: ClientRequest {
    static let type = "spot.delete"
    static let order = RequestOrder.line("spots")

    var spot: SpotID

    /// Creates a request.
    init(spot: SpotID) { self.spot = spot }

    init(reading fields: JSONFields) throws(FrameError) { self.init(spot: try fields.spot()) }
}

/// Requests the spots near a point.
struct SpotsNearby: ClientRequest {
    typealias Answer = SpotsNearbyAnswer
    static let type = "spots.nearby"
    static let order = RequestOrder.behind(line: "spots")

    /// The allowed radius in metres, 0…50,000.
    static let radiusRange = 0.0...50_000.0
    /// The allowed number of spots in one answer.
    static let limitRange = 1...100

    /// The centre of the search.
    var center: Coordinate
    /// The radius around the point in metres.
    var radius: Double
    /// The maximum number of spots.
    ///
    /// The nearest ones are returned.
    var limit: Int
    /// The category of the spots; nil for any.
    var category: String?

    /// Creates a request.
    init(near point: Coordinate, radius: Double, limit: Int, category: String? = nil) {
        self.center = point
        self.radius = radius
        self.limit = limit
        self.category = category
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            near: try fields.coordinate(),
            radius: try fields.required("radius", fields.number("radius", in: Self.radiusRange)),
            limit: try fields.spotLimit(),
            category: try fields.text("category", Spot.categoryRule)
        )
    }
}

/// Requests a page of all spots, the newest first.
struct SpotsAll: ClientRequest {
    typealias Answer = SpotsAnswer
    static let type = "spots.all"
    static let order = RequestOrder.behind(line: "spots")

    /// The maximum number of spots, 1…100.
    var limit: Int
    /// The last spot of the previous page; nil for the first page.
    var after: SpotID?

    /// Creates a request.
    init(limit: Int, after: SpotID? = nil) {
        self.limit = limit
        self.after = after
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(limit: try fields.spotLimit(), after: try fields.identifier("after"))
    }
}

/// Subscribes the session to new spots, in place of its earlier subscription.
struct SpotsWatch: ClientRequest {
    static let type = "spots.watch"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .spotsWatch

    /// The area of a subscription.
    enum Scope: String, Sendable, Codable, CaseIterable {
        case nearby
        case all
        case none
    }

    /// The allowed radius in metres, 100…50,000.
    static let radiusRange = 100.0...50_000.0
    /// The default radius in metres.
    static let standardRadius = 5_000.0

    var scope: Scope
    /// The radius around the user in metres, for `nearby`; nil for the default.
    var radius: Double?
    /// The newest spot that the client has; nil if it does not need earlier spots.
    var after: SpotID?

    /// Creates a request.
    init(_ scope: Scope, radius: Double? = nil, after: SpotID? = nil) {
        self.scope = scope
        self.radius = radius
        self.after = after
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("scope", fields.choice("scope")),
            radius: try fields.number("radius", in: Self.radiusRange),
            after: try fields.identifier("after")
        )
    }

    /// The subscription as an input of the world.
    var subscription: SpotSubscription {
        switch self.scope {
        case .nearby: SpotSubscription(.nearby(radius: self.radius ?? Self.standardRadius), after: self.after)
        case .all: SpotSubscription(.all, after: self.after)
        case .none: SpotSubscription(.none)
        }
    }
}

extension JSONFields {
    fileprivate func spot() throws(FrameError) -> SpotID { try self.required("spot", self.identifier("spot")) }

    fileprivate func spotLimit() throws(FrameError) -> Int {
        try self.required("limit", self.integer("limit", in: SpotsNearby.limitRange))
    }
}
