package import MusterCore

/// Stores a suggested plan.
package struct PlanSave: ClientRequest {
    package typealias Answer = PlanSaved
    package static let type = "plan.save"
    package static let order = RequestOrder.line("plans")
    package static let rate: RequestRate? = .planSave

    package var suggestion: SuggestionID
    /// The index of the plan in the suggestion, from 0.
    package var index: Int
    /// The plan's name, 1…80 characters.
    package var name: String

    /// Creates a request.
    package init(_ suggestion: SuggestionID, index: Int, name: String) {
        self.suggestion = suggestion
        self.index = index
        self.name = name
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(
            try fields.required("suggestion", fields.identifier("suggestion")),
            index: try fields.required("index", fields.integer("index", in: 0...PlanSuggest.countRange.upperBound - 1)),
            name: try fields.required("name", fields.text("name", DayPlan.nameRule))
        )
    }
}

/// Requests a page of the user's own plans, or of those shared with a group, the newest first.
package struct PlansList: ClientRequest {
    package typealias Answer = PlansAnswer
    package static let type = "plans.list"
    package static let order = RequestOrder.behind(line: "plans")

    /// The group; nil for the user's own plans.
    package var group: GroupID?
    /// The last plan of the previous page; nil for the first page.
    package var after: PlanID?

    /// Creates a request.
    package init(of group: GroupID? = nil, after: PlanID? = nil) {
        self.group = group
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(of: try fields.identifier("group"), after: try fields.identifier("after"))
    }
}

/// Requests a plan of the user, or one that is shared with a group of the user.
package struct PlanGet: ClientRequest {
    package typealias Answer = PlanSaved
    package static let type = "plan.get"
    package static let order = RequestOrder.behind(line: "plans")

    package var plan: PlanID

    /// Creates a request.
    package init(_ plan: PlanID) { self.plan = plan }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.plan()) }
}

/// Deletes a plan of the user, and the copies of groups.
package struct PlanDelete: ClientRequest {
    package static let type = "plan.delete"
    package static let order = RequestOrder.line("plans")

    package var plan: PlanID

    /// Creates a request.
    package init(_ plan: PlanID) { self.plan = plan }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.plan()) }
}

/// Shares a plan of the user with a group.
package struct PlanShareRequest: ClientRequest {
    package static let type = "plan.share"
    package static let order = RequestOrder.line("plans")
    package static let rate: RequestRate? = .planShare

    package var plan: PlanID
    package var group: GroupID

    /// Creates a request.
    package init(_ plan: PlanID, with group: GroupID) {
        self.plan = plan
        self.group = group
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.plan(), with: try fields.group())
    }
}

/// Stops sharing a plan with a group.
package struct PlanUnshare: ClientRequest {
    package static let type = "plan.unshare"
    package static let order = RequestOrder.line("plans")

    package var plan: PlanID
    package var group: GroupID

    /// Creates a request.
    package init(_ plan: PlanID, from group: GroupID) {
        self.plan = plan
        self.group = group
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.plan(), from: try fields.group())
    }
}

/// Sets whether the user joins a shared plan.
package struct PlanAnswerRequest: ClientRequest {
    package typealias Answer = PlanAnswersAnswer
    package static let type = "plan.answer"
    package static let order = RequestOrder.line("plans")
    package static let rate: RequestRate? = .planAnswer

    package var plan: PlanID
    package var group: GroupID
    package var answer: PlanAnswer

    /// Creates a request.
    package init(_ answer: PlanAnswer, to plan: PlanID, in group: GroupID) {
        self.plan = plan
        self.group = group
        self.answer = answer
    }

    package init(reading fields: JSONFields) throws(FrameError) {
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
