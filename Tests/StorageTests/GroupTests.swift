import MusterTestSupport
import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct GroupTests {
    @Test("a new group has its owner, the settings asked for and the defaults for the rest")
    func create() async throws {
        try await Store.with { store in
            let owner = try await store.person("Owner")
            let group = try await store.directory.createGroup(
                name: "Sunday climbers",
                settings: GroupSettingsPatch(radius: 50),
                by: owner.user.id
            )
            #expect(group.revision == 1)
            #expect(group.settings == GroupSettings(radius: 50))
            #expect(group.members.map(\.user) == [owner.user])
            #expect(group.members[0].role == .owner)
            #expect(group.members[0].sharing == Sharing(mode: .live, visibleSince: store.now))
            #expect(try await store.directory.loadGroup(group.id) == group.value)
            let listed = try await store.directory.groups(of: owner.user.id)
            #expect(listed.map(\.name) == ["Sunday climbers"])
            #expect(listed.map(\.role) == [.owner])
        }
    }

    @Test(
        "settings out of range are refused by name",
        arguments: [
            (GroupSettingsPatch(radius: 19.9), "settings.radius"),
            (GroupSettingsPatch(radius: .nan), "settings.radius"),
            (GroupSettingsPatch(dwell: 3601), "settings.dwell"),
            (GroupSettingsPatch(maxAbsent: 0), "settings.maxAbsent"),
            (GroupSettingsPatch(cooldown: -1), "settings.cooldown"),
        ]
    )
    func settings(patch: GroupSettingsPatch, field: String) async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(1)
            #expect(
                await failure {
                    _ = try await store.directory.createGroup(name: "x", settings: patch, by: people[0].user.id)
                } == .badRequest(field: field)
            )
            #expect(
                await failure {
                    _ = try await store.directory.updateGroup(group.id, settings: patch, by: people[0].user.id)
                } == .badRequest(field: field)
            )
        }
    }

    @Test("nobody can be in more than a hundred groups, by making or by joining them")
    func manyGroups() async throws {
        try await Store.with { store in
            let user = try await store.person("Busy").user.id
            for number in 1...100 { _ = try await store.directory.createGroup(name: "\(number)", by: user) }
            #expect(
                await failure {
                    _ = try await store.directory.createGroup(name: "one more", by: user)
                } == .conflict
            )
            let (other, people) = try await store.group(1)
            let invite = try await store.directory.createInvite(to: other.id, by: people[0].user.id)
            #expect(
                await failure {
                    _ = try await store.directory.join(code: invite.code, user: user)
                } == .conflict
            )
            #expect(try await store.directory.groups(of: user).count == 100)
        }
    }

    @Test("what only the owner may do is forbidden to members and closed to strangers")
    func roles() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let stranger = try await store.person("Stranger").user.id
            let member = people[1].user.id
            let other = people[2].user.id
            for (user, expected) in [(member, Refusal.forbidden), (stranger, .notMember)] {
                #expect(
                    await failure {
                        _ = try await store.directory.updateGroup(group.id, name: "Mine", by: user)
                    } == expected
                )
                #expect(
                    await failure {
                        _ = try await store.directory.removeMember(other, from: group.id, by: user)
                    } == expected
                )
                #expect(
                    await failure {
                        _ = try await store.directory.deleteGroup(group.id, by: user)
                    } == expected
                )
            }
            for code in [
                await failure {
                    _ = try await store.directory.leave(group.id, user: stranger)
                },
                await failure {
                    _ = try await store.directory.createInvite(to: group.id, by: stranger)
                },
                await failure {
                    _ = try await store.directory.say(.paused, group: group.id, of: stranger)
                },
            ] {
                #expect(code == .notMember)
            }
            #expect(try await store.directory.loadGroup(group.id) == group)
        }
    }

    @Test("the owner renames, changes settings, removes a member and deletes")
    func owner() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let owner = people[0].user.id
            let renamed = try await store.directory.updateGroup(
                group.id,
                name: "Boulderers",
                settings: GroupSettingsPatch(dwell: 60, maxAbsent: 2),
                by: owner
            )
            #expect(renamed.revision == group.revision + 1)
            #expect(renamed.name == "Boulderers")
            #expect(renamed.settings == GroupSettings(dwell: 60, maxAbsent: 2))
            let smaller = try await store.directory.removeMember(people[1].user.id, from: group.id, by: owner).group
            #expect(smaller.revision == group.revision + 2)
            #expect(smaller.members.map(\.user.id) == [owner, people[2].user.id])
            #expect(
                await failure {
                    _ = try await store.directory.removeMember(people[1].user.id, from: group.id, by: owner)
                } == .notFound
            )
            let deleted = try await store.directory.deleteGroup(group.id, by: owner)
            #expect(deleted.members.isEmpty)
            #expect(deleted.revision == group.revision + 3)
            #expect(
                await failure {
                    _ = try await store.directory.loadGroup(group.id)
                } == .notFound
            )
            #expect(try await store.count("muster.invite") == 0)
        }
    }

    @Test("ownership passes to whoever joined first, and the last one out deletes the group")
    func leave() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(3)
            let after = try await store.directory.leave(group.id, user: people[0].user.id).group
            #expect(after.members.map(\.user.id) == [people[1].user.id, people[2].user.id])
            #expect(after.members.map(\.role) == [.owner, .member])
            _ = try await store.directory.leave(group.id, user: people[2].user.id)
            let empty = try await store.directory.leave(group.id, user: people[1].user.id).group
            #expect(empty.members.isEmpty)
            #expect(empty.revision == group.revision + 3)
            #expect(try await store.count("muster.grp") == 0)
        }
    }

    @Test("leaving and joining at the same time always leave one owner, or no group")
    func leaveAgainstJoin() async throws {
        try await Store.with { store in
            for _ in 0..<20 {
                let (group, people) = try await store.group(1)
                let invite = try await store.directory.createInvite(to: group.id, by: people[0].user.id)
                let newcomer = try await store.person("Newcomer").user.id
                async let left = store.directory.leave(group.id, user: people[0].user.id)
                let joined = await failure {
                    _ = try await store.directory.join(code: invite.code, user: newcomer)
                }
                let snapshot = try await left.group
                if joined == nil {
                    let now = try await store.directory.loadGroup(group.id)
                    #expect(now.members.map(\.user.id) == [newcomer])
                    #expect(now.members.map(\.role) == [.owner])
                } else {
                    #expect(joined == .notFound)
                    #expect(snapshot.members.isEmpty)
                    #expect(try await store.count("muster.grp") == 0)
                }
                if joined == nil { _ = try await store.directory.leave(group.id, user: newcomer) }
            }
        }
    }

    @Test("no storm of changes makes two snapshots of one revision or leaves a group without an owner")
    func storm() async throws {
        try await Store.with { store in
            let (group, people) = try await store.group(8)
            let invite = try await store.directory.createInvite(to: group.id, by: people[0].user.id)
            let revisions = try await withThrowingTaskGroup(of: [Int64].self) { tasks in
                // The first member stays. Otherwise all might have left at once, which deletes the group.
                for person in people.dropFirst() {
                    let user = person.user.id
                    tasks.addTask {
                        var revisions: [Int64] = []
                        for round in 0..<5 {
                            revisions.append(try await store.directory.leave(group.id, user: user).group.revision)
                            let joining = try await store.directory.join(code: invite.code, user: user)
                            revisions.append(joining.group.revision)
                            let update = try await store.directory.updateProfile(
                                of: user,
                                ProfileChange(name: "Round \(round)")
                            )
                            revisions.append(contentsOf: update.groups.map(\.revision))
                            let shared = try await store.directory.say(.approximate, of: user)
                            revisions.append(contentsOf: shared.map(\.revision))
                        }
                        return revisions
                    }
                }
                return try await tasks.reduce(into: [Int64]()) { $0.append(contentsOf: $1) }
            }
            #expect(Set(revisions).count == revisions.count)
            let final = try await store.directory.loadGroup(group.id)
            #expect(final.members.count { $0.role == .owner } == 1)
            #expect(final.members.count == 8)
            #expect(revisions.max() == final.revision)
        }
    }
}
