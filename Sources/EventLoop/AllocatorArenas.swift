import CMusterShims

// glibc gives every new thread a part of the heap of its own, up to eight for each processor. The threads of the control
// plane come and go, and what they allocated in passing stays behind in each part. Few threads allocate much; small blocks
// come from caches of each thread, without a lock.

/// How many parts the C library's heap has.
package enum AllocatorArenas {
    /// Lets there be at most `count`; to be called before threads are started.
    package static func limit(to count: Int) { mallopt(M_ARENA_MAX, Int32(count)) }
}
