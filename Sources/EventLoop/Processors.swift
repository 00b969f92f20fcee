import CMusterShims
import Glibc

/// The machine's processors, by the kernel's numbers.
package enum Processors {
    /// The highest processor number that can be named, plus one.
    private static let limit = 1024

    /// The processors that this process may use, in ascending order.
    package static var usable: [Int] {
        let numbers = [Int32](unsafeUninitializedCapacity: self.limit) { buffer, count in
            count = muster_usable_processors(buffer.baseAddress, buffer.count)
        }
        return numbers.map(Int.init)
    }

    /// Raises the scheduling priority of the calling thread.
    ///
    /// Any thread may request shorter time slices, which shorten its wait for a processor (Linux 6.12 and later). A
    /// negative nice value requires a privilege, such as `LimitNICE=-10` of systemd, and is skipped without it. The
    /// nice value is relative to the other threads of the session where the system groups threads by session
    /// (`SessionNiceness`).
    package static func preferThread() { muster_thread_prefer(-10, 200_000) }

    /// Yields the processor to other threads that wait for it.
    ///
    /// The kernel may preempt a thread that computes without system calls no sooner than at the next clock tick, up to
    /// 10 ms later.
    package static func yieldThread() { sched_yield() }

    /// Restricts the calling thread to these processors.
    ///
    /// Threads and processes that it starts inherit the restriction.
    ///
    /// Without effect when the process may use none of them.
    package static func bindThread(to processors: [Int]) {
        let numbers = processors.filter { (0..<self.limit).contains($0) }.map(Int32.init)
        _ = muster_thread_bind(numbers, numbers.count)
    }
}
