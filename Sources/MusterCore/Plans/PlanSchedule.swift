/// When a plan begins, and how long one stays.
///
/// Plans count time in steps of five minutes: each way and each stay is rounded up to whole ones.
package struct PlanSchedule: Sendable, Equatable {
    /// Minutes of a step.
    package static let step = 5
    /// Minutes before closing at which one may still come, however long one means to stay.
    private static let shortestVisit = 30

    /// The minute of the week at which one sets out, in the time of the place.
    package var begin: Int
    /// Steps of each stay.
    package let staySteps: Int
    /// Steps after the beginning at which one has left the last place; nil for whenever.
    package var lastStep: Int?

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - begin: the minute of the week at which one sets out.
    ///   - stay: minutes at each place, rounded up.
    ///   - duration: minutes after which one has left the last place; nil for whenever.
    package init(begin: Int, stay: Int, duration: Int? = nil) {
        self.begin = begin
        self.staySteps = (stay + Self.step - 1) / Self.step
        self.lastStep = duration.map { $0 / Self.step }
    }

    /// What becomes of a visit.
    enum Visit {
        /// The place is open for long enough.
        case open
        /// Nobody knows when it is open.
        case unknown
        /// It is closed, closes too soon, or one must have left by then.
        case impossible
    }

    /// What becomes of coming to a place with such hours after so many steps.
    func outcomeOfVisit(_ hours: OpeningHours?, after steps: Int) -> Visit {
        if let lastStep, steps + self.staySteps > lastStep { return .impossible }
        guard let hours else { return .unknown }
        let needed = min(self.staySteps * Self.step, Self.shortestVisit)
        let isOpen = hours.minutesOpen(from: self.begin + steps * Self.step) >= max(1, needed)
        return isOpen ? .open : .impossible
    }
}
