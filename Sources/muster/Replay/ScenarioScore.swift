import MusterCore
import MusterWire

/// Compares what a replay decided with what really happened.
final class ScenarioScore: ReplayOutput {
    /// What is counted, for one story or for all.
    struct Tally {
        var days = 0
        var personDays = 0
        /// Alerts that the plot asks for.
        var expected = 0
        /// Of those, the ones that came in time.
        var met = 0
        /// Alerts that the plot does not ask for.
        var unfounded = 0
        /// Times that somebody was in and out again, or out and in again, within ten minutes.
        var flaps = 0
        /// Seconds from the first moment at which an alert was due to when it was decided.
        var delays: [Double] = []

        /// The share of alerts that were asked for; nil where none was to come, or none came.
        var precision: Double? {
            self.expected == 0 || self.met + self.unfounded == 0
                ? nil : Double(self.met) / Double(self.met + self.unfounded)
        }
        /// The share of what was asked for that came; nil where nothing was.
        var recall: Double? { self.expected == 0 ? nil : Double(self.met) / Double(self.expected) }
        /// Flaps a person and day.
        var flapsPerPersonDay: Double { self.personDays == 0 ? 0 : Double(self.flaps) / Double(self.personDays) }

        /// The delay below which a share of them lies; nil for none.
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

    /// How soon a step back makes a flap, in milliseconds.
    private static let flapTime: Int64 = 600_000

    /// What was counted for each story.
    private(set) var tallies: [String: Tally] = [:]
    /// Each alert that was not asked for and each that did not come, for people to look into.
    private(set) var faults: [String] = []

    private var story: [String: String] = [:]
    private var open: [Expectation] = []
    private var together: [String: [UserID]] = [:]
    private var lastStep: [UserID: Timestamp] = [:]

    /// All stories together.
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

    /// Takes note of what really happens.
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

    /// Counts as missed whatever has not come.
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
