import MusterCore
import MusterWire

/// Makes traces of groups whose days are known: the same seed gives the same lines.
struct ScenarioGenerator {
    /// Days that a group lives before the next one begins.
    private static let daysPerGroup = 10
    /// 2024-11-20T00:00:00Z.
    private static let epoch: Int64 = 1_732_060_800_000
    private static let day: Int64 = 86_400_000

    /// How many days of a group to make.
    let days: Int
    /// How many people each group has.
    let people: Int

    private var random: SeededGenerator
    private var made = 0
    private var phones: [ScenarioPhone] = []
    private var town: ScenarioTown
    private var stories: [ScenarioStory] = []

    /// Prepares to make a trace.
    init(days: Int, people: Int, seed: UInt64) {
        self.days = days
        self.people = people
        self.random = SeededGenerator(seed: seed)
        self.town = ScenarioTown(people: people, random: &self.random)
    }

    /// The lines of the next day, in the order in which they arrive; nil behind the last.
    mutating func nextDay() -> [TraceLine]? {
        guard self.made < self.days else { return nil }
        let settings = GroupSettings()
        let group = "g\(self.made / Self.daysPerGroup + 1)"
        let begin = Self.epoch + Int64(self.made) * Self.day
        var lines: [TraceLine] = []
        if self.made.isMultiple(of: Self.daysPerGroup) {
            self.settle(group)
            let line = TraceLine.Group(id: group, members: self.phones.map(\.user), settings: GroupSettingsPatch())
            lines.append(.group(line))
        }
        self.made += 1
        if self.stories.isEmpty { self.stories = ScenarioStory.allCases.shuffled(using: &self.random) }
        let plot = ScenarioDay(
            self.stories.removeLast(),
            in: self.town,
            dwell: Double(settings.dwell),
            radius: settings.radius,
            random: &self.random
        )
        lines += self.truth(of: plot, group: group, begin: begin)
        lines += self.arrivals(of: plot, begin: begin).map(\.line)
        return lines
    }

    private mutating func settle(_ group: String) {
        self.town = ScenarioTown(people: self.people, random: &self.random)
        self.phones = (1...self.people).map { ScenarioPhone(user: "\(group)p\($0)", random: &self.random) }
    }

    private func truth(of plot: ScenarioDay, group: String, begin: Int64) -> [TraceLine] {
        func moment(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: begin + Int64(seconds * 1000)) }
        let day = TraceTruth.day(group: group, begin: moment(0), story: plot.story.rawValue, people: self.people)
        let left = plot.left.map { left in
            TraceTruth.left(
                group: group,
                user: self.phones[left.person].user,
                left.variant,
                from: moment(left.from),
                until: moment(left.until)
            )
        }
        return ([day] + left).map(TraceLine.truth)
    }

    private mutating func arrivals(of plot: ScenarioDay, begin: Int64) -> [ScenarioPhone.Arrival] {
        var arrivals: [ScenarioPhone.Arrival] = []
        for person in 0..<self.people {
            self.phones[person].report(
                plot.journeys[person],
                from: begin,
                plot.troubles[person],
                random: &self.random,
                into: &arrivals
            )
        }
        if let pause = plot.pauses {
            for (at, mode) in [(pause.from, Sharing.Mode.paused), (86_390, .live)] {
                let moment = Timestamp(milliseconds: begin + Int64(at * 1000))
                let choice = TraceLine.Choice(
                    user: self.phones[pause.person].user,
                    at: moment,
                    receivedAt: moment,
                    mode: mode
                )
                arrivals.append(ScenarioPhone.Arrival(at: moment.milliseconds, line: .sharing(choice)))
            }
        }
        // Stable, so that the same seed gives the same lines.
        return arrivals.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }
}
