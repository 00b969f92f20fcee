#pragma once
#include <stdbool.h>

/// Starts what an attempt needs from before the confinement; call it once, first.
void confinement_prepare(void);

/// Makes this process one of a system without filters of system calls. False when that cannot be done.
bool confinement_refuse_filters(void);

/// Tries what a picture that has taken over a child could try, by its name.
///
/// Returns 0 when it can be done, the number of the error when not, and -1 when there is no such attempt.
int confinement_attempt(const char *name);
