/// The rhythm of a person's reports, by which silence is told from a phone that reports rarely.
struct ReportInterval: Sendable, Equatable {
    /// The time in milliseconds within which fixes that arrive are one report.
    static let oneReport: Int64 = 1_000

    /// The arrival of the first fix of the current report.
    private(set) var began: Timestamp
    /// The arrival of the last fix.
    private(set) var last: Timestamp
    /// The time of the newest fix of the current report.
    private(set) var at: Timestamp
    private var arrivalBefore: Timestamp?
    private var timeBefore: Timestamp?
    /// The gap before the current report's gap, in milliseconds.
    private var earlierGap: Int64 = 0

    /// Begins with a report.
    init(at: Timestamp, due: Timestamp) {
        self.began = due
        self.last = due
        self.at = at
    }

    /// The gap between the previous report and the current one, by arrival or by time; the longer counts.
    private var gap: Int64 {
        guard let arrival = self.arrivalBefore, let time = self.timeBefore else { return 0 }
        return max(self.began - arrival, self.at - time, 0)
    }

    /// The longer of the last two gaps, in milliseconds.
    var milliseconds: Int64 { max(self.gap, self.earlierGap) }

    /// The moment from which the phone is silent, if no further report arrives.
    func silentFrom(notBefore resumedAt: Timestamp) -> Timestamp {
        max(self.last, resumedAt) + self.milliseconds + self.milliseconds / 4
    }

    /// Adds a fix of any verdict.
    mutating func note(at: Timestamp, due: Timestamp) {
        if due - self.began > Self.oneReport {
            self.earlierGap = self.gap
            self.arrivalBefore = self.began
            self.timeBefore = self.at
            self.began = due
            self.at = at
        }
        self.at = max(self.at, at)
        self.last = max(self.last, due)
    }
}
