#pragma once
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Starts a program that may outlive us: in a session of its own, in `folder`, reading nothing and writing to
/// `output` (a file, made anew), with no other descriptor of ours, no signal blocked or ignored.
/// Returns 0 and the process, or an error number.
int muster_spawn_detached(
    pid_t *process,
    char *const arguments[],
    char *const environment[],
    const char *folder,
    const char *output
);

/// Starts a program that serves us: in a session of its own, in `/`, with `socket` as its standard input and output,
/// nowhere to complain, no other descriptor of ours, no signal blocked or ignored.
/// Returns 0 and the process, or an error number.
int muster_spawn_child(pid_t *process, char *const arguments[], char *const environment[], int socket);

#ifdef __cplusplus
}
#endif
