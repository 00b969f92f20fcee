import EventLoop
import Glibc
import Postgres

extension MusterServer {
    /// Seconds for an orderly shutdown.
    private static let orderlySeconds: Int32 = 24
    /// Seconds after which the kernel ends the process in any state.
    private static let longestSeconds: UInt32 = 29

    /// Ends the process with status 1 unless it has ended in time by itself, whatever hangs.
    ///
    /// It uses neither the loops of the process nor a thread of Swift's cooperative pool. Until the limit, loops that
    /// do not hang continue, so that received data is committed.
    package func limitShutdown() {
        // The signal's default action ends the process, in case this thread hangs too.
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
        // The private PostgreSQL would otherwise continue to run.
        try? self.database.stop()
        _exit(1)
    }
}
