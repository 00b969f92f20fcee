import MusterCore
import Scenario

// Each group has a location of its own. Of ten members, six sit within reach of each other; two sit at home, kilometres
// away; one drives at 12 m/s. One strolls to and fro at 1.4 m/s: in every tenth group through the sitting members, in
// the others at a distance of 400 m. Each phone reports every 10 s, at its own phase, with the error of real fixes:
// some 4 m with a slow drift, and accuracies of 5 to 12 m.
//
// A round is generated in memory before the measurement, so that only the work of the machines is timed.

/// Many groups whose members all move once per round.
struct GatheringCrowd {
    /// The time between two rounds in milliseconds.
    private static let step: Int64 = 10_000

    /// The constant behaviour of a member.
    private enum Habit {
        case sits
        case strolls
        case drives
    }

    private struct Person {
        let habit: Habit
        let place: Coordinate
        /// The offset of the member's reports in a round, in milliseconds.
        let phase: Int64
        /// The starting point as a fraction of the path.
        let start: Double
        var scatter = (east: 0.0, north: 0.0)
    }

    /// A fix as it arrives.
    private struct Report {
        var taken: Timestamp
        var coordinate: Coordinate
        var accuracy: Float
        var member: UInt8
        var isStationary: Bool
    }

    /// The transmission delay of a fix in milliseconds.
    private static let delay: Int64 = 300

    private let size: Int
    /// The members of each group that move and report, by their indices.
    private(set) var movers: Range<Int>
    private var machines: [GatheringMachine]
    private var people: [Person] = []
    private var round: [Report] = []
    private var identifiers = IdentifierGenerator(node: 1)
    private var random: SeededGenerator
    private var now = Timestamp(milliseconds: 1_732_060_800_000)
    private var sequence: Int64 = 0
    /// The number of events from the machines so far.
    private(set) var eventCount = 0

    /// Creates the given number of groups.
    init(groups: Int, size: Int, centre: Coordinate, seed: UInt64) {
        self.size = size
        self.movers = 0..<size
        self.random = SeededGenerator(seed: seed)
        self.machines = []
        self.machines.reserveCapacity(groups)
        self.people.reserveCapacity(groups * size)
        for group in 0..<groups {
            let members = (0..<size).map {
                GatheringMachine.Member(user: Self.user(group * size + $0), isSharingLive: true)
            }
            // With the shortest dwell, gatherings exist from the third round on.
            self.machines.append(GatheringMachine(settings: GroupSettings(dwell: 10), members: members, at: self.now))
            let middle = centre.moved(
                east: Double.random(in: -100_000...100_000, using: &self.random),
                north: Double.random(in: -100_000...100_000, using: &self.random)
            )
            for member in 0..<size { self.people.append(self.person(member, of: group, around: middle)) }
        }
    }

    private mutating func person(_ member: Int, of group: Int, around middle: Coordinate) -> Person {
        let share = Double(member) / Double(size)
        let habit: Habit = share < 0.6 ? .sits : share < 0.7 ? .strolls : share < 0.9 ? .sits : .drives
        let reach = share < 0.6 ? 30.0 : habit == .strolls ? 0 : 5_000
        let apart = habit == .strolls && !group.isMultiple(of: 10) ? 400.0 : 0
        return Person(
            habit: habit,
            place: middle.moved(
                east: Double.random(in: -reach...reach, using: &self.random),
                north: apart + Double.random(in: -reach...reach, using: &self.random)
            ),
            phase: Int64.random(in: 0..<Self.step, using: &self.random),
            start: Double.random(in: 0..<1, using: &self.random)
        )
    }

    /// The number of members of all groups.
    var memberCount: Int { self.people.count }

    /// The number of groups with a gathering.
    var gatheredCount: Int { self.machines.count { $0.status != nil } }

    /// The positions of a group's members, in the order of their reports.
    func places(ofGroup group: Int) -> [Coordinate] {
        self.reports(ofGroup: group).map(\.coordinate)
    }

