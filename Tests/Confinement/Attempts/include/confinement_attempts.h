#pragma once

/// Starts what an attempt needs from before the confinement; call it once, first.
void confinement_prepare(void);

/// Tries what a picture that has taken over a child could try, by its name.
///
/// Returns 0 when it can be done, the number of the error when not, and -1 when there is no such attempt.
int confinement_attempt(const char *name);
