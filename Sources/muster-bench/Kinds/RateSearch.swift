/// Decides which rate to try next: up or down by growing steps until one is sustained and a higher one is not, then between.
///
/// A rate has failed when it failed twice, so that a moment of somebody else's work does not decide.
struct RateSearch {
    /// The gap between sustained and not sustained at which a search ends.
    static let precision = 1.05
    private static let longestStep = 2.0

    /// The rate to try now; nil when the search is over.
    private(set) var rate: Double?
    /// The highest rate that was sustained.
    private(set) var sustained: Double?
    private var failed: Double?
    private var hasFailedOnce = false
    private var step: Double
    private let lowest: Double

    /// Begins at a rate; `step` is how far the next one is from it.
    init(from rate: Double, step: Double, lowest: Double) {
        self.rate = rate
        self.step = step
        self.lowest = lowest
    }

    /// Notes that the rate was sustained.
    mutating func noteSustained() {
        guard let rate = self.rate else { return }
        self.sustained = rate
        self.moveOn(from: rate)
    }

    /// Notes that the rate was not sustained.
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
