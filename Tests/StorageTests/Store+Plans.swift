@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

extension Store {
    /// A plan through two places, as suggested to a user.
    func day(isTimed: Bool = true) -> DayPlan {
        func place(_ id: String, _ name: String, _ latitude: Double, isKeptBare: Bool = false) -> PlannedPlace {
            PlannedPlace(
                id: id,
                name: name,
                category: .art,
                coordinate: Coordinate(latitude: latitude, longitude: 24.93),
                source: "local",
                fame: 0.6,
                address: "Street 1",
                isKeptBare: isKeptBare
            )
        }
        let day = PlanDay(
            origin: Coordinate(latitude: 60.1234, longitude: 24.5678),
            start: self.now,
            isTimed: isTimed,
            startMinute: 600,
            stay: 60,
            pace: .balanced
        )
        return day.plan(
            [place("osm:n1", "Kiasma", 60.1719), place("yelp:n", "Noma", 60.17, isKeptBare: true)],
            legs: [
                PlanLeg(distance: 777, duration: 555, geometry: "_first_", isRouted: true),
                PlanLeg(distance: 230, duration: 180, geometry: "_second_", isRouted: true),
            ],
            score: 0.7
        )
    }

    /// Saves a plan of a user.
    func keptPlan(by user: UserID, name: String = "By the sea", isTimed: Bool = true) async throws -> StoredPlan {
        let suggestion = try await self.directory.addSuggestion([self.day(isTimed: isTimed)], for: user)
        return try await self.directory.savePlan(PlanSave(suggestion, index: 0, name: name), by: user)
    }

    /// Proposes a plan of a user to a group, with the reply that they may come.
    func proposedPlan(by user: UserID, to group: GroupID) async throws -> PlanID {
        let plan = try await self.keptPlan(by: user).id
        _ = try await self.directory.sharePlan(PlanShareRequest(plan, with: group), by: user)
        _ = try await self.directory.answerPlan(PlanAnswerRequest(.maybe, to: plan, in: group), by: user)
        return plan
    }
}
