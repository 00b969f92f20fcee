import MusterCore
import MusterWire

/// A plan as clients see it.
struct PlanView: Encodable, Equatable, Sendable {
    private struct Cost: Encodable, Equatable {
        let level: Int
        let known: Int
        let of: Int
    }

    @Nullable private var id: PlanID?
    private let name: String
    private let score: RoundedNumber
    private let distance: RoundedNumber
    private let duration: Int
    private let routed: Bool
    private let pace: PlanPace
    @Nullable private var origin: PointView?
    @Nullable private var startsAt: Timestamp?
    private let cost: Cost
    private let stops: [PlanStopView]
    private let attribution: [String]
    /// For a stored plan only: its owner, and the groups that it is shared with.
    private let by: PersonView?
    private let shares: [PlanShareView]?

    private init(_ plan: DayPlan, id: PlanID?, name: String, by: PersonView?, shares: [PlanShareView]?) {
        self.id = id
        self.name = name
        self.score = RoundedNumber(plan.score, decimals: 4)
        self.distance = RoundedNumber(plan.distance, decimals: 1)
        self.duration = Int(plan.duration.rounded())
        self.routed = plan.isRouted
        self.pace = plan.pace
        self.origin = plan.origin.map { PointView($0) }
        self.startsAt = plan.startsAt
        let cost = plan.cost
        self.cost = Cost(level: cost.level, known: cost.known, of: cost.of)
        self.stops = plan.stops.map { PlanStopView($0) }
        self.attribution = plan.attribution
        self.by = by
        self.shares = shares
    }

    /// Creates the view of a plan that is not stored.
    init(_ plan: DayPlan) {
        self.init(plan, id: nil, name: plan.suggestedName, by: nil, shares: nil)
    }

    /// Creates the view of a stored plan.
    init(_ stored: StoredPlan) {
        self.init(
            stored.plan,
            id: stored.id,
            name: stored.name,
            by: PersonView(stored.person),
            shares: stored.shares.map { PlanShareView($0) }
        )
    }
}

/// The coordinates of a point.
struct PointView: Encodable, Equatable, Sendable {
    @Degrees private var lat: Double
    @Degrees private var lon: Double

    init(_ point: Coordinate) {
        self.lat = point.latitude
        self.lon = point.longitude
    }
}

/// A stop of a plan.
struct PlanStopView: Encodable, Equatable, Sendable {
    private struct Leg: Encodable, Equatable {
        let distance: RoundedNumber
        let duration: Int
        @Nullable var geometry: String?
        let from: String

        init(_ leg: PlanLeg) {
            self.distance = RoundedNumber(leg.distance, decimals: 1)
            self.duration = Int(leg.duration.rounded())
            self.geometry = leg.geometry
            self.from = leg.isRouted ? "router" : "estimate"
        }
    }

    private let place: PlannedPlaceView
    @Nullable private var arriveAt: Timestamp?
    @Nullable private var leaveAt: Timestamp?
    @Nullable private var open: Bool?
    @Nullable private var leg: Leg?

    init(_ stop: DayPlan.Stop) {
        self.place = PlannedPlaceView(stop.place)
        self.arriveAt = stop.arriveAt
        self.leaveAt = stop.leaveAt
        self.open = stop.isOpen
        self.leg = stop.leg.map { Leg($0) }
    }
}

/// A place of a plan, with details for a visitor.
struct PlannedPlaceView: Encodable, Equatable, Sendable {
    private let id: String
    private let name: String
    private let label: String
    private let type = PlaceType.other
    private let category: PlaceCategory
    @Degrees private var lat: Double
    @Degrees private var lon: Double
    @Nullable private var extent: [RoundedNumber]?
    private let source: String
    private let fame: RoundedNumber
    @Nullable private var rating: RoundedNumber?
    private let ratings: Int
    @Nullable private var priceLevel: Int?
    @Nullable private var openingHours: String?
    @Nullable private var address: String?
    @Nullable private var phone: String?
    @Nullable private var website: String?
    private let link: String

    init(_ place: PlannedPlace) {
        self.id = place.id
        self.name = place.name
        self.label = place.label
        self.category = place.category
        self.lat = place.coordinate.latitude
        self.lon = place.coordinate.longitude
        self.extent = place.extent?.rounded
        self.source = place.source
        self.fame = RoundedNumber(place.fame, decimals: 3)
        self.rating = place.rating.map { RoundedNumber($0, decimals: 2) }
        self.ratings = place.ratings
        self.priceLevel = place.priceLevel
        self.openingHours = place.openingHours
        self.address = place.address
        self.phone = place.phone
        self.website = place.website
        self.link = GeoLink(to: place.coordinate, name: place.name).text
    }
}

/// A group that a plan is shared with.
struct PlanShareView: Encodable, Equatable, Sendable {
    private let group: GroupID
    private let at: Timestamp
    private let answers: PlanAnswersView
    private let answer: PlanAnswer

    init(_ share: PlanShare) {
        self.group = share.group
        self.at = share.at
        self.answers = PlanAnswersView(share.answers)
        self.answer = share.answer
    }
}

/// The number of members for each answer.
struct PlanAnswersView: Encodable, Equatable, Sendable {
    private let `in`: Int
    private let maybe: Int
    private let out: Int

    init(_ answers: PlanAnswers) {
        self.in = answers.in
        self.maybe = answers.maybe
        self.out = answers.out
    }
}
