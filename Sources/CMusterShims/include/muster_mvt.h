// Mapbox Vector Tile 2.1 (https://github.com/mapbox/vector-tile-spec/tree/master/2.1) of one layer of points, by protozero.
//
// A tile is begun, gets feature after feature, each with its properties behind it, and is finished once.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A tile that is being written.
typedef struct muster_mvt muster_mvt;

/// Begins a tile with one layer, named by UTF-8 text; null when there is no memory. The caller destroys it.
muster_mvt *muster_mvt_create(const char *layer, size_t length, uint32_t extent);

/// Frees a tile.
void muster_mvt_destroy(muster_mvt *tile);

/// Adds a point, from the tile's north-western corner in parts of its extent.
void muster_mvt_add_point(muster_mvt *tile, uint64_t id, uint32_t x, uint32_t y);

/// Gives the last point a property that is a text.
void muster_mvt_add_text(muster_mvt *tile, const char *name, size_t name_length, const char *text, size_t length);

/// Gives the last point a property that is a number.
void muster_mvt_add_number(muster_mvt *tile, const char *name, size_t name_length, int64_t number);

/// Gives the last point a property that is true or false.
void muster_mvt_add_bool(muster_mvt *tile, const char *name, size_t name_length, bool value);

/// Ends the tile, and sets where its bytes are, which the tile owns; returns how many.
size_t muster_mvt_finish(muster_mvt *tile, const uint8_t **bytes);

#ifdef __cplusplus
}
#endif
