/// The start of a plan and the length of its stays.
///
/// Plans count time in steps of five minutes: each leg and each stay is rounded up to whole steps.
package struct PlanSchedule: Sendable, Equatable {
    /// The minutes of a step.
    package static let step = 5
    /// The minutes for which a place must stay open after the arrival; less if the stay is shorter.
    private static let shortestVisit = 30

    /// The minute of the week of the start, in the time zone of the place.
    package var begin: Int
    /// The steps of each stay.
    let staySteps: Int
    /// The last step by which the last place is left; nil for no limit.
    package var lastStep: Int?

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - begin: the minute of the week of the start.
    ///   - stay: the minutes at each place, rounded up.
    ///   - duration: the minutes after which the last place is left; nil for no limit.
    init(begin: Int, stay: Int, duration: Int? = nil) {
        self.begin = begin
        self.staySteps = (stay + Self.step - 1) / Self.step
        self.lastStep = duration.map { $0 / Self.step }
    }

    /// The outcome of a visit.
    enum Visit {
        /// The place is open long enough.
        case open
        /// The opening hours are unknown.
        case unknown
        /// The place is closed, closes too soon, or the time limit is exceeded.
        case impossible
    }

    /// The outcome of arriving at a place with these opening hours after a number of steps.
    func outcomeOfVisit(_ hours: OpeningHours?, after steps: Int) -> Visit {
        if let lastStep, steps + self.staySteps > lastStep { return .impossible }
        guard let hours else { return .unknown }
        let needed = min(self.staySteps * Self.step, Self.shortestVisit)
        let isOpen = hours.minutesOpen(from: self.begin + steps * Self.step) >= max(1, needed)
        return isOpen ? .open : .impossible
    }
}
