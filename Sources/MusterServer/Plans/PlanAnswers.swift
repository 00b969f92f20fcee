import MusterCore
import MusterWire

/// The result of a source of places for one category.
struct PlanSourceView: Encodable, Equatable, Sendable {
    private let provider: String
    private let category: PlaceCategory
    private let state: String
    private let ms: Int64

    /// Creates the result: the source, the state of its response, and its duration in milliseconds.
    init(_ provider: String, _ category: PlaceCategory, state: String, ms: Int64) {
        self.provider = provider
        self.category = category
        self.state = state
        self.ms = ms
    }
}

/// Suggested plans.
struct SuggestionAnswer: Encodable, Equatable, Sendable {
    /// The start of the plans, and the source of that position.
    struct Origin: Encodable, Equatable, Sendable {
        /// The source of the origin.
        enum Source: String, Encodable, Sendable, CaseIterable {
            case given
            case fix
            case ip
        }

        @Degrees private var lat: Double
        @Degrees private var lon: Double
        private let from: Source

        /// Creates an origin.
        init(_ point: Coordinate, from source: Source) {
            self.lat = point.latitude
            self.lon = point.longitude
            self.from = source
        }
    }

    private let suggestion: SuggestionID
    private let origin: Origin
    private let plans: [PlanView]
    private let missing: [PlaceCategory]
    private let sources: [PlanSourceView]
    private let attribution: [String]

    /// Creates the answer from plans, the best first, the categories without places, the sources' results, and the
    /// attributions.
    init(
        _ suggestion: SuggestionID,
        from origin: Origin,
        _ plans: [DayPlan],
        missing: [PlaceCategory],
        sources: [PlanSourceView],
        attribution: [String]
    ) {
        self.suggestion = suggestion
        self.origin = origin
        self.plans = plans.map { PlanView($0) }
        self.missing = missing
        self.sources = sources
        self.attribution = attribution
    }
}

/// A stored plan.
struct PlanSaved: Encodable, Equatable, Sendable {
    private let plan: PlanView

    /// Creates the answer for a plan.
    init(_ plan: StoredPlan) { self.plan = PlanView(plan) }
}

/// Plans, the newest first.
struct PlansAnswer: Encodable, Equatable, Sendable {
    private let plans: [PlanView]
    @Nullable private var next: PlanID?

    /// Creates a page of plans, and the id after which the next page starts; nil for the last page.
    init(_ plans: [StoredPlan], next: PlanID?) {
        self.plans = plans.map { PlanView($0) }
        self.next = next
    }
}

/// The answers of a group's members to a plan.
struct PlanAnswersAnswer: Encodable, Equatable, Sendable {
    private let answers: PlanAnswersView

    /// Creates the answer.
    init(_ answers: PlanAnswers) { self.answers = PlanAnswersView(answers) }
}

extension LiveMessage {
    /// Creates the frame that tells a group that a plan was removed.
    static func planGone(_ plan: PlanID, from group: GroupID) -> LiveMessage {
        .frame(Frame.encode("plan_gone", ["plan": plan, "group": group]))
    }
}