    private func reports(ofGroup group: Int) -> ArraySlice<Report> {
        self.round[group * self.movers.count..<(group + 1) * self.movers.count]
    }

    /// Stops all members except one strolling member of each group.
    mutating func stopAllButOne() {
        let one = self.people[..<self.size].firstIndex { $0.habit == .strolls } ?? 0
        self.movers = one..<one + 1
    }

    /// Moves all members and generates their reports.
    mutating func move() {
        self.sequence += 1
        self.round.removeAll(keepingCapacity: true)
        for group in self.machines.indices {
            for member in self.movers {
                self.round.append(self.report(of: group * self.size + member, member: member))
            }
            self.round[(group * self.movers.count)...].sort { $0.taken < $1.taken }
        }
        self.now = self.now + Self.step
    }

    private mutating func report(of index: Int, member: Int) -> Report {
        self.people[index].scatter.east = self.drifted(self.people[index].scatter.east)
        self.people[index].scatter.north = self.drifted(self.people[index].scatter.north)
        let person = self.people[index]
        let seconds = Double(self.sequence * Self.step) / 1000
        var (east, north) = person.scatter
        switch person.habit {
        case .sits: break
        case .strolls:
            // To and fro on a street of 1.6 km.
            let way = (person.start * 3200 + seconds * 1.4).truncatingRemainder(dividingBy: 3200)
            east += min(way, 3200 - way) - 800
        case .drives:
            // Around a square of 2 km.
            let way = (person.start * 8000 + seconds * 12).truncatingRemainder(dividingBy: 8000)
            east += min(max(way, 0), 2000) - min(max(way - 4000, 0), 2000)
            north += min(max(way - 2000, 0), 2000) - min(max(way - 6000, 0), 2000)
        }
        return Report(
            taken: self.now + person.phase,
            coordinate: person.place.moved(east: east, north: north),
            accuracy: Float(Int.random(in: 5...12, using: &self.random)),
            member: UInt8(member),
            isStationary: person.habit == .sits
        )
    }

    /// The next error of a fix: 4 m, with a strong correlation with the previous one.
    private mutating func drifted(_ error: Double) -> Double {
        // The sum of three uniform numbers approximates a normal distribution.
        let fresh = (0..<3).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &self.random) }
        return 0.8 * error + 0.6 * 4 * fresh
    }

    /// Passes the round's fixes to all groups, where they wait for the tick.
    ///
    /// This is the measured part and does nothing else.
    mutating func receiveFixes() {
        let (size, movers, sequence) = (self.size, self.movers.count, self.sequence)
        let round = self.round
        self.machines.withUnsafeMutableBufferPointer { machines in
            for group in machines.indices {
                for place in group * movers..<(group + 1) * movers {
                    let report = round[place]
                    let index = group * size + Int(report.member)
                    let observation = GatheringObservation(
                        device: DeviceID(Int64(index + 1)),
                        sequence: sequence,
                        at: report.taken,
                        coordinate: report.coordinate,
                        accuracy: Double(report.accuracy),
                        isStationary: report.isStationary
                    )
                    machines[group].observe(
                        Self.user(index),
                        observation,
                        receivedAt: report.taken + Self.delay,
                        expectedAt: Int(report.member)
                    )
                }
            }
        }
    }

    /// Evaluates all waiting fixes in all groups.
    ///
    /// This is the measured part and does nothing else.
    mutating func decide() {
        let end = self.now + (GatheringMachine.lag + Self.delay)
        var (identifiers, eventCount) = (self.identifiers, self.eventCount)
        self.machines.withUnsafeMutableBufferPointer { machines in
            for group in machines.indices {
                eventCount += machines[group].evaluate(at: end, identifiers: &identifiers).count
            }
        }
        (self.identifiers, self.eventCount) = (identifiers, eventCount)
    }

    private static func user(_ index: Int) -> UserID { UserID(Int64(index + 1)) }
}
