/// Chooses the next rate to try: up or down by growing steps, then by bisection between a sustained and a failed rate.
///
/// A rate fails only after two failed runs, so that a short disturbance on the machine does not decide.
struct RateSearch {
    /// The ratio of failed to sustained rate at which the search ends.
    static let precision = 1.05
    private static let longestStep = 2.0

    /// The rate to try now; nil when the search is over.
    private(set) var rate: Double?
    /// The highest sustained rate so far.
    private(set) var sustained: Double?
    private var failed: Double?
    private var hasFailedOnce = false
    private var step: Double
    private let lowest: Double

    /// Starts at a rate; `step` is the ratio to the next one.
    init(from rate: Double, step: Double, lowest: Double) {
        self.rate = rate
        self.step = step
        self.lowest = lowest
    }

    /// Records that the rate was sustained.
    mutating func noteSustained() {
        guard let rate = self.rate else { return }
        self.sustained = rate
        self.moveOn(from: rate)
    }

    /// Records that the rate was not sustained.
    mutating func noteFailed() {
        guard let rate = self.rate else { return }
        guard self.hasFailedOnce else {
            self.hasFailedOnce = true
            return
        }
        self.failed = rate
        self.moveOn(from: rate)
    }

    private mutating func moveOn(from rate: Double) {
        self.hasFailedOnce = false
        switch (self.sustained, self.failed) {
        case (let sustained?, let failed?):
            self.rate = failed / sustained > Self.precision ? (sustained * failed).squareRoot() : nil
        case (.some, nil):
            self.rate = rate * self.step
        case (nil, _):
            self.rate = rate / self.step >= self.lowest ? rate / self.step : nil
        }
        self.step = min(Self.longestStep, self.step * self.step)
    }
}
