import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite struct AccountTests {
    @Test("signing up logs in, and the account can be read")
    func signUp() async throws {
        try await Store.with { store in
            let credentials = try await store.directory.signUp(
                username: "ada.l-1",
                password: "correct horse",
                name: "  Ada Lovelace "
            )
            #expect(credentials.user.name == "Ada Lovelace")
            #expect(credentials.expiresAt - store.now == 90 * 86_400_000)
            #expect(try await store.directory.authenticate(token: credentials.token).user == credentials.user.id)
            let account = try await store.directory.account(of: credentials.user.id)
            #expect(account == Account(username: "ada.l-1", profile: credentials.user))
        }
    }

    @Test("a username is given once")
    func conflict() async throws {
        try await Store.with { store in
            _ = try await store.directory.signUp(username: "ada", password: "correct horse", name: "Ada")
            let code = await failure {
                _ = try await store.directory.signUp(username: "ada", password: "battery staple", name: "Eve")
            }
            #expect(code == .conflict)
        }
    }

    @Test(
        "what is wrong with a sign-up is named",
        arguments: [
            ("ab", "correct horse", "Ada", "username"),
            (String(repeating: "a", count: 33), "12345678", "Ada", "username"),
            ("Ada", "correct horse", "Ada", "username"), ("ada l", "correct horse", "Ada", "username"),
            ("ada", "1234567", "Ada", "password"), ("ada", String(repeating: "x", count: 257), "Ada", "password"),
            ("ada", "correct horse", " ", "name"), ("ada", "correct horse", "A\u{0}", "name"),
            ("ada", "correct horse", String(repeating: "x", count: 81), "name"),
            ("ada", "correct horse", "\u{200B}\u{200B}", "name"), ("ada", "correct horse", "\u{3164}\u{2800}", "name"),
        ]
    )
    func invalid(username: String, password: String, name: String, field: String) async throws {
        try await Store.with { store in
            let code = await failure {
                _ = try await store.directory.signUp(username: username, password: password, name: name)
            }
            #expect(code == .badRequest(field: field))
        }
    }

    @Test("a new name reaches every group with a higher revision")
    func rename() async throws {
        try await Store.with { store in
            let (first, people) = try await store.group(2)
            let second = try await store.directory.createGroup(name: "Chess", by: people[1].user.id)
            let face = try await store.photo(of: people[1].user.id, .face)
            let update = try await store.directory.updateProfile(
                of: people[1].user.id,
                ProfileChange(name: "Grace", avatar: .replaced(face.id))
            )
            #expect(update.profile.name == "Grace")
            #expect(update.groups.map(\.id) == [first.id, second.id].sorted())
            #expect(update.groups.map(\.revision) == [first.revision + 1, second.revision + 1])
            #expect(update.groups[0].members[1].user.avatar == face.thumb)
            let removed = try await store.directory.updateProfile(
                of: people[1].user.id,
                ProfileChange(avatar: .removed)
            )
            #expect(removed.profile == UserProfile(id: people[1].user.id, name: "Grace", avatar: nil))
        }
    }

    @Test("deleting an account leaves nothing of it, and passes its groups on")
    func delete() async throws {
        try await Store.with { store in
            let (shared, people) = try await store.group(3)
            let owner = people[0].user.id
            let alone = try await store.directory.createGroup(name: "Alone", by: owner)
            let admission = try await store.directory.hello(
                token: people[0].token,
                device: Hello.Device(key: "phone", kind: .phone)
            )
            let journal = TestJournal(store)
            journal.submit([
                .fix(.sample(admission.arrival.device, owner, 1, at: store.now)),
                .position(owner, .sample(admission.arrival.device, at: store.now), .ok),
                .presence(owner, .online, lastSeen: store.now),
                .notification(.sample(1, user: owner, group: shared.id, at: store.now)),
            ])
            try await journal.finish()
            #expect(try await store.count("muster.fix") == 1)

            let changed = try await store.directory.deleteAccount(owner).groups
            #expect(Set(changed.map(\.id)) == [shared.id, alone.id])
            let left = try #require(changed.first { $0.id == shared.id })
            #expect(left.revision == shared.revision + 1)
            #expect(left.members.map(\.user.id) == [people[1].user.id, people[2].user.id])
            #expect(left.members.map(\.role) == [.owner, .member])
            #expect(changed.first { $0.id == alone.id }?.members.isEmpty == true)

            #expect(try await store.count("muster.account") == 2)
            #expect(try await store.count("muster.grp") == 1)
            for table in ["session_token", "device", "membership", "fix", "position", "presence", "notification"] {
                #expect(
                    try await store.count("muster.\(table) WHERE user_id = $1", [.int64(owner.rawValue)]) == 0,
                    "\(table)"
                )
            }
            #expect(
                await failure {
                    _ = try await store.directory.deleteAccount(owner)
                } == .notFound
            )

            // Pending journal records of the account are deleted too.
            let late = TestJournal(store)
            late.submit([
                .fix(.sample(admission.arrival.device, owner, 2, at: store.now)),
                .position(owner, .sample(admission.arrival.device, at: store.now), .ok),
                .notification(.sample(2, user: owner, group: shared.id, at: store.now)),
            ])
            try await late.finish()
            #expect(late.failed.isEmpty)
            #expect(try await store.count("muster.fix") == 0)
            #expect(try await store.count("muster.notification") == 0)
        }
    }
}
