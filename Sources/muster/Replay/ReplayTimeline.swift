import MusterCore
import MusterWire

// Gatherings are evaluated behind arrival, on a separate time axis. A decision about time t may be made at any time
// from t + `GatheringMachine.lag` on, after later fixes have arrived. The order between groups is arbitrary. So
// decisions are buffered until no more can follow for their time. The output is in order of these times, independent of
// the tick.

/// Sorts the decisions of a replay by the times that they are about.
struct ReplayTimeline {
    /// An entry of the output.
    enum Entry {
        case gathering(GatheringRecord)
        case alert(NumberedNotification)
        case explanation(Explanation)

        /// The time that the entry is about.
        fileprivate var at: Timestamp {
            switch self {
            case .gathering(let record): record.instant
            case .alert(let alert): alert.content.at
            case .explanation(let explanation): explanation.at
            }
        }
    }

    private let output: any ReplayOutput
    /// The start of the output; earlier entries only determine the state at this time.
    private let begin: Timestamp
    /// The buffered entries, in order.
    private var waiting: [Entry] = []
    /// The gatherings that are open when the output starts, in their last state.
    private var open: [GroupID: GatheringRecord] = [:]

    /// Passes entries from `begin` on to `output`, preceded by the gatherings that are open at that time.
    init(from begin: Timestamp?, to output: any ReplayOutput) {
        self.begin = begin ?? Timestamp(milliseconds: .min)
        self.output = output
    }

    /// Adds an entry; entries of the same time keep their order.
    mutating func add(_ entry: Entry) {
        let place = self.waiting.lastIndex { $0.at <= entry.at }.map { $0 + 1 } ?? 0
        self.waiting.insert(entry, at: place)
    }

    /// Outputs the entries up to `moment`.
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
