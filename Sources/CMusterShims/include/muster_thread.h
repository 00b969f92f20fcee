#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Names the calling thread, for `top -H`, `perf` and debuggers. Truncated to 15 bytes.
void muster_thread_set_name(const char *name);

/// Lets the calling thread run on these processors alone; threads and processes that it starts inherit that. Returns 0,
/// or an errno: EINVAL when the process may use none of them.
int muster_thread_bind(const int *processors, size_t count);

/// Writes the processors that the process may use to `processors`, in ascending order, `capacity` at most. Returns how
/// many there are.
size_t muster_usable_processors(int *processors, size_t capacity);

/// Asks for a niceness, where the process may, and for slices of so many nanoseconds, where the kernel grants them,
/// for the calling thread and none that it starts.
void muster_thread_prefer(int niceness, uint64_t slice);

#ifdef __cplusplus
}
#endif
