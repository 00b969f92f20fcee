import EventLoop
import Foundation
import MusterCore
import MusterServer
import Postgres

/// A server in this process with a private PostgreSQL in a temporary folder, and users in groups of ten.
struct Fixture {
    /// A user who can log in.
    struct Person: Sendable {
        let user: UserID
        let token: String
    }

    /// The number of members of each group.
    static let groupSize = 10

    let server: MusterServer
    let clock: VirtualClock
    let people: [Person]

    /// Starts a server for `groups` groups while `body` runs.
    static func with<Value: Sendable>(groups: Int, _ body: (Fixture) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "muster-allocations-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ServerConfiguration()
        configuration.database = .embedded(folder: folder.appending(path: "postgres").path, .elsewhereWhenClosed)
        configuration.fixRate = 1_000_000
        configuration.fixBurst = 1_000_000
        // A second connection, opened when two requests query at once, would count as bytes of the sessions.
        configuration.poolSize = 1
        let clock = VirtualClock()
        let server = MusterServer(configuration, logger: Logger(level: .warning), clock: clock.clock)
        try await server.start()
        let result: Result<Value, any Error>
        do {
            let people = try await self.makePeople(
                groups: groups,
                database: server.databaseConnectionString,
                clock: clock
            )
            result = .success(try await body(Fixture(server: server, clock: clock, people: people)))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return try result.get()
    }

    private static func makePeople(groups: Int, database: String, clock: VirtualClock) async throws -> [Person] {
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: database))
        var configuration = Directory.Configuration()
        // A different node number from the server's, so that no two ids are equal.
        configuration.node = 255
        configuration.passwordCost = .minimal
        // The server's clock, because a member is not shown at positions from before joining.
        let directory = Directory(pool: pool, configuration: configuration, clock: clock.clock)
        var people: [Person] = []
        for group in 0..<groups {
            var members: [Person] = []
            for member in 0..<self.groupSize {
                let name = "person-\(group)-\(member)"
                let credentials = try await directory.signUp(username: name, password: "correct horse", name: name)
                members.append(Person(user: credentials.user.id, token: credentials.token))
            }
            let made = try await directory.createGroup(name: "group \(group)", by: members[0].user)
            let invite = try await directory.createInvite(to: made.id, by: members[0].user)
            for member in members.dropFirst() { _ = try await directory.join(code: invite.code, user: member.user) }
            people += members
        }
        await pool.close()
        return people
    }
}
