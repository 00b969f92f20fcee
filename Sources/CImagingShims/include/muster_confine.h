#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Leaves this process `memory` bytes of addresses, and takes from it what decoding a picture does not need: writing
/// files, core dumps, new privileges. False when the system does not let it.
bool muster_confine_limits(uint64_t memory);

/// Takes from this process, as far as the system can, opening and changing files, starting programs and processes, setting
/// limits, and reaching other processes and networks, for good. Everything that is needed must be open and started by then;
/// threads may be started later.
void muster_confine_calls(void);

#ifdef __cplusplus
}
#endif
