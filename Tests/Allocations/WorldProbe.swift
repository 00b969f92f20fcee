import AllocationCounter
import MusterCore

/// The memory of the world alone, without gateway and journal.
enum WorldProbe {
    private static let groups: Int64 = 200
    private static let groupSize: Int64 = 10

    /// Bytes for each member with one session and a position.
    static func bytesPerMember() -> Double {
        let start = Timestamp(milliseconds: 1_750_000_000_000)
        let before = allocation_counts_of_this_thread().live_bytes
        var world = World(configuration: WorldConfiguration(startedAt: start))
        let now = start + 3_600_000
        for group in 1...Self.groups { Self.fill(group, of: &world, at: now) }
        let held = allocation_counts_of_this_thread().live_bytes - before
        let people = Self.groups * Self.groupSize
        precondition(Int64(world.counters.sessions) == people, "the world did not let everybody in")
        return Double(held) / Double(people)
    }

    private static func fill(_ group: Int64, of world: inout World, at now: Timestamp) {
        var effects: [WorldEffect] = []
        let people = (1...Self.groupSize).map { group * Self.groupSize + $0 }
        let snapshot = GroupSnapshot(
            id: GroupID(group),
            revision: 1,
            name: "group \(group)",
            members: people.map { GroupSnapshot.Member(user: Self.profile($0), joinedAt: now) }
        )
        world.apply(.groupChanged(snapshot, answer: nil), at: now, into: &effects)
        for person in people {
            let opening = SessionOpening(
                session: SessionID(person),
                arrival: Arrival(
                    user: Self.profile(person),
                    device: DeviceID(person),
                    kind: .phone,
                    groups: [GroupID(group)]
                ),
                login: LoginID(person)
            )
            world.apply(.sessionOpened(opening), at: now, into: &effects)
        }
        world.apply(.groupLoaded(snapshot), at: now, into: &effects)
        world.endIteration(into: &effects)
        for person in people {
            let fix = Fix(
                sequence: 1,
                at: now,
                coordinate: Coordinate(latitude: 50 + Double(person) / 100, longitude: 8),
                accuracy: 8
            )
            world.apply(
                .fixesReceived(FixReport(origin: .session(SessionID(person)), fixes: [fix])),
                at: now,
                into: &effects
            )
        }
        world.endIteration(into: &effects)
        var last: Int64 = 0
        for case .journal(let number, _) in effects { last = number }
        world.apply(.committed(through: last, failed: []), at: now, into: &effects)
        world.endIteration(into: &effects)
    }

    private static func profile(_ person: Int64) -> UserProfile {
        UserProfile(id: UserID(person), name: "person-\(person)")
    }
}
