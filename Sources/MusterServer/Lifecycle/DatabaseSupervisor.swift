import EventLoop
import Postgres

/// Starts the private PostgreSQL again when it dies, as it does when the machine runs out of memory.
struct DatabaseSupervisor: Sendable {
    private static let interval = Duration.seconds(1)
    private static let longestPause: Int64 = 30
    /// A server that ran this long is not one that dies at once each time.
    private static let provenAfter = Duration.seconds(60)

    let database: DatabaseHost
    let blocking: BlockingPool
    let logger: Logger

    /// Watches until the task is cancelled.
    func run() async {
        var lastStart: ContinuousClock.Instant?
        var repeats = 0
        while await self.sleep(Self.interval) {
            guard self.database.hasDied else { continue }
            self.logger.error("the private PostgreSQL has died; starting it again")
            let isRepeated = lastStart.map { ContinuousClock.now - $0 < Self.provenAfter } ?? false
            repeats = isRepeated ? repeats + 1 : 0
            if repeats > 0 {
                guard await self.sleep(.seconds(min(1 << min(repeats, 5), Self.longestPause))) else { return }
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
