package import MusterCore

/// How a source of places did with one category.
package struct PlanSourceView: Encodable, Equatable, Sendable {
    private let provider: String
    private let category: PlaceCategory
    private let state: String
    private let ms: Int64

    /// Names the source, in which state its answer is, and how many milliseconds it took.
    package init(_ provider: String, _ category: PlaceCategory, state: String, ms: Int64) {
        self.provider = provider
        self.category = category
        self.state = state
        self.ms = ms
    }
}

/// Plans that were found.
package struct SuggestionAnswer: Encodable, Equatable, Sendable {
    /// Where plans begin, and how that is known.
    package struct Origin: Encodable, Equatable, Sendable {
        /// How the origin is known.
        package enum Source: String, Encodable, Sendable, CaseIterable {
            case given
            case fix
            case ip
        }

        @Degrees private var lat: Double
        @Degrees private var lon: Double
        private let from: Source

        /// Names the origin.
        package init(_ point: Coordinate, from source: Source) {
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

    /// Shows plans, the best first; the categories of which there are no places, how each source did, and whom to name.
    package init(
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

/// The plan as it is kept.
package struct PlanSaved: Encodable, Equatable, Sendable {
    private let plan: PlanView

    /// Shows a plan.
    package init(_ plan: StoredPlan) { self.plan = PlanView(plan) }
}

/// Plans, the newest first.
package struct PlansAnswer: Encodable, Equatable, Sendable {
    private let plans: [PlanView]
    @Nullable private var next: PlanID?

    /// Shows a page of plans, and behind which one the next of them are; nil when there are none.
    package init(_ plans: [StoredPlan], next: PlanID?) {
        self.plans = plans.map { PlanView($0) }
        self.next = next
    }
}

/// What the members of a group say to a plan.
package struct PlanAnswersAnswer: Encodable, Equatable, Sendable {
    private let answers: PlanAnswersView

    /// Shows answers.
    package init(_ answers: PlanAnswers) { self.answers = PlanAnswersView(answers) }
}

extension LiveMessage {
    /// Tells a group that it has a plan no more.
    package static func planGone(_ plan: PlanID, from group: GroupID) -> LiveMessage {
        .frame(Frame.encode("plan_gone", ["plan": plan, "group": group]))
    }
}
