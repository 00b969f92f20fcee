#pragma once
#include <stdbool.h>

/// Prepares resources that attempts need from before the confinement; call it once, first.
void confinement_prepare(void);

/// Makes system call filters unavailable to this process, as on a system without them. Returns false if that fails.
bool confinement_refuse_filters(void);

/// Runs the attempt of this name: an action that a malicious picture could try after it took over a child.
///
/// Returns 0 if the action succeeds, the error number if it fails, and -1 if there is no such attempt.
int confinement_attempt(const char *name);
