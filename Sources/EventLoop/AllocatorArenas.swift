import CMusterShims

// glibc creates a separate heap arena for each new thread, up to eight for each processor. The threads of the control
// plane start and end often, and each arena keeps memory from their short-lived allocations. Few threads allocate much;
// small blocks come from per-thread caches, without a lock.

/// The number of arenas in the heap of the C library.
package enum AllocatorArenas {
    /// Limits the number of arenas to `count`.
    ///
    /// Call it before any thread starts.
    package static func limit(to count: Int) { mallopt(M_ARENA_MAX, Int32(count)) }
}
