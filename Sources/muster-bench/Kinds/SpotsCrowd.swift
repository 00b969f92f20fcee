import EventLoop
import MusterCore
import MusterServer
import MusterWire
import Scenario

/// A world with users in towns, who are subscribed to nearby spots and move by a few metres per fix.
struct SpotsCrowd {
    /// The result of one new spot.
    struct Push {
        /// The number of notified sessions.
        var frames = 0
        /// The size of their frames in bytes.
        var bytes = 0
    }

    /// The same searches by an index and by a scan.
    struct Searches {
        var moveNanoseconds = 0.0
        var findNanoseconds = 0.0
        var scanNanoseconds = 0.0
        /// The number of searches with different results.
        var wrong = 0
        /// The duration of all searches.
        var seconds = 0.0
    }

    /// The number of users of a town, which is some 20 km across.
    private static let townSize = 500
    private static let searches = 300
    private static let moves = 200_000

    private let radius: Double
    private var world: World
    private var now = Timestamp(milliseconds: 1_750_000_000_000)
    private var random: SeededGenerator
    private var places: [Coordinate] = []
    private var sequences: [Int64]
    private var effects: [WorldEffect] = []
    private var lastRecord: Int64 = 0
    private var lastSpot: Int64 = 0

    /// Connects `people` users, each with one report and a subscription to spots within `radius` metres.
    init(people: Int, radius: Double, seed: UInt64) {
        self.radius = radius
        self.random = SeededGenerator(seed: seed)
        self.world = World(configuration: WorldConfiguration(startedAt: self.now - 3_600_000))
        self.sequences = Array(repeating: 0, count: people)
        self.places.reserveCapacity(people)
        var town = Coordinate(latitude: 0, longitude: 0)
        for person in 0..<people {
            if person.isMultiple(of: Self.townSize) {
                town = Coordinate(
                    latitude: .random(in: 46...49, using: &self.random),
                    longitude: .random(in: 10...17, using: &self.random)
                )
            }
            self.places.append(self.draw(near: town, 0.1))
            self.admit(person)
        }
    }

    /// Moves random users, and confirms the commit of their fixes.
    mutating func move(_ count: Int) {
        guard count > 0 else { return }
        self.now = self.now + 1
        for _ in 0..<count {
            let person = Int.random(in: self.places.indices, using: &self.random)
            self.places[person] = self.draw(near: self.places[person], 2e-5)
            self.world.apply(self.report(of: person), at: self.now, into: &self.effects)
        }
        self.finish()
    }

    /// Advances the time by a second.
    mutating func tick() {
        self.now = self.now + 1_000
        self.world.tick(at: self.now, into: &self.effects)
        self.finish()
    }

    /// Adds a spot near a random user, and encodes the frames of the notified sessions.
    mutating func addSpot() -> Push {
        self.lastSpot += 1
        let place = self.draw(near: self.places[Int.random(in: self.places.indices, using: &self.random)], 0.02)
        let spot = Spot(
            id: SpotID(self.lastSpot),
            coordinate: place,
            comment: "Blue Bottle\nThe table by the window, when the sun is out; ask for the day's cake.",
            category: "café",
            author: UserProfile(id: UserID(.max), name: "Somebody"),
            at: self.now
        )
        let message = LiveMessage.newSpot(spot.id, frame: SpotSnapshot(spot).frame)
        let publication = Publication(to: .area(.spots, at: place, except: spot.author.id), .live(message))
        self.world.apply(.publicationRequested(publication), at: self.now, into: &self.effects)
        var push = Push()
        for case .publishNear(let sessions, let message) in self.effects {
            let frame = ServerFrame.live(message).encoded
            for near in sessions {
                push.frames += 1
                push.bytes += frame.withDistance(near.distance).count
            }
        }
        self.finish()
        return push
    }

