import MusterCore

// Each group has a place of its own. Of ten members six stand about it, in reach of each other, one walks by at a few hundred
// metres, and the rest are kilometres away. All of them move a few metres each tick, which is a fix of everybody's.

/// Many groups, all of whose members move once a tick.
struct GatheringCrowd {
    /// Milliseconds between two ticks: a fix of everybody's every ten seconds.
    private static let step: Int64 = 10_000

    private let size: Int
    private var machines: [GatheringMachine]
    private var places: [Coordinate] = []
    private var identifiers = IdentifierGenerator(node: 1)
    private var random: SeededGenerator
    private var now = Timestamp(milliseconds: 1_732_060_800_000)
    private var sequence: Int64 = 0

    /// Places so many groups.
    init(groups: Int, size: Int, centre: Coordinate, seed: UInt64) {
        self.size = size
        self.random = SeededGenerator(seed: seed)
        self.machines = []
        self.machines.reserveCapacity(groups)
        self.places.reserveCapacity(groups * size)
        for group in 0..<groups {
            let members = (0..<size).map {
                GatheringMachine.Member(user: Self.user(group * size + $0), isSharingLive: true)
            }
            // With the shortest dwell the machines are busy with a gathering from the third tick on.
            self.machines.append(GatheringMachine(settings: GroupSettings(dwell: 10), members: members, at: self.now))
            let middle = centre.moved(
                east: Double.random(in: -100_000...100_000, using: &self.random),
                north: Double.random(in: -100_000...100_000, using: &self.random)
            )
            for member in 0..<size {
                let reach = member * 10 < size * 6 ? 30.0 : member * 10 < size * 7 ? 300 : 5_000
                self.places.append(
                    middle.moved(
                        east: Double.random(in: -reach...reach, using: &self.random),
                        north: Double.random(in: -reach...reach, using: &self.random)
                    )
                )
            }
        }
    }

    /// How many members there are.
    var memberCount: Int { self.places.count }

    /// How many groups have a gathering.
    var gatheredCount: Int { self.machines.count { $0.status != nil } }

    /// Where a member is.
    func place(of member: Int) -> Coordinate { self.places[member] }

    /// Lets everybody move and report, and every group decide.
    mutating func tick() {
        self.now = self.now + Self.step
        self.sequence += 1
        for group in self.machines.indices {
            for member in group * self.size..<(group + 1) * self.size {
                self.places[member].latitude += Double.random(in: -2e-5...2e-5, using: &self.random)
                self.places[member].longitude += Double.random(in: -2e-5...2e-5, using: &self.random)
                let observation = GatheringObservation(
                    device: DeviceID(Int64(member + 1)),
                    sequence: self.sequence,
                    at: self.now - GatheringMachine.lag,
                    coordinate: self.places[member],
                    accuracy: 8,
                    isStationary: false
                )
                self.machines[group].observe(
                    Self.user(member),
                    observation,
                    receivedAt: self.now - GatheringMachine.lag
                )
            }
            _ = self.machines[group].evaluate(at: self.now, identifiers: &self.identifiers)
        }
    }

    private static func user(_ index: Int) -> UserID { UserID(Int64(index + 1)) }
}
