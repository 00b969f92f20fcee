import MusterCore
import MusterWire

/// Requests plans: walks that visit one place for each category.
struct PlanSuggest: ClientRequest {
    typealias Answer = SuggestionAnswer
    static let type = "plan.suggest"
    static let order = RequestOrder.concurrent
    static let rate: RequestRate? = .planSuggest

    /// The allowed number of categories.
    static let categoryCount = 1...6
    /// The allowed radius in metres, 200…10,000.
    static let radiusRange = 200.0...10_000.0
    /// The default radius in metres.
    static let standardRadius = 1_500.0
    /// The allowed stay at each place in seconds.
    static let stayRange = 300...14_400
    /// The default stay at each place in seconds.
    static let standardStay = 3_600
    /// The allowed price levels.
    static let priceRange = 1...4
    /// The allowed number of plans in one answer.
    static let countRange = 1...10
    /// The default number of plans in one answer.
    static let standardCount = 5

    /// The categories of the stops, in order.
    ///
    /// A category may repeat.
    var categories: [PlaceCategory]
    /// The start; nil for the user's position.
    var origin: Coordinate?
    /// The radius around the start in metres; nil for the default.
    var radius: Double?
    var pace: PlanPace?
    /// The time of departure; nil for now, without checking opening hours.
    var at: Timestamp?
    /// The stay at each place in seconds; nil for the default.
    var stay: Int?
    /// The time by which the last place must be left; nil for no limit.
    var until: Timestamp?
    /// The maximum price level; nil for any.
    var maxPrice: Int?
    /// The number of plans; nil for the default.
    var count: Int?

    /// Creates a request.
    init(
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

    init(reading fields: JSONFields) throws(FrameError) {
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
}
