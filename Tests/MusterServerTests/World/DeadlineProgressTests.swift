import EventLoop
import Testing

@testable import MusterCore
@testable import WebSocketGateway

/// Each state machine with deadlines must get past each of them.
///
/// A new machine needs a row here.
///
/// Rooms have no deadlines: they wait for the pauses of `ChatNotifier` and `ReadReceipts`, which always end.
@Suite("Progress past deadlines")
struct DeadlineProgressTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)
    private static let past = Self.now - 5_000

    /// The guard of a release build, with a deadline that no step clears.
    private static let rehearsal = DeadlineProgress(.postpone, rehearsing: Self.past)

    /// A state machine, and its next deadline after it has handled one in the past.
    struct Machine: Sendable, CustomTestStringConvertible {
        var name: String
        var next: @Sendable () -> Int64
        var testDescription: String { self.name }
    }

    static let machines: [Machine] =
        [
            Machine(name: "gatherings") {
                let member = GatheringMachine.Member(user: UserID(1), isSharingLive: true)
                var machine = GatheringMachine(settings: GroupSettings(), members: [member], at: Self.now)
                machine.progress = Self.rehearsal
                var identifiers = IdentifierGenerator(node: 0)
                machine.observe(UserID(1), Self.observation(at: Self.now), receivedAt: Self.now)
                _ = machine.evaluate(at: Self.now + GatheringMachine.lag, identifiers: &identifiers)
                let isReported = machine.progress.takeReport() == Self.past
                let next = machine.nextDeadline.map { $0 - GatheringMachine.lag - Self.now }
                return isReported ? next ?? 0 : 0
            },
            Machine(name: "timers") {
                var wheel = TimerWheel<Int>(now: 100_000)
                var fired: [Int] = []
                wheel.schedule(1, at: 5_000)
                wheel.advance(to: 100_050, into: &fired)
                wheel.schedule(2, at: 5_000)
                wheel.advance(to: 100_050, into: &fired)
                let isOnce = fired == [1]
                wheel.advance(to: 100_100, into: &fired)
                return isOnce && fired == [1, 2] ? 50 : 0
            },
            Machine(name: "topics") {
                // A throttle interval that is over ends, and no other is pending.
                var plan = WritePlan(topicPacer: Pacer(share: 1, shortest: 0, longest: 1))
                return plan.endThrottling(at: .max / 2) == nil ? .max : 0
            },
            Machine(name: "tiles") {
                var clusters = ClusterService(.muster)
                var effects: [ClusterEffect] = []
                guard let tile = TileAddress(zoom: 0, x: 0, y: 0) else { return 0 }
                clusters.idle.append((TileLayer(kind: 1), tile, Self.past - ClusterService.tileIdle))
                clusters.tick(at: Self.now, into: &effects)
                return clusters.idle.isEmpty ? .max : 0
            },
        ]
        + Self.subjects.map { subject in
            Machine(name: subject.kindName) {
                var configuration = WorldConfiguration(startedAt: Self.now)
                configuration.progress = DeadlineProgress(.postpone)
                var world = World(configuration: configuration)
                world.deadlines.schedule(subject, at: Self.past)
                world.checkProgress(of: subject)
                guard case .trouble(.stalled(subject.kindName, _, Self.past))? = world.effects.first,
                    world.counters.stalledDeadlines == 1
                else { return 0 }
                return world.deadlines.deadline(of: subject).map { $0 - Self.now } ?? 0
            }
        }

    private static let subjects: [DeadlineQueue.Subject] = [
        .user(UserID(1)), .device(DeviceID(1)), .group(GroupID(1)), .locate(LocateID(1)), .session(SessionID(1)),
        .spot(SpotID(1)), .catchUp(SessionID(1)), .glance(SessionID(1)), .tileFeed(GroupID(1)), .event(EventID(1)),
    ]

    private static func observation(at moment: Timestamp) -> GatheringObservation {
        GatheringObservation(
            device: DeviceID(1),
            sequence: 1,
            at: moment,
            coordinate: Coordinate(latitude: 48, longitude: 11),
            accuracy: 5,
            isStationary: false
        )
    }

    @Test("after a deadline that is past comes a later one", arguments: machines)
    func progress(_ machine: Machine) { #expect(machine.next() > 0) }

    @Test("a deadline that passes is left as it is; one that does not is put off by a minute and reported once")
    func postponement() {
        var progress = DeadlineProgress(.postpone)
        #expect(progress.next(Self.now + 1, after: Self.now) == Self.now + 1)
        #expect(progress.next(.never, after: Self.now) == .never)
        #expect(progress.takeReport() == nil)
        for deadline in [Self.now, Self.past] {
            #expect(progress.next(deadline, after: Self.now) == Self.now + 60_000)
            #expect(progress.takeReport() == deadline)
            #expect(progress.takeReport() == nil)
        }
    }

    @Test("debug builds end at a deadline that does not pass")
    func trap() async {
        #expect(DeadlineProgress.Remedy.ofBuild == .trap)
        await #expect(processExitsWith: .failure) {
            let moment = Timestamp(milliseconds: 5)
            var progress = DeadlineProgress(.trap)
            _ = progress.next(moment, after: moment)
        }
    }

    @Test("a group that keeps its deadline in the past is looked at once a minute, and the others as always")
    func stuckGroup() {
        var configuration = WorldConfiguration(startedAt: Self.now)
        configuration.progress = DeadlineProgress(.postpone)
        configuration.groupIdle = -1
        var world = World(configuration: configuration)
        var effects: [WorldEffect] = []
        let user = UserProfile(id: UserID(7), name: "Ada")
        let arrival = Arrival(user: user, device: DeviceID(7), kind: .phone, groups: [GroupID(1)])
        let opening = SessionOpening(session: SessionID(1), tag: nil, arrival: arrival, login: LoginID(1))
        world.apply(.sessionOpened(opening), at: Self.now, into: &effects)
        let member = GroupSnapshot.Member(user: user, joinedAt: Self.now)
        let group = GroupSnapshot(id: GroupID(1), revision: 1, name: "Fridays", members: [member])
        world.apply(.groupLoaded(group), at: Self.now, into: &effects)
        for second in 0..<180 as Range<Int64> {
            world.tick(at: Self.now + second * 1000, into: &effects)
            world.endIteration(into: &effects)
        }
        let stalls = effects.count { if case .trouble(.stalled("group", 1, _)) = $0 { true } else { false } }
        #expect(stalls == 3)
    }
}
