import EventLoop
import Glibc

/// The assignment of processors to the load and to the measured server.
///
/// The kernel tends to run the receiver of a message on the processor of its sender. Over loopback that puts the load
/// and the server's gateway on one processor. There they alternate in slices of 4 ms while another processor is idle.
/// So the load is bound to the last processor, and the threads that serve its sockets to the others. On a machine with
/// one processor there is no assignment.
enum ProcessorPlan {
    /// All usable processors, before any thread was bound.
    private static let all = Processors.usable
    /// The processor of the load's thread.
    static let load: Int? = Self.isOfUse ? Self.all.last : nil
    /// The processors of a relay, or of the server's threads that serve sessions; empty for any.
    static let served: [Int] = Self.isOfUse ? Self.all.dropLast() : []

    /// Raises the calling thread's priority, where the system permits it.
    ///
    /// Real phones do not wait for the server's processor. If the load had to wait for PostgreSQL's time slice to end,
    /// that wait would count as the server's latency.
    static func preferThread() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10) }

    /// Removes the calling thread's processor binding.
    ///
    /// A thread that was started by a load's thread inherits its processor, and would pass it on to child processes.
    static func unbindThread() { Processors.bindThread(to: self.all) }

    private static var isOfUse: Bool { self.all.count > 1 }
}
