import CMusterShims
import Glibc

/// The machine's processors, by the kernel's numbers.
package enum Processors {
    /// One more than the highest number that can be named.
    private static let limit = 1024

    /// Those that this process may use, in ascending order.
    package static var usable: [Int] {
        let numbers = [Int32](unsafeUninitializedCapacity: self.limit) { buffer, count in
            count = muster_usable_processors(buffer.baseAddress, buffer.count)
        }
        return numbers.map(Int.init)
    }

    /// Lets the calling thread go before others when it has something to do.
    ///
    /// Everybody may ask for shorter slices, after which the thread need not wait so long for its turn (Linux 6.12 on); to
    /// be nice to nobody takes a privilege, such as `LimitNICE=-10` of systemd, and is left out without it. It counts among
    /// the threads of a session, where the system tells sessions apart (`SessionNiceness`).
    package static func preferThread() { muster_thread_prefer(-10, 200_000) }

    /// Lets others go first that wait for the calling thread's processor.
    ///
    /// A thread that computes and asks nothing of the system may be interrupted for them no sooner than at the next clock tick,
    /// up to 10 ms later.
    package static func yieldThread() { sched_yield() }

    /// Lets the calling thread run on these processors alone; threads and processes that it starts inherit that.
    ///
    /// Without effect when there are none that the process may use.
    package static func bindThread(to processors: [Int]) {
        let numbers = processors.filter { (0..<self.limit).contains($0) }.map(Int32.init)
        _ = muster_thread_bind(numbers, numbers.count)
    }
}
