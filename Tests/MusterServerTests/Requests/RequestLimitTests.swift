import MusterCore
import MusterStore
import MusterWire
import Postgres
import Testing

@testable import MusterServer

@Suite("How many requests are with the directory at once") struct RequestLimitTests {
    /// A server whose directory nobody asks anything.
    private struct QuietServices: RequestServices {
        let requestLimit = ConcurrencyLimit<UserID>(4, share: 4)
        let barrierLimit = ConcurrencyLimit<UserID>(2, share: 1)
        let directory: Directory?

        init(_ pool: PostgresPool) { self.directory = Directory(pool: pool) }

        func readyDirectory() throws(FrameError) -> Directory {
            guard let directory = self.directory else { throw FrameError(.unavailable, message: "There is none.") }
            return directory
        }

        func frameError(_ error: DirectoryError) -> FrameError { FrameError(error, tag: nil) }
    }

    private struct Read: ClientRequest {
        typealias Answer = NoAnswer
        static let type = "read"
        static let order = RequestOrder.beside
        init() {}
        init(reading fields: JSONFields) throws(FrameError) {}
    }

    private struct Change: ClientRequest {
        typealias Answer = NoAnswer
        static let type = "change"
        static let order = RequestOrder.barrier
        init() {}
        init(reading fields: JSONFields) throws(FrameError) {}
    }

    @Test(
        "barriers have room of their own, which reads neither take nor use, and one person has a share of it",
        .timeLimit(.minutes(1))
    )
    func barriers() async throws {
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: "host=127.0.0.1"))
        let services = QuietServices(pool)
        let (readers, changers) = (Crowd(), Crowd())
        let table = RequestTable([
            .directory(Read.self, services) { _, _, _ in
                await readers.stay()
                return .done()
            },
            .directory(Change.self, services) { _, _, _ in
                await changers.stay()
                return .done()
            },
        ])
        @Sendable func ask(_ request: any ClientRequest, for user: Int64) async throws {
            guard case .asynchronous(let handle) = table.entry(for: request).handling else { return }
            _ = try await handle(request, Caller(user: UserID(user), session: SessionID(user)))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The readers fill what is theirs, and the first person more than their share of barriers.
            for _ in 0..<8 { group.addTask { try await ask(Read(), for: 1) } }
            while await readers.running < 4 { await Task.yield() }
            for _ in 0..<8 { group.addTask { try await ask(Change(), for: 1) } }
            while await changers.running < 1 { await Task.yield() }
            group.addTask { try await ask(Change(), for: 2) }
            while await changers.running < 2 { await Task.yield() }
            await changers.end()
            await readers.end()
            try await group.waitForAll()
        }
        #expect(await readers.most == 4)
        #expect(await changers.most == 2)
        await pool.close()
    }
}
