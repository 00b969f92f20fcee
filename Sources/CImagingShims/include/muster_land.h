#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The outline of land, `public/land.json`, as a part of this program: a child opens no file. Its bytes are in `length`.
const unsigned char *muster_land(size_t *length);

#ifdef __cplusplus
}
#endif
