import Postgres
import Testing

@testable import MusterCore
@testable import MusterServer
@testable import MusterWire

@Suite("How many requests are with the directory at once") struct RequestLimitTests {
    /// Services with a directory that receives no queries.
    private struct IdleServices: RequestServices {
        let requestLimit = ConcurrencyLimit<UserID>(4, share: 4)
        let barrierLimit = ConcurrencyLimit<UserID>(2, share: 1)
        let idle: Directory

        init(_ pool: PostgresPool) { self.idle = Directory(pool: pool) }

        var directory: Directory? { self.idle }
        func readyDirectory() -> Directory { self.idle }
        func frameError(_ error: any Error) -> FrameError { FrameError(error) }
    }

    @Test(
        "barriers have room of their own, which other requests neither take nor lend, and one person has a share of it",
        .timeLimit(.minutes(1))
    )
    func roomOfTheirOwn() async throws {
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: "host=127.0.0.1"))
        let services = IdleServices(pool)
        let (others, barriers) = (Crowd(), Crowd())
        let table = RequestTable([
            .directory(PlanDelete.self, services) { _, _, _ in
                await others.stay()
                return .done()
            },
            .directory(GroupLeave.self, services) { _, _, _ in
                await barriers.stay()
                return .done()
            },
        ])
        @Sendable func ask(_ request: any ClientRequest, for user: Int64) async throws {
            guard case .asynchronous(let handle) = table.entry(for: request).handling else { return }
            _ = try await handle(request, Caller(user: UserID(user), session: SessionID(user)))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Other users fill their slots, and the first user sends more barriers than their share.
            for _ in 0..<8 { group.addTask { try await ask(PlanDelete(PlanID(1)), for: 1) } }
            while await others.running < 4 { await Task.yield() }
            for _ in 0..<8 { group.addTask { try await ask(GroupLeave(group: GroupID(1)), for: 1) } }
            while await barriers.running < 1 { await Task.yield() }
            group.addTask { try await ask(GroupLeave(group: GroupID(1)), for: 2) }
            while await barriers.running < 2 { await Task.yield() }
            await barriers.end()
            await others.end()
            try await group.waitForAll()
        }
        #expect(await others.most == 4)
        #expect(await barriers.most == 2)
        await pool.close()
    }
}
