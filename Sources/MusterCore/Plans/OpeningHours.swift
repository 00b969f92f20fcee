// Opening hours in the language of OpenStreetMap's key `opening_hours`
// (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification), as far as most places need it: weekdays, times,
// several rules, `off`, `24/7`, and times over midnight. What says more (months, weeks, sunsets, words) is not read at all,
// because half of a rule is worse than none.
//
// Invariant: `spans` are sorted, apart from each other, and lie in 0...2 weeks; what begins in a week may end in the next.

/// At which minutes of a week a place is open.
package struct OpeningHours: Sendable, Equatable {
    /// The minutes of a week, which begins on Monday at 0:00.
    package static let week = 7 * 24 * 60

    /// When it is open, in minutes since the week's beginning; the last may end in the week after.
    private let spans: [Range<Int>]

    /// Reads a value of `opening_hours`; nil when it says anything that is not read here.
    ///
    /// Rules about holidays are left out: nobody here knows when they are.
    package init?(_ text: String) {
        var parser = OpeningHoursParser(text)
        guard let days = parser.days() else { return nil }
        var spans: [Range<Int>] = []
        for (day, times) in days.enumerated() {
            spans += times.map { day * 24 * 60 + $0.lowerBound..<day * 24 * 60 + $0.upperBound }
        }
        self.init(spans)
    }

    /// Creates hours of times in a week, in any order.
    init(_ spans: [Range<Int>]) {
        self.spans = spans.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
            .reduce(into: []) { merged, span in
                if let last = merged.last, span.lowerBound <= last.upperBound {
                    merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
                } else {
                    merged.append(span)
                }
            }
    }

    /// Whether it is open at a minute of the week.
    package func isOpen(at minute: Int) -> Bool { self.minutesOpen(from: minute) > 0 }

    /// For how many minutes it stays open from a minute of the week on: 0 when it is closed, at most a week.
    package func minutesOpen(from minute: Int) -> Int {
        let begin = minute - minute / Self.week * Self.week
        var end = begin
        // What is open around the end of the week goes on in the next: until nothing reaches further.
        while end - begin < Self.week, let further = self.end(of: end), further > end { end = further }
        return min(end - begin, Self.week)
    }

    /// When what is open at a minute ends, as counted in that minute's week.
    private func end(of minute: Int) -> Int? {
        let inWeek = minute % Self.week
        let shift = minute - inWeek
        let ends = self.spans.compactMap { span -> Int? in
            if span.contains(inWeek) { return span.upperBound + shift }
            return span.contains(inWeek + Self.week) ? span.upperBound - Self.week + shift : nil
        }
        return ends.max()
    }
}
