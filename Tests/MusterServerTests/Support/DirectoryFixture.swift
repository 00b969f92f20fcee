import EventLoop
import Foundation
import MusterTestSupport
import Postgres

@testable import MusterServer

/// A directory on its own database, without a server.
struct DirectoryFixture {
    let pool: PostgresPool
    let directory: Directory

    /// Runs `body` on an empty database.
    static func with(
        clock: MonotonicClock = .system,
        _ body: (DirectoryFixture) async throws -> Void
    ) async throws {
        let migrations = MusterProcess.checkout.appending(path: "sql/migrations").path
        let database = try await ThrowawayCluster.shared().makeDatabase(migratedFrom: migrations)
        let pool = PostgresPool(PostgresPool.Configuration(connectionString: database))
        var configuration = Directory.Configuration()
        configuration.passwordCost = .minimal
        let directory = Directory(pool: pool, configuration: configuration, clock: clock)
        do {
            try await body(DirectoryFixture(pool: pool, directory: directory))
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }
}
