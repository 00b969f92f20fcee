#pragma once
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Starts a program that may outlive this process, in a session of its own and in `folder`. Its input is empty, and its
/// output goes to the new or truncated file `output`. It inherits no other descriptor, and no signal is blocked or
/// ignored. Returns 0 and the process, or an error number.
int muster_spawn_detached(
    pid_t *process,
    char *const arguments[],
    char *const environment[],
    const char *folder,
    const char *output
);

/// Starts a program that serves this process, in a session of its own and in `/`. Its standard input and output are
/// `socket`, and its standard error is discarded. It inherits no other descriptor, and no signal is blocked or ignored.
/// Returns 0 and the process, or an error number.
int muster_spawn_child(pid_t *process, char *const arguments[], char *const environment[], int socket);

#ifdef __cplusplus
}
#endif
