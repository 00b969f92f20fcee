#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The outline of land, `public/land.json`, embedded in the program because a child process opens no files. Stores its
/// size in `length`.
const unsigned char *muster_land(size_t *length);

#ifdef __cplusplus
}
#endif
