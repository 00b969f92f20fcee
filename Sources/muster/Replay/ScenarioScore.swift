import MusterCore
import MusterWire

/// Compares the decisions of a replay with the ground truth.
final class ScenarioScore: ReplayOutput {
    /// The counters of one story, or of all stories.
    struct Tally {
        var days = 0
        var personDays = 0
        /// Alerts that the plot requires.
        var expected = 0
        /// Required alerts that were made in time.
        var met = 0
        /// Alerts that the plot does not require.
        var unfounded = 0
        /// Pairs of joining and leaving a gathering, in either order, within ten minutes.
        var flaps = 0
        /// Delays from the time when an alert became due to its decision, in seconds.
        var delays: [Double] = []

        /// The share of required alerts among all alerts; nil when no alert was required, or none was made.
        var precision: Double? {
            self.expected == 0 || self.met + self.unfounded == 0
                ? nil : Double(self.met) / Double(self.met + self.unfounded)
        }
        /// The share of required alerts that were made; nil when none was required.
        var recall: Double? { self.expected == 0 ? nil : Double(self.met) / Double(self.expected) }
        /// Flaps per person and day.
        var flapsPerPersonDay: Double { self.personDays == 0 ? 0 : Double(self.flaps) / Double(self.personDays) }

        /// The quantile of the delays at `share`; nil for no delays.
        func delay(_ share: Double) -> Double? {
            let sorted = self.delays.sorted()
            return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        }
    }

    private struct Expectation {
        let group: String
        let user: String
        let variant: LeftWithoutYou.Variant
        let from: Timestamp
        let until: Timestamp
        let story: String
    }

    /// The maximum time between the two steps of a flap, in milliseconds.
    private static let flapTime: Int64 = 600_000

    /// The counters of each story.
    private(set) var tallies: [String: Tally] = [:]
    /// Descriptions of all unfounded and missed alerts and of flaps, for inspection.
    private(set) var faults: [String] = []

    private var story: [String: String] = [:]
    private var open: [Expectation] = []
    private var together: [String: [UserID]] = [:]
    private var lastStep: [UserID: Timestamp] = [:]

    /// The sum over all stories.
    var total: Tally {
        self.tallies.keys.sorted().compactMap { self.tallies[$0] }.reduce(into: Tally()) { sum, tally in
            sum.days += tally.days
            sum.personDays += tally.personDays
            sum.expected += tally.expected
            sum.met += tally.met
            sum.unfounded += tally.unfounded
            sum.flaps += tally.flaps
            sum.delays += tally.delays
        }
    }

    /// Records the ground truth.
    func note(_ truth: TraceTruth) {
        switch truth {
        case .day(let group, let begin, let story, let people):
            self.close(before: begin)
            self.story[group] = story
            self.tallies[story, default: Tally()].days += 1
            self.tallies[story, default: Tally()].personDays += people
        case .left(let group, let user, let variant, let from, let until):
            let story = self.story[group] ?? ""
            self.tallies[story, default: Tally()].expected += 1
            self.open.append(
                Expectation(group: group, user: user, variant: variant, from: from, until: until, story: story)
            )
        }
    }

    /// Counts all remaining required alerts as missed.
    func finish() { self.close(before: Timestamp(milliseconds: .max)) }

    func gathering(_ record: GatheringRecord, names: IdentityNames) {
        let group = names.groups[record.group] ?? ""
        let now = record.status.state == .ended ? [] : record.status.together
        let before = self.together[group] ?? []
        self.together[group] = now
        for user in Set(now).symmetricDifference(before).sorted() {
            if let last = self.lastStep[user], record.at - last < Self.flapTime {
                self.tallies[self.story[group] ?? "", default: Tally()].flaps += 1
                self.faults.append(
                    "flap: \(names.users[user] ?? "") at \(record.at.milliseconds), \(self.story[group] ?? "")"
                )
            }
            self.lastStep[user] = record.at
        }
    }

    func alert(_ alert: NumberedNotification, names: IdentityNames) {
        let at = alert.content.at
        let variant = alert.content.payload["variant"]?.text ?? ""
        let (group, user) = (alert.content.group.flatMap { names.groups[$0] } ?? "", names.users[alert.user] ?? "")
        let match = self.open.firstIndex { expected in
            expected.group == group && expected.user == user && expected.variant.rawValue == variant
                && expected.from - 30_000 <= at && at <= expected.until
        }
        guard let match else {
            self.tallies[self.story[group] ?? "", default: Tally()].unfounded += 1
            let what = "\(variant) to \(user) at \(at.milliseconds)"
            self.faults.append("unfounded: \(what), \(self.story[group] ?? "")")
            return
        }
        let expected = self.open.remove(at: match)
        self.tallies[expected.story, default: Tally()].met += 1
        self.tallies[expected.story, default: Tally()].delays.append(Double(at - expected.from) / 1000)
    }

    private func close(before moment: Timestamp) {
        for expected in self.open where expected.until < moment {
            let what = "\(expected.variant.rawValue) to \(expected.user) from \(expected.from.milliseconds)"
            self.faults.append("missed: \(what), \(expected.story)")
        }
        self.open.removeAll { $0.until < moment }
    }
}

@available(*, unavailable)
extension ScenarioScore: Sendable {}
