import MusterCore
import MusterServer
import MusterWire

/// Users with logins, in groups of equal size, in a real directory.
struct BenchPopulation: Sendable {
    /// A user with a token.
    struct Person: Sendable {
        let user: UserID
        let token: String
    }

    /// The number of accounts or groups that are created concurrently; the pool has eight connections.
    private static let width = 16

    /// All users; user `p` is in group `p / groupSize`.
    let people: [Person]
    /// The groups.
    let groups: [GroupID]
    /// The number of members of each group.
    let groupSize: Int

    /// Creates `count` accounts in groups of `groupSize`, which divides `count`; 0 for no groups.
    static func make(
        _ count: Int,
        groupSize: Int,
        settings: GroupSettingsPatch = GroupSettingsPatch(),
        in directory: Directory,
        _ context: BenchContext
    ) async throws -> BenchPopulation {
        let people = try await self.make(count, "accounts", context) { index in
            let name = "bench-\(index)"
            let credentials = try await directory.signUp(username: name, password: "correct horse", name: name)
            return Person(user: credentials.user.id, token: credentials.token)
        }
        let groups = try await self.make(groupSize > 0 ? count / groupSize : 0, "groups", context) { index in
            let members = people[index * groupSize..<(index + 1) * groupSize]
            let owner = people[index * groupSize].user
            let group = try await directory.createGroup(name: "bench-\(index)", settings: settings, by: owner)
            let invite = try await directory.createInvite(to: group.id, by: owner)
            for member in members.dropFirst() { _ = try await directory.join(code: invite.code, user: member.user) }
            return group.id
        }
        return BenchPopulation(people: people, groups: groups, groupSize: groupSize)
    }

    /// Creates `count` things, several concurrently, and returns them in order.
    private static func make<Thing: Sendable>(
        _ count: Int,
        _ what: String,
        _ context: BenchContext,
        _ make: @escaping @Sendable (Int) async throws -> Thing
    ) async throws -> [Thing] {
        try await withThrowingTaskGroup(of: (Int, Thing).self) { tasks in
            var things = [Thing?](repeating: nil, count: count)
            var next = 0
            var done = 0
            while done < count {
                while next < count, next - done < self.width {
                    let index = next
                    tasks.addTask { (index, try await make(index)) }
                    next += 1
                }
                guard let (index, thing) = try await tasks.next() else { break }
                things[index] = thing
                done += 1
                if done.isMultiple(of: 100) { context.progress.show("making \(what)", done, of: count) }
                try context.checkStop()
            }
            return things.compactMap(\.self)
        }
    }
}
