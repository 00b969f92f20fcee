import EventLoop
import MusterCore
import MusterServer
import Scenario
import WebSocketGateway

// Each group has a location of its own. Of ten members, six are within reach of each other, and the others are up to
// some kilometres away, as in `GatheringCrowd`. A moving user moves by a few metres and reports it, like a phone.

/// A world with users that have a session and a position each, some of which move in every tick.
struct TickCrowd {
    /// The interval between two ticks in milliseconds, as in a server.
    static let interval: Int64 = 1000

    /// The result of one tick.
    struct TickResult {
        /// The number of encoded changes of rosters.
        var changes = 0
        /// The size of the encoded parts in bytes.
        var bytes = 0
        /// The number of records for the journal.
        var records = 0
        /// The end time of each part.
        var received: Int64 = 0
        var ticked: Int64 = 0
        var published: Int64 = 0
    }

    /// The interval in which the users arrive, in milliseconds: otherwise all silent users would become stale at the
    /// same time.
    private static let arrivals: Int64 = 300_000

    private let groupSize: Int
    private var world: World
    private var now = Timestamp(milliseconds: 1_750_000_000_000)
    private var random: SeededGenerator
    private var places: [Coordinate] = []
    private var sequences: [Int64] = []
    private var effects: [WorldEffect] = []
    private var scratch: [UInt8] = []
    private var lastRecord: Int64 = 0

    /// Adds `groups` groups of `size` users, each with one report.
    init(groups: Int, size: Int, seed: UInt64) {
        self.groupSize = size
        self.random = SeededGenerator(seed: seed)
        self.world = World(configuration: WorldConfiguration(startedAt: self.now - 3_600_000))
        self.places.reserveCapacity(groups * size)
        self.sequences = Array(repeating: 0, count: groups * size)
        let start = self.now
        for group in 0..<groups {
            self.now = start + Self.arrivals * Int64(group) / Int64(groups)
            self.admit(group)
        }
    }

    /// The number of users.
    var count: Int { self.places.count }

    /// Moves `count` random users by a few metres each, and returns their reports.
    mutating func moves(_ count: Int) -> [WorldInput] {
        (0..<count).map { _ in
            let person = Int.random(in: self.places.indices, using: &self.random)
            self.places[person].latitude += Double.random(in: -2e-5...2e-5, using: &self.random)
            self.places[person].longitude += Double.random(in: -2e-5...2e-5, using: &self.random)
            return self.report(of: person, at: self.now + Self.interval)
        }
    }

    /// Runs one tick as the server does: applies the inputs, ticks, and encodes the changes for publication.
    ///
    /// - Parameters:
    ///   - inputs: the reports; empty for a second without reports.
    ///   - clock: times each part.
    /// - Returns: the result.
    mutating func tick(moving inputs: [WorldInput], timedBy clock: MonotonicClock) -> TickResult {
        self.now = self.now + Self.interval
        for input in inputs { self.world.apply(input, at: self.now, into: &self.effects) }
        let received = clock.nanoseconds
        self.world.tick(at: self.now, into: &self.effects)
        let ticked = clock.nanoseconds
        self.world.endIteration(into: &self.effects)
        var iteration = self.execute()
        (iteration.received, iteration.ticked, iteration.published) = (received, ticked, clock.nanoseconds)
        return iteration
    }

    /// Confirms the commit of all records, as the journal does; the world then acknowledges the reports.
    mutating func commit() {
        self.world.apply(.committed(through: self.lastRecord, failed: []), at: self.now, into: &self.effects)
        self.world.endIteration(into: &self.effects)
        _ = self.execute()
    }

    private mutating func execute() -> TickResult {
        var iteration = TickResult()
        for effect in self.effects {
            switch effect {
            case .rosterChanged(let change):
                let encoded = RosterTopic.change(change, scratch: &self.scratch)
                iteration.changes += 1
                for entry in encoded.entries {
                    iteration.bytes += (entry.stable?.count ?? 0) + (entry.volatile?.count ?? 0)
                }
            case .journal(let number, _):
                self.lastRecord = number
                iteration.records += 1
            case .welcome, .answer, .refused, .acknowledged, .reportRefused, .badFix, .resend, .selfMoved, .locate,
                .publish, .publishNear, .notify, .ask, .close, .rosterShown, .subscribe, .unsubscribe, .leftGroup,
                .rosterClosed, .glance, .clusters, .events, .chat, .phoneApps, .groupViewed, .trouble:
                break
            }
        }
        self.effects.removeAll(keepingCapacity: true)
        return iteration
    }

    private mutating func admit(_ group: Int) {
        let people = group * self.groupSize..<(group + 1) * self.groupSize
        let id = GroupID(Int64(group + 1))
        let snapshot = GroupSnapshot(
            id: id,
            revision: 1,
            name: "Group \(group)",
            members: people.map { GroupSnapshot.Member(user: Self.profile($0), joinedAt: self.now - 3_600_000) }
        )
        let middle = Coordinate(
            latitude: Double.random(in: 46...49, using: &self.random),
            longitude: Double.random(in: 10...17, using: &self.random)
        )
        for person in people {
            let arrival = Arrival(
                user: Self.profile(person),
                device: DeviceID(Int64(person + 1)),
                kind: .phone,
                groups: [id]
            )
            let opening = SessionOpening(
                session: Self.session(person),
                arrival: arrival,
                login: LoginID(Int64(person + 1)),
                expiresAt: self.now + 30 * 86_400_000
            )
            self.world.apply(.sessionOpened(opening), at: self.now, into: &self.effects)
            let reach = (person - people.lowerBound) * 10 < self.groupSize * 6 ? 3e-4 : 5e-2
            self.places.append(
                Coordinate(
                    latitude: middle.latitude + Double.random(in: -reach...reach, using: &self.random),
                    longitude: middle.longitude + Double.random(in: -reach...reach, using: &self.random)
                )
            )
        }
        self.world.apply(.groupLoaded(snapshot), at: self.now, into: &self.effects)
        self.world.endIteration(into: &self.effects)
        for person in people {
            let report = self.report(of: person, at: self.now)
            self.world.apply(report, at: self.now, into: &self.effects)
        }
        self.world.endIteration(into: &self.effects)
        _ = self.execute()
        self.commit()
    }

    private mutating func report(of person: Int, at moment: Timestamp) -> WorldInput {
        self.sequences[person] += 1
        let fix = Fix(
            sequence: self.sequences[person],
            at: moment,
            coordinate: self.places[person],
            accuracy: 8,
            speed: 1.4,
            course: 270,
            battery: 0.81,
            trigger: .move
        )
        return .fixReceived(Self.session(person), fix)
    }

    private static func profile(_ person: Int) -> UserProfile {
        UserProfile(id: UserID(Int64(person + 1)), name: "Person \(person)")
    }

    private static func session(_ person: Int) -> SessionID { SessionID(Int64(person + 1)) }
}
