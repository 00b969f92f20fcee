import CMusterShims

// glibc gives every new thread a part of the heap of its own, up to eight for each processor. The threads of the control
// plane come and go, and what they allocated in passing stays behind in each part: of 10,000 sessions every one cost
// 4,882 bytes so, and 4,389 with two parts (`muster bench idle --sessions 10000`). Few threads allocate much; small
// blocks come from caches of each thread, without a lock.

/// How many parts the C library's heap has.
package enum AllocatorArenas {
    /// Lets there be at most `count`; to be called before threads are started.
    package static func limit(to count: Int) { mallopt(M_ARENA_MAX, Int32(count)) }
}
