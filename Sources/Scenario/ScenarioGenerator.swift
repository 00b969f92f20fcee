import MusterCore
package import MusterWire

/// Generates traces of groups with known plots; the same seed produces the same lines.
package struct ScenarioGenerator {
    /// The number of days of a group before the next group begins.
    private static let daysPerGroup = 10
    /// 2024-11-20T00:00:00Z.
    private static let epoch: Int64 = 1_732_060_800_000
    private static let day: Int64 = 86_400_000

    /// The number of days to generate.
    package let days: Int
    /// The range of group sizes; the size of each group is random.
    package let people: ClosedRange<Int>

    private var random: SeededGenerator
    private var made = 0
    private var phones: [ScenarioPhone] = []
    /// The second devices, and the trackers with clocks that are an hour wrong, for the stories that use them.
    private var watches: [ScenarioPhone] = []
    private var trackers: [ScenarioPhone] = []
    private var town: ScenarioPlaces
    private var stories: [ScenarioStory] = []

    /// Creates a generator.
    package init(days: Int, people: ClosedRange<Int>, seed: UInt64) {
        self.days = days
        self.people = people
        self.random = SeededGenerator(seed: seed)
        self.town = ScenarioPlaces(people: people.lowerBound, random: &self.random)
    }

    /// Returns the lines of the next day, in the order of arrival; nil after the last day.
    package mutating func nextDay() -> [TraceLine]? {
        guard self.made < self.days else { return nil }
        let settings = GroupSettings()
        let group = "g\(self.made / Self.daysPerGroup + 1)"
        let begin = Self.epoch + Int64(self.made) * Self.day
        var lines: [TraceLine] = []
        if self.made.isMultiple(of: Self.daysPerGroup) {
            self.finish(group)
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
        let (arrivals, sound) = self.arrivals(of: plot, begin: begin)
        return lines + self.truth(of: plot, group: group, begin: begin, sound: sound) + arrivals.map(\.line)
    }

    private mutating func finish(_ group: String) {
        let people = Int.random(in: self.people, using: &self.random)
        self.town = ScenarioPlaces(people: people, random: &self.random)
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
        // The clock is also inexact by up to a minute.
        let skew = hour + Int64.random(in: -60_000...60_000, using: &self.random)
        self.trackers = names.map { ScenarioPhone(user: $0, device: .tracker, skew: skew, random: &self.random) }
    }

    /// The next story with few enough required people; all stories occur equally often.
    private mutating func nextStory() -> ScenarioStory {
        let people = self.phones.count
        if let place = self.stories.lastIndex(where: { $0.leastPeople <= people }) {
            return self.stories.remove(at: place)
        }
        self.stories = ScenarioStory.allCases.shuffled(using: &self.random) + self.stories
        return self.nextStory()
    }

    /// The ground truth of a day; `sound` contains the times of each person's sound fixes, in seconds of the day.
    private func truth(of plot: ScenarioDay, group: String, begin: Int64, sound: [[Double]]) -> [TraceLine] {
        func moment(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: begin + Int64(seconds * 1000)) }
        let day = TraceTruth.day(group: group, begin: moment(0), story: plot.story.rawValue, people: self.phones.count)
        let left = plot.left.map { left in
            let known = left.wait.flatMap { wait in
                sound[left.person].filter { $0 >= wait.from }.min().map { $0 + wait.timeout }
            }
            return TraceTruth.left(
                group: group,
                user: self.phones[left.person].user,
                left.variant,
                from: moment(left.from),
                until: moment(max(left.until, known ?? left.until))
            )
        }
        return ([day] + left).map(TraceLine.truth)
    }

    /// The lines of the phones in the order of arrival, and the times of each person's sound fixes.
    private mutating func arrivals(
        of plot: ScenarioDay,
        begin: Int64
    ) -> (arrivals: [ScenarioPhone.Arrival], sound: [[Double]]) {
        var arrivals: [ScenarioPhone.Arrival] = []
        var sound: [[Double]] = []
        for person in self.phones.indices {
            let first = arrivals.count
            defer { sound.append(arrivals[first...].compactMap(\.sound)) }
            let (journey, troubles) = (plot.journeys[person], plot.troubles[person])
            if plot.story == .clockHour, person == self.phones.count - 1 {
                self.trackers[person].report(journey, from: begin, troubles, random: &self.random, into: &arrivals)
                continue
            }
            self.phones[person].report(journey, from: begin, troubles, random: &self.random, into: &arrivals)
            guard plot.story == .twoDevices else { continue }
            // A browser stays at home; a wearable moves with the person.
            let isAtHome = person.isMultiple(of: 3)
            let other = isAtHome ? Journey(home: self.town.homes[person]) : journey
            let second = arrivals.count
            self.watches[person].report(other, from: begin, troubles, random: &self.random, into: &arrivals)
            if isAtHome { for index in arrivals[second...].indices { arrivals[index].sound = nil } }
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
        // A stable order, so that the same seed produces the same lines.
        let sorted = arrivals.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        return (sorted.map(\.element), sound)
    }
}
