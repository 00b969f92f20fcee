// Opening hours in the syntax of OpenStreetMap's key `opening_hours`
// (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification). The supported subset covers most places:
// weekdays, times, several rules, `off`, `24/7`, and times past midnight. A value with other elements (months, weeks,
// sunsets, comments) is rejected as a whole, because half of a rule is worse than none.
//
// Invariant: `spans` are sorted, do not touch each other, and lie in 0...2 weeks; a span may end in the following week.

/// The minutes of a week at which a place is open.
package struct OpeningHours: Sendable, Equatable {
    /// The number of minutes of a week, which begins on Monday at 0:00.
    package static let week = 7 * 24 * 60

    /// The opening times in minutes since the beginning of the week; the last may end in the following week.
    private let spans: [Range<Int>]

    /// Parses a value of `opening_hours`; nil when it contains an unsupported element.
    ///
    /// Rules about holidays are ignored, because the dates of holidays are not known here.
    package init?(_ text: String) {
        var parser = OpeningHoursParser(text)
        guard let days = parser.days() else { return nil }
        var spans: [Range<Int>] = []
        for (day, times) in days.enumerated() {
            spans += times.map { day * 24 * 60 + $0.lowerBound..<day * 24 * 60 + $0.upperBound }
        }
        self.init(spans)
    }

    /// Creates hours from times of a week, in any order.
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

    /// Whether the place is open at a minute of the week.
    package func isOpen(at minute: Int) -> Bool { self.minutesOpen(from: minute) > 0 }

    /// The number of minutes for which the place stays open from a minute of the week on: 0 when closed, at most a
    /// week.
    func minutesOpen(from minute: Int) -> Int {
        let begin = minute - minute / Self.week * Self.week
        var end = begin
        // A span at the end of the week may continue in the next one: repeats until no span reaches further.
        while end - begin < Self.week, let further = self.end(of: end), further > end { end = further }
        return min(end - begin, Self.week)
    }

    /// The end of the span that contains a minute, counted in that minute's week.
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
