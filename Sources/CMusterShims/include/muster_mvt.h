// An encoder of Mapbox Vector Tile 2.1 (https://github.com/mapbox/vector-tile-spec/tree/master/2.1) with one layer of
// points, based on protozero.
//
// Create a tile, add each point followed by its properties, and finish the tile once.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A tile in progress.
typedef struct muster_mvt muster_mvt;

/// Creates a tile with one layer, whose name is UTF-8; null when there is no memory. The caller destroys it.
muster_mvt *muster_mvt_create(const char *layer, size_t length, uint32_t extent);

/// Frees a tile.
void muster_mvt_destroy(muster_mvt *tile);

/// Adds a point, in units of the extent from the tile's north-western corner.
void muster_mvt_add_point(muster_mvt *tile, uint64_t id, uint32_t x, uint32_t y);

/// Adds a text property to the last point.
void muster_mvt_add_text(muster_mvt *tile, const char *name, size_t name_length, const char *text, size_t length);

/// Adds a number property to the last point.
void muster_mvt_add_number(muster_mvt *tile, const char *name, size_t name_length, int64_t number);

/// Adds a boolean property to the last point.
void muster_mvt_add_bool(muster_mvt *tile, const char *name, size_t name_length, bool value);

/// Finishes the tile. Stores the address of its bytes, which the tile owns, and returns their number.
size_t muster_mvt_finish(muster_mvt *tile, const uint8_t **bytes);

#ifdef __cplusplus
}
#endif
