import EventLoop
import Glibc

/// Which processors the load and what it measures run on.
///
/// The kernel likes to let whoever is sent something run where the sender does. Over loopback that puts the load and the
/// server's gateway on one processor, where they take turns of 4 ms while another processor is idle. So the load keeps to
/// the last processor, and the threads that serve its sockets to the others. On a machine with one processor there is
/// nothing to plan.
enum ProcessorPlan {
    /// All, as they were before any thread was bound.
    private static let all = Processors.usable
    /// For the load's thread.
    static let load: Int? = Self.isOfUse ? Self.all.last : nil
    /// For the threads of the server that sessions wait for, or for a relay; empty for any.
    static let served: [Int] = Self.isOfUse ? Self.all.dropLast() : []

    /// Lets the calling thread go before others on its processor, where the system allows it.
    ///
    /// Phones do not wait until the server's machine has time for them: a load that waits for PostgreSQL's turn to end
    /// would measure that wait as the server's.
    static func preferThread() { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10) }

    /// Lets the calling thread run anywhere: one that was begun by a load's inherits its processor, and would pass it on to what
    /// it starts.
    static func unbindThread() { Processors.bindThread(to: self.all) }

    private static var isOfUse: Bool { self.all.count > 1 }
}
