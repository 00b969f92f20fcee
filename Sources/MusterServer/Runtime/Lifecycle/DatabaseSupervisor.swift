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
        // Of a server that dies again and again, only a long uptime ends the failures.
        var failures = FailureLog()
        while await self.sleep(Self.interval) {
            let isProven = lastStart.map { ContinuousClock.now - $0 >= Self.provenAfter } ?? true
            guard self.database.hasDied else {
                if isProven { self.noteSuccess(&failures) }
                continue
            }
            self.note(&failures, "the private PostgreSQL ended unexpectedly; starting it again")
            if isProven {
                backoff.succeed()
            } else {
                guard await self.sleep(.milliseconds(backoff.fail())) else { return }
            }
            await self.revive(&failures, isFirst: isProven)
            lastStart = .now
        }
    }

    /// Sleeps.
    ///
    /// - Returns: false when the task was cancelled.
    private func sleep(_ duration: Duration) async -> Bool { (try? await Task.sleep(for: duration)) != nil }

    private func note(_ failures: inout FailureLog, _ message: String, _ fields: [(String, String)] = []) {
        let event = failures.failed(at: MonotonicClock.system.milliseconds) {
            LogEvent(.error, message, fields)
        }
        if let event { self.logger.log(event, component: "cluster") }
    }

    private func noteSuccess(_ failures: inout FailureLog) {
        let event = failures.succeeded(at: MonotonicClock.system.milliseconds) {
            LogEvent(.info, "the private PostgreSQL is running again")
        }
        if let event { self.logger.log(event, component: "cluster") }
    }

    private func revive(_ failures: inout FailureLog, isFirst: Bool) async {
        do throws(PostgresError) {
            try await self.blocking.step { [database] () throws(PostgresError) in
                try database.revive()
            }
            if isFirst { self.noteSuccess(&failures) }
        } catch {
            self.note(&failures, "the private PostgreSQL cannot be started", [("error", error.description)])
        }
    }
}