    /// Compares an index of its own with a scan over all users, and times moves in that index.
    mutating func compareSearches(clock: MonotonicClock) -> Searches {
        let start = clock.nanoseconds
        var searches = Searches()
        var index = AreaIndex()
        for person in self.places.indices {
            let area = Area.around(Self.user(person), radius: self.radius)
            index.insert(AreaInterest(Self.session(person), .spots), area, at: self.places[person])
        }
        let moves = (0..<Self.moves).map { _ in
            let person = Int.random(in: self.places.indices, using: &self.random)
            self.places[person] = self.draw(near: self.places[person], 2e-5)
            return (Self.user(person), self.places[person])
        }
        var before = ProcessUsage.threadNanoseconds
        for (user, place) in moves { index.move(user, to: place) }
        searches.moveNanoseconds = Double(ProcessUsage.threadNanoseconds - before) / Double(Self.moves)
        let points = (0..<Self.searches).map { _ in
            self.draw(near: self.places[Int.random(in: self.places.indices, using: &self.random)], 0.02)
        }
        before = ProcessUsage.threadNanoseconds
        let found = points.map { index.hits(at: $0, of: .spots).map { hit in (hit.interest.session, hit.distance) } }
        searches.findNanoseconds = Double(ProcessUsage.threadNanoseconds - before) / Double(points.count)
        before = ProcessUsage.threadNanoseconds
        let scanned = points.map { point in
            self.places.indices.compactMap { person -> (SessionID, Double?)? in
                guard self.places[person].isWithin(self.radius, of: point) else { return nil }
                return (Self.session(person), self.places[person].distance(to: point))
            }
        }
        searches.scanNanoseconds = Double(ProcessUsage.threadNanoseconds - before) / Double(points.count)
        for (one, other) in zip(found, scanned) where Set(one.map(\.0)) != Set(other.map(\.0)) { searches.wrong += 1 }
        searches.seconds = Double(clock.nanoseconds - start) / 1e9
        return searches
    }

    // MARK: People

    private mutating func admit(_ person: Int) {
        let arrival = Arrival(
            user: UserProfile(id: Self.user(person), name: "Person \(person)"),
            device: DeviceID(Int64(person + 1)),
            kind: .phone
        )
        let opening = SessionOpening(
            session: Self.session(person),
            arrival: arrival,
            login: LoginID(Int64(person + 1)),
            expiresAt: self.now + 30 * 86_400_000
        )
        let inputs: [WorldInput] = [
            .sessionOpened(opening), self.report(of: person),
            .spots(.subscribed(Self.session(person), SpotSubscription(.nearby(radius: self.radius)))),
        ]
        for input in inputs { self.world.apply(input, at: self.now, into: &self.effects) }
        self.finish()
    }

    /// Ends a tick, and confirms the commit of its records.
    private mutating func finish() {
        self.world.endIteration(into: &self.effects)
        for case .journal(let number, _) in self.effects { self.lastRecord = number }
        self.effects.removeAll(keepingCapacity: true)
        self.world.apply(.committed(through: self.lastRecord), at: self.now, into: &self.effects)
        self.world.endIteration(into: &self.effects)
        self.effects.removeAll(keepingCapacity: true)
    }

    private mutating func report(of person: Int) -> WorldInput {
        self.sequences[person] += 1
        let fix = Fix(
            sequence: self.sequences[person],
            at: self.now,
            coordinate: self.places[person],
            accuracy: 8,
            trigger: .move
        )
        return .fixReceived(Self.session(person), fix)
    }

    private mutating func draw(near place: Coordinate, _ degrees: Double) -> Coordinate {
        Coordinate(
            latitude: place.latitude + .random(in: -degrees...degrees, using: &self.random),
            longitude: place.longitude + .random(in: -degrees...degrees, using: &self.random)
        )
    }

    private static func user(_ person: Int) -> UserID { UserID(Int64(person + 1)) }

    private static func session(_ person: Int) -> SessionID { SessionID(Int64(person + 1)) }
}
