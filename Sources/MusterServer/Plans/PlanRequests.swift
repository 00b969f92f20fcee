import MusterCore
import MusterWire

/// Stores a suggested plan.
struct PlanSave: ClientRequest {
    typealias Answer = PlanSaved
    static let type = "plan.save"
    static let order = RequestOrder.line("plans")
    static let rate: RequestRate? = .planSave

    var suggestion: SuggestionID
    /// The index of the plan in the suggestion, from 0.
    var index: Int
    /// The plan's name, 1…80 characters.
    var name: String

    /// Creates a request.
    init(_ suggestion: SuggestionID, index: Int, name: String) {
        self.suggestion = suggestion
        self.index = index
        self.name = name
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("suggestion", fields.identifier("suggestion")),
            index: try fields.required("index", fields.integer("index", in: 0...PlanSuggest.countRange.upperBound - 1)),
            name: try fields.required("name", fields.text("name", DayPlan.nameRule))
        )
    }
}

/// Requests a page of the user's own plans, or of those shared with a group, the newest first.
struct PlansList: ClientRequest {
    typealias Answer = PlansAnswer
    static let type = "plans.list"
    static let order = RequestOrder.behind(line: "plans")

    /// The group; nil for the user's own plans.
    var group: GroupID?
    /// The last plan of the previous page; nil for the first page.
    var after: PlanID?

    /// Creates a request.
    init(of group: GroupID? = nil, after: PlanID? = nil) {
        self.group = group
        self.after = after
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(of: try fields.identifier("group"), after: try fields.identifier("after"))
    }
}

/// Requests a plan of the user, or one that is shared with a group of the user.
struct PlanGet: ClientRequest {
    typealias Answer = PlanSaved
    static let type = "plan.get"
    static let order = RequestOrder.behind(line: "plans")

    var plan: PlanID

    /// Creates a request.
    init(_ plan: PlanID) { self.plan = plan }

    init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.plan()) }
}

/// Deletes a plan of the user, and the copies of groups.
struct PlanDelete: ClientRequest {
    static let type = "plan.delete"
    static let order = RequestOrder.line("plans")

    var plan: PlanID

    /// Creates a request.
    init(_ plan: PlanID) { self.plan = plan }

    init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.plan()) }
}

/// Shares a plan of the user with a group.
struct PlanShareRequest: ClientRequest {
    static let type = "plan.share"
    static let order = RequestOrder.line("plans")
    static let rate: RequestRate? = .planShare

    var plan: PlanID
    var group: GroupID

    /// Creates a request.
    init(_ plan: PlanID, with group: GroupID) {
        self.plan = plan
        self.group = group
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.plan(), with: try fields.group())
    }
}

/// Stops sharing a plan with a group.
struct PlanUnshare: ClientRequest {
    static let type = "plan.unshare"
    static let order = RequestOrder.line("plans")

    var plan: PlanID
    var group: GroupID

    /// Creates a request.
    init(_ plan: PlanID, from group: GroupID) {
        self.plan = plan
        self.group = group
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.plan(), from: try fields.group())
    }
}

/// Sets whether the user joins a shared plan.
struct PlanAnswerRequest: ClientRequest {
    typealias Answer = PlanAnswersAnswer
    static let type = "plan.answer"
    static let order = RequestOrder.line("plans")
    static let rate: RequestRate? = .planAnswer

    var plan: PlanID
    var group: GroupID
    var answer: PlanAnswer

    /// Creates a request.
    init(_ answer: PlanAnswer, to plan: PlanID, in group: GroupID) {
        self.plan = plan
        self.group = group
        self.answer = answer
    }

    init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("answer", fields.choice("answer")),
            to: try fields.plan(),
            in: try fields.group()
        )
    }
}

extension JSONFields {
    fileprivate func plan() throws(FrameError) -> PlanID { try self.required("plan", self.identifier("plan")) }
}
