package import MusterCore

/// Adds a spot.
package struct SpotAdd: ClientRequest {
    package typealias Answer = SpotAnswer
    package static let type = "spot.add"
    package static let order = RequestOrder.line("spots")
    package static let rate: RequestRate? = .spotAdd

    @Degrees package var lat: Double
    @Degrees package var lon: Double
    /// What the author says of it, 1…500 characters.
    package var comment: String
    /// What kind of place it is; nil when the author says nothing.
    package var category: String?
    /// A photo that the author uploaded, and nothing uses yet.
    package var photo: PhotoID?

    /// Describes a spot.
    package init(at place: Coordinate, comment: String, category: String? = nil, photo: PhotoID? = nil) {
        self.lat = place.latitude
        self.lon = place.longitude
        self.comment = comment
        self.category = category
        self.photo = photo
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            at: try fields.coordinate(),
            comment: try fields.required("comment", fields.text("comment", Spot.commentRule)),
            category: try fields.text("category", Spot.categoryRule),
            photo: try fields.identifier("photo")
        )
    }

    /// Where it is.
    package var place: Coordinate { Coordinate(latitude: self.lat, longitude: self.lon) }
}

/// Likes or dislikes a spot, or takes that back.
package struct SpotVote: ClientRequest {
    package typealias Answer = SpotAnswer
    package static let type = "spot.vote"
    package static let audience = RequestAudience.allSessions
    package static let order = RequestOrder.line("spots")
    package static let rate: RequestRate? = .spotVote

    package var spot: SpotID
    package var vote: Spot.Vote

    /// Says what one thinks.
    package init(spot: SpotID, vote: Spot.Vote) {
        self.spot = spot
        self.vote = vote
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(spot: try fields.spot(), vote: try fields.required("vote", fields.choice("vote")))
    }
}

/// Deletes a spot, for its author.
package struct SpotDelete: ClientRequest {
    package static let type = "spot.delete"
    package static let order = RequestOrder.line("spots")

    package var spot: SpotID

    /// Names the spot.
    package init(spot: SpotID) { self.spot = spot }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(spot: try fields.spot()) }
}

/// Asks for the spots near a point.
package struct SpotsNearby: ClientRequest {
    package typealias Answer = SpotsNearbyAnswer
    package static let type = "spots.nearby"
    package static let order = RequestOrder.behind(line: "spots")

    /// Metres, within 0…50,000.
    package static let radiusRange = 0.0...50_000.0
    /// How many spots one answer may hold.
    package static let limitRange = 1...100

    @Degrees package var lat: Double
    @Degrees package var lon: Double
    /// Metres around the point.
    package var radius: Double
    /// How many at most; the nearest count.
    package var limit: Int
    /// What kind of place they must be; nil for any.
    package var category: String?

    /// Asks for spots.
    package init(near point: Coordinate, radius: Double, limit: Int, category: String? = nil) {
        self.lat = point.latitude
        self.lon = point.longitude
        self.radius = radius
        self.limit = limit
        self.category = category
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            near: try fields.coordinate(),
            radius: try fields.required("radius", fields.number("radius", in: Self.radiusRange)),
            limit: try fields.spotLimit(),
            category: try fields.text("category", Spot.categoryRule)
        )
    }

    /// Where one looks from.
    package var center: Coordinate { Coordinate(latitude: self.lat, longitude: self.lon) }
}

/// Asks for a page of all spots, the newest first.
package struct SpotsAll: ClientRequest {
    package typealias Answer = SpotsAnswer
    package static let type = "spots.all"
    package static let order = RequestOrder.behind(line: "spots")

    /// How many, 1…100.
    package var limit: Int
    /// The last of the page before; nil for the first page.
    package var after: SpotID?

    /// Asks for a page.
    package init(limit: Int, after: SpotID? = nil) {
        self.limit = limit
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(limit: try fields.spotLimit(), after: try fields.identifier("after"))
    }
}

/// Asks to be told of new spots, in place of what the session watched before.
package struct SpotsWatch: ClientRequest {
    package static let type = "spots.watch"
    package static let order = RequestOrder.beside
    package static let rate: RequestRate? = .spotsWatch

    /// Where spots must be.
    package enum Scope: String, Sendable, Codable, CaseIterable {
        case nearby
        case all
        case none
    }

    /// Metres, within 100…50,000.
    package static let radiusRange = 100.0...50_000.0
    /// Metres for who names none.
    package static let standardRadius = 5_000.0

    package var scope: Scope
    /// Metres around the person, for `nearby`; nil for the standard.
    package var radius: Double?
    /// The newest spot that the client holds; nil when it wants nothing of what was before.
    package var after: SpotID?

    /// Asks for new spots.
    package init(_ scope: Scope, radius: Double? = nil, after: SpotID? = nil) {
        self.scope = scope
        self.radius = radius
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("scope", fields.choice("scope")),
            radius: try fields.number("radius", in: Self.radiusRange),
            after: try fields.identifier("after")
        )
    }

    /// The watch in the words of the world.
    package var watch: SpotWatch {
        switch self.scope {
        case .nearby: SpotWatch(.nearby(radius: self.radius ?? Self.standardRadius), after: self.after)
        case .all: SpotWatch(.all, after: self.after)
        case .none: SpotWatch(.none)
        }
    }
}

extension JSONFields {
    fileprivate func spot() throws(FrameError) -> SpotID { try self.required("spot", self.identifier("spot")) }

    fileprivate func spotLimit() throws(FrameError) -> Int {
        try self.required("limit", self.integer("limit", in: SpotsNearby.limitRange))
    }
}
