import MusterCore
import MusterWire

// Gatherings are decided behind arrival, on a time of their own: what is decided at its moment t may come out at any moment
// from t + `GatheringMachine.lag` on, after fixes that arrived meanwhile and in no order between groups. So what was found
// waits until no more can come of its moment, and goes out in the order of moments, however often the world ticks.

/// Puts what a replay found in the order of the moments that it is about.
struct ReplayTimeline {
    /// Something to give out.
    enum Entry {
        case gathering(GatheringRecord)
        case alert(NumberedNotification)
        case explanation(Explanation)

        /// The moment that it is about.
        fileprivate var at: Timestamp {
            switch self {
            case .gathering(let record): record.instant
            case .alert(let alert): alert.content.at
            case .explanation(let explanation): explanation.at
            }
        }
    }

    private let output: any ReplayOutput
    /// What is of a moment before this one only tells how things stand at it.
    private let begin: Timestamp
    /// What waits, in order.
    private var waiting: [Entry] = []
    /// The gatherings that are on where the output begins, as they were told last.
    private var open: [GroupID: GatheringRecord] = [:]

    /// Gives what is of `begin` or later to `output`, and first which gatherings are on then.
    init(from begin: Timestamp?, to output: any ReplayOutput) {
        self.begin = begin ?? Timestamp(milliseconds: .min)
        self.output = output
    }

    /// Takes in something; what is of the same moment stays in the order in which it came.
    mutating func add(_ entry: Entry) {
        let place = self.waiting.lastIndex { $0.at <= entry.at }.map { $0 + 1 } ?? 0
        self.waiting.insert(entry, at: place)
    }

    /// Gives out what is of `moment` or earlier.
    mutating func release(through moment: Timestamp, names: IdentityNames) {
        guard let first = self.waiting.first, first.at <= moment else { return }
        let count = self.waiting.firstIndex { $0.at > moment } ?? self.waiting.count
        for entry in self.waiting[..<count] {
            guard entry.at >= self.begin else {
                if case .gathering(let record) = entry {
                    self.open[record.group] = record.status.state == .ended ? nil : record
                }
                continue
            }
            for group in self.open.keys.sorted() {
                if let record = self.open.removeValue(forKey: group) { self.output.gathering(record, names: names) }
            }
            self.give(entry, names: names)
        }
        self.waiting.removeSubrange(..<count)
    }

    private func give(_ entry: Entry, names: IdentityNames) {
        switch entry {
        case .gathering(let record): self.output.gathering(record, names: names)
        case .alert(let alert): self.output.alert(alert, names: names)
        case .explanation(let explanation): self.output.explanation(explanation, names: names)
        }
    }
}
