package import MusterCore

/// Asks for plans: a walk through a place of each category.
package struct PlanSuggest: ClientRequest {
    package typealias Answer = SuggestionAnswer
    package static let type = "plan.suggest"
    package static let order = RequestOrder.beside
    package static let rate: RequestRate? = .planSuggest

    /// How many categories there may be.
    package static let categoryCount = 1...6
    /// Metres, within 200…10,000.
    package static let radiusRange = 200.0...10_000.0
    /// Metres for who names none.
    package static let standardRadius = 1_500.0
    /// Seconds at each place.
    package static let stayRange = 300...14_400
    /// Seconds at each place for who names none.
    package static let standardStay = 3_600
    /// Levels that one may be ready to pay.
    package static let priceRange = 1...4
    /// How many plans one answer may hold.
    package static let countRange = 1...10
    /// How many it holds for who does not say.
    package static let standardCount = 5

    /// What one wants to visit, in order; one may come again.
    package var categories: [PlaceCategory]
    /// Where one sets out; nil for where one is.
    package var origin: Coordinate?
    /// Metres around the origin; nil for the standard.
    package var radius: Double?
    package var pace: PlanPace?
    /// When one sets out; nil for now, and whatever is open.
    package var at: Timestamp?
    /// Seconds at each place; nil for the standard.
    package var stay: Int?
    /// When one must have left the last place; nil for whenever.
    package var until: Timestamp?
    /// Up to which level one is ready to pay; nil for any.
    package var maxPrice: Int?
    /// How many plans; nil for the standard.
    package var count: Int?

    /// Asks for plans.
    package init(
        _ categories: [PlaceCategory],
        from origin: Coordinate? = nil,
        radius: Double? = nil,
        pace: PlanPace? = nil,
        at: Timestamp? = nil,
        stay: Int? = nil,
        until: Timestamp? = nil,
        maxPrice: Int? = nil,
        count: Int? = nil
    ) {
        self.categories = categories
        self.origin = origin
        self.radius = radius
        self.pace = pace
        self.at = at
        self.stay = stay
        self.until = until
        self.maxPrice = maxPrice
        self.count = count
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        let latitude = try fields.latitude()
        let longitude = try fields.longitude()
        self.init(
            try fields.required("categories", fields.choices("categories", count: Self.categoryCount)),
            from: latitude == nil && longitude == nil ? nil : try fields.coordinate(),
            radius: try fields.number("radius", in: Self.radiusRange),
            pace: try fields.choice("pace"),
            at: try fields.timestamp("at"),
            stay: try fields.integer("stay", in: Self.stayRange),
            until: try fields.timestamp("until"),
            maxPrice: try fields.integer("maxPrice", in: Self.priceRange),
            count: try fields.integer("count", in: Self.countRange)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        let fields: FieldList = [
            "categories": self.categories,
            "lat": self.origin.map { RoundedNumber.degrees($0.latitude) },
            "lon": self.origin.map { RoundedNumber.degrees($0.longitude) },
            "radius": self.radius, "pace": self.pace, "at": self.at, "stay": self.stay, "until": self.until,
            "maxPrice": self.maxPrice, "count": self.count,
        ]
        try fields.encode(to: encoder)
    }
}
