package import MusterCore

/// Keeps a plan that one was suggested.
package struct PlanSave: ClientRequest {
    package typealias Answer = PlanSaved
    package static let type = "plan.save"
    package static let order = RequestOrder.line("plans")
    package static let rate: RequestRate? = .planSave

    package var suggestion: SuggestionID
    /// Which of the suggestion's plans, from 0.
    package var index: Int
    /// What it is to be called, 1…80 characters.
    package var name: String

    /// Names the plan.
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

/// Asks for a page of one's own plans, or of those that a group shares, the newest first.
package struct PlansList: ClientRequest {
    package typealias Answer = PlansAnswer
    package static let type = "plans.list"
    package static let order = RequestOrder.behind(line: "plans")

    /// The group; nil for one's own.
    package var group: GroupID?
    /// The last of the page before; nil for the first page.
    package var after: PlanID?

    /// Asks for a page.
    package init(of group: GroupID? = nil, after: PlanID? = nil) {
        self.group = group
        self.after = after
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(of: try fields.identifier("group"), after: try fields.identifier("after"))
    }
}

/// Asks for a plan, one's own or one that a group of one's shares.
package struct PlanGet: ClientRequest {
    package typealias Answer = PlanSaved
    package static let type = "plan.get"
    package static let order = RequestOrder.behind(line: "plans")

    package var plan: PlanID

    /// Names the plan.
    package init(_ plan: PlanID) { self.plan = plan }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.plan()) }
}

/// Deletes an own plan, and the copies that groups have of it.
package struct PlanDelete: ClientRequest {
    package static let type = "plan.delete"
    package static let order = RequestOrder.line("plans")

    package var plan: PlanID

    /// Names the plan.
    package init(_ plan: PlanID) { self.plan = plan }

    package init(reading fields: JSONFields) throws(FrameError) { self.init(try fields.plan()) }
}

/// Proposes an own plan to a group.
package struct PlanShareRequest: ClientRequest {
    package static let type = "plan.share"
    package static let order = RequestOrder.line("plans")
    package static let rate: RequestRate? = .planShare

    package var plan: PlanID
    package var group: GroupID

    /// Names the plan and the group.
    package init(_ plan: PlanID, with group: GroupID) {
        self.plan = plan
        self.group = group
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.plan(), with: try fields.group())
    }
}

/// Takes a plan back from a group.
package struct PlanUnshare: ClientRequest {
    package static let type = "plan.unshare"
    package static let order = RequestOrder.line("plans")

    package var plan: PlanID
    package var group: GroupID

    /// Names the plan and the group.
    package init(_ plan: PlanID, from group: GroupID) {
        self.plan = plan
        self.group = group
    }

    package init(reading fields: JSONFields) throws(FrameError) {
        self.init(try fields.plan(), from: try fields.group())
    }
}

/// Says whether one comes along.
package struct PlanAnswerRequest: ClientRequest {
    package typealias Answer = PlanAnswersAnswer
    package static let type = "plan.answer"
    package static let order = RequestOrder.line("plans")
    package static let rate: RequestRate? = .planAnswer

    package var plan: PlanID
    package var group: GroupID
    package var answer: PlanAnswer

    /// Says it.
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
