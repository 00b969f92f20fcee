#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Leaves this process `memory` bytes of addresses, and takes from it what decoding a picture does not need: writing files,
/// core dumps, capabilities, new privileges. False, with `errno`, when the system does not let it.
///
/// Capabilities belong to threads: call it before any other is started.
bool muster_confine_privileges(uint64_t memory);

/// Leaves all threads of this process the system calls that decoding and drawing need, and refuses every other one, for
/// good: files, programs, processes, networks, limits. Everything that needs them must be open and started by then; threads
/// may be started later. False, with `errno`, when the system has no such filters.
bool muster_confine_calls(void);

#ifdef __cplusplus
}
#endif
