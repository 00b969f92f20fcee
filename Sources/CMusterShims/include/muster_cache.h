#pragma once

/// Asks the processor to fetch the line of memory at `address` while other work goes on. Whatever the address, nothing else
/// happens.
static inline void muster_prefetch(const void *address) { __builtin_prefetch(address); }
