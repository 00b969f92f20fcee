import EventLoop
import Glibc
import MusterStore
import Postgres

extension MusterServer {
    /// Seconds that the server has for its orderly end.
    private static let orderlySeconds: Int32 = 24
    /// Seconds after which the kernel ends the process, whatever it is at.
    private static let longestSeconds: UInt32 = 29

    /// Ends the process with status 1 unless it has ended by itself in time, whatever hangs.
    ///
    /// Needs none of the process's loops, nor a thread of Swift's cooperative pool. Until the time is over, loops that do not
    /// hang go on, so that what was received is committed.
    package func limitShutdown() {
        // Its default action ends the process, should this thread hang, too.
        signal(SIGALRM, SIG_DFL)
        alarm(Self.longestSeconds)
        _ = WorkerThread(name: "shutdown") {
            WakeSignal().wait(timeoutMilliseconds: Self.orderlySeconds * 1000)
            self.endProcess()
        }
    }

    private func endProcess() {
        let journal = self.services.node.storage?.journal
        let isFlushed = journal?.flush(timeout: .seconds(1)) ?? true
        self.logger.error(
            "the server did not stop in time; ending the process",
            [
                "loops.stalled": .text(self.services.node.loops.stalled.joined(separator: ", ")),
                "journal.waiting": .number(Int64(isFlushed ? 0 : journal?.metrics.waiting ?? 0)),
            ]
        )
        // The private PostgreSQL, which would go on without us.
        try? self.database.stop()
        _exit(1)
    }
}
