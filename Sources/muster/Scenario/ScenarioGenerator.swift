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
    /// How many people a group has; each another number of them.
    let people: ClosedRange<Int>

    private var random: SeededGenerator
    private var made = 0
    private var phones: [ScenarioPhone] = []
    /// A second device of each, and a tracker whose clock is an hour off, for the stories that have them.
    private var watches: [ScenarioPhone] = []
    private var trackers: [ScenarioPhone] = []
    private var town: ScenarioTown
    private var stories: [ScenarioStory] = []

    /// Prepares to make a trace.
    init(days: Int, people: ClosedRange<Int>, seed: UInt64) {
        self.days = days
        self.people = people
        self.random = SeededGenerator(seed: seed)
        self.town = ScenarioTown(people: people.lowerBound, random: &self.random)
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
        let plot = ScenarioDay(
            self.nextStory(),
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
        let people = Int.random(in: self.people, using: &self.random)
        self.town = ScenarioTown(people: people, random: &self.random)
        let names = (1...people).map { "\(group)p\($0)" }
        self.phones = names.map { ScenarioPhone(user: $0, random: &self.random) }
        self.watches = names.enumerated().map { place, name in
            ScenarioPhone(
                user: name,
                device: place.isMultiple(of: 3) ? .browser : .watch,
                skew: 0,
                random: &self.random
            )
        }
        let hour: Int64 = Bool.random(using: &self.random) ? 3_600_000 : -3_600_000
        self.trackers = names.map { ScenarioPhone(user: $0, device: .tracker, skew: hour, random: &self.random) }
    }

    /// The next story for which there are people enough; all come up equally often.
    private mutating func nextStory() -> ScenarioStory {
        let people = self.phones.count
        if let place = self.stories.lastIndex(where: { $0.leastPeople <= people }) {
            return self.stories.remove(at: place)
        }
        self.stories = ScenarioStory.allCases.shuffled(using: &self.random) + self.stories
        return self.nextStory()
    }

    private func truth(of plot: ScenarioDay, group: String, begin: Int64) -> [TraceLine] {
        func moment(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: begin + Int64(seconds * 1000)) }
        let day = TraceTruth.day(group: group, begin: moment(0), story: plot.story.rawValue, people: self.phones.count)
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
        for person in self.phones.indices {
            let (journey, troubles) = (plot.journeys[person], plot.troubles[person])
            if plot.story == .clockHour, person == self.phones.count - 1 {
                self.trackers[person].report(journey, from: begin, troubles, random: &self.random, into: &arrivals)
                continue
            }
            self.phones[person].report(journey, from: begin, troubles, random: &self.random, into: &arrivals)
            guard plot.story == .twoDevices else { continue }
            // A browser stays at home, a watch is on the wrist.
            let other = person.isMultiple(of: 3) ? Journey(home: self.town.homes[person]) : journey
            self.watches[person].report(other, from: begin, troubles, random: &self.random, into: &arrivals)
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
