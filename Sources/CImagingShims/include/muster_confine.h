#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Limits the address space of this process to `memory` bytes, and drops everything that decoding a picture does not
/// need: writing files, core dumps, capabilities, new privileges. Returns false, with `errno`, if the system refuses.
///
/// Capabilities belong to threads, so call it before any other thread starts.
bool muster_confine_privileges(uint64_t memory);

/// Restricts all threads of this process permanently to the system calls of decoding and drawing. Every other call is
/// refused: files, programs, processes, networks, limits. Resources that need such calls must be open before; threads
/// may start later. Returns false, with `errno`, if the system does not support such filters.
bool muster_confine_calls(void);

#ifdef __cplusplus
}
#endif
