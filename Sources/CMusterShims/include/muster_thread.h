#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A number that is different for every thread of the process and never reused. Costs one thread-local read.
uint64_t muster_thread_id(void);

/// Names the calling thread, for `top -H`, `perf` and debuggers. Truncated to 15 bytes.
void muster_thread_set_name(const char *name);

#ifdef __cplusplus
}
#endif
