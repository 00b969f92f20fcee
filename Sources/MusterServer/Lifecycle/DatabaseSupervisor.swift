import EventLoop
import Postgres

/// Restarts the private PostgreSQL when it dies, for example because the machine ran out of memory.
struct DatabaseSupervisor: Sendable {
    private static let interval = Duration.seconds(1)
    /// The uptime after which the end of a server does not count as a repeated failure.
    private static let provenAfter = Duration.seconds(60)

    let database: DatabaseHost
    let blocking: BlockingPool
    let logger: Logger

    /// Supervises the server until the task is cancelled.
    func run() async {
        var lastStart: ContinuousClock.Instant?
        var backoff = Backoff(shortest: 2000, longest: 30_000)
        while await self.sleep(Self.interval) {
            guard self.database.hasDied else { continue }
            self.logger.error("the private PostgreSQL has died; starting it again")
            if let lastStart, ContinuousClock.now - lastStart < Self.provenAfter {
                guard await self.sleep(.milliseconds(backoff.fail())) else { return }
            } else {
                backoff.succeed()
            }
            await self.revive()
            lastStart = .now
        }
    }

    /// Sleeps.
    ///
    /// - Returns: false when the task was cancelled.
    private func sleep(_ duration: Duration) async -> Bool { (try? await Task.sleep(for: duration)) != nil }

    private func revive() async {
        do throws(PostgresError) {
            try await self.blocking.step { [database] () throws(PostgresError) in
                try database.revive()
            }
            self.logger.info("the private PostgreSQL runs again")
        } catch {
            self.logger.error("the private PostgreSQL cannot be started", ["error": .text(error.description)])
        }
    }
}
