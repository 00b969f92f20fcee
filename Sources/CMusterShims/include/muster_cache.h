#pragma once

/// Prefetches the cache line at `address`. Any address is allowed; there is no other effect.
static inline void muster_prefetch(const void *address) { __builtin_prefetch(address); }
