#pragma once
#include <stdint.h>

/// What threads have taken from and given back to the heap since they began.
typedef struct {
    /// Calls that took memory; a `realloc` counts as one.
    int64_t allocations;
    /// Bytes that those calls made usable.
    int64_t allocated_bytes;
    /// Bytes that are still held: memory that is freed counts for the thread that frees it.
    int64_t live_bytes;
} allocation_counts;

/// The counts of the threads whose name is `name`.
allocation_counts allocation_counts_of_threads(const char *name);

/// The counts of the calling thread.
allocation_counts allocation_counts_of_this_thread(void);

/// The counts of all threads, ended ones included, but the calling one.
allocation_counts allocation_counts_of_other_threads(void);
