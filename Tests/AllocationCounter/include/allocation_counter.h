#pragma once
#include <stdint.h>

/// The allocations and deallocations of threads since they started.
typedef struct {
    /// Calls that allocated memory; a `realloc` counts as one.
    int64_t allocations;
    /// Usable bytes that those calls returned.
    int64_t allocated_bytes;
    /// Live bytes. Freed memory is subtracted from the count of the thread that frees it.
    int64_t live_bytes;
} allocation_counts;

/// The counts of the threads whose name is `name`.
allocation_counts allocation_counts_of_threads(const char *name);

/// The counts of the calling thread.
allocation_counts allocation_counts_of_this_thread(void);

/// The counts of all threads except the calling one, including threads that have ended.
allocation_counts allocation_counts_of_other_threads(void);
