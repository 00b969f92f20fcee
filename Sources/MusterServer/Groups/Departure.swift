import MusterCore

/// A group after a member left it.
struct Departure: Sendable {
    var group: GroupSnapshot
    /// The plans that the former member had answered, without that answer.
    var plans: [PlanChange]
}

extension Committed where Value == Departure {
    /// A departure.
    init(_ departure: Departure) {
        self.init(departure, [.group(departure.group)] + departure.plans.map { .published(Publication($0)) })
    }
}
