import MusterCore
import MusterWire

extension RequestTable {
    /// The requests about plans.
    static func plans(_ services: any RequestServices, _ planning: PlanSuggestions) -> [Entry] {
        [
            .asynchronous(PlanSuggest.self) { request, caller in
                .answer(try await planning.answer(request, for: caller, try services.readyDirectory()))
            },
            .directory(PlanSave.self, services) { request, caller, directory in
                .answer(PlanSaved(try await directory.savePlan(request, by: caller.user)))
            },
            .directory(PlansList.self, services) { request, caller, directory in
                let page = try await directory.plans(of: request.group, after: request.after, for: caller.user)
                return .answer(PlansAnswer(page.plans, next: page.next))
            },
            .directory(PlanGet.self, services) { request, caller, directory in
                .answer(PlanSaved(try await directory.plan(request.plan, for: caller.user)))
            },
            .directory(PlanDelete.self, services) { request, caller, directory in
                let withdrawal = try await directory.deletePlan(request.plan, by: caller.user)
                return RequestOutcome(.answer(NoAnswer()), publications: withdrawal.publications(of: request.plan))
            },
            .directory(PlanShareRequest.self, services) { request, caller, directory in
                let proposal = try await directory.sharePlan(request, by: caller.user)
                return RequestOutcome(
                    .answer(NoAnswer()),
                    publications: proposal.numbers.isEmpty
                        ? [] : [Publication(stored: proposal.content, numbers: proposal.numbers)]
                )
            },
            .directory(PlanUnshare.self, services) { request, caller, directory in
                let withdrawal = try await directory.unsharePlan(request, by: caller.user)
                return RequestOutcome(.answer(NoAnswer()), publications: withdrawal.publications(of: request.plan))
            },
            .directory(PlanAnswerRequest.self, services) { request, caller, directory in
                let change = try await directory.answerPlan(request, by: caller.user)
                return RequestOutcome(.answer(PlanAnswersAnswer(change.answers)), publications: [Publication(change)])
            },
        ]
    }
}

extension PlanWithdrawal {
    /// Notifies groups that a plan is gone, and withdraws the notifications that their members have not seen.
    fileprivate func publications(of plan: PlanID) -> [Publication] {
        (self.notifications.isEmpty ? [] : [Publication(withdrawn: self.notifications)])
            + self.groups.map { Publication(to: .group($0, except: nil), .live(.planGone(plan, from: $0))) }
    }
}
