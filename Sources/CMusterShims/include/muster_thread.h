#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sets the name of the calling thread, for `top -H`, `perf` and debuggers. Truncated to 15 bytes.
void muster_thread_set_name(const char *name);

/// Restricts the calling thread to these processors. Threads and processes that it starts inherit the restriction.
/// Returns 0, or an errno: EINVAL when the process may use none of them.
int muster_thread_bind(const int *processors, size_t count);

/// Stores the processors that the process may use in `processors`, in ascending order, `capacity` at most. Returns
/// their number.
size_t muster_usable_processors(int *processors, size_t capacity);

/// Requests a nice value and a time slice in nanoseconds for the calling thread, as far as privilege and kernel allow.
/// Threads that it starts do not inherit them.
void muster_thread_prefer(int niceness, uint64_t slice);

#ifdef __cplusplus
}
#endif
