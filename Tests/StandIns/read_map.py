#!/usr/bin/env python3
"""Reads a PMTiles file by other programs than ours: tells the features of each layer and zoom, and what points are in.

    read_map.py FILE [LON,LAT …]

Prints JSON: `tiles`, the number of tiles; `layers`, features of each zoom and layer; `points`, for each point the
layers and kinds of areas that contain it at the last zoom.
"""

import gzip
import json
import math
import sys
from collections import Counter

import mapbox_vector_tile
from pmtiles.reader import MmapSource, Reader, all_tiles

ZOOM = 15


def contains(ring, x, y):
    """Whether a ring contains a point, by the crossings to its right."""
    crossings = 0
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            crossings += 1
    return crossings % 2 == 1


def areas(geometry):
    """The polygons of an area."""
    return [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]


path, places = sys.argv[1], [tuple(map(float, text.split(","))) for text in sys.argv[2:]]
layers, count, found = {}, 0, [[] for _ in places]
with open(path, "rb") as file:
    source = MmapSource(file)
    reader = Reader(source)
    header = reader.header()
    for (zoom, column, row), block in all_tiles(source):
        count += 1
        assert reader.get(zoom, column, row) == block
        tile = mapbox_vector_tile.decode(gzip.decompress(block), default_options={"y_coord_down": True})
        for name, layer in tile.items():
            assert layer["extent"] == 4096
            layers.setdefault(str(zoom), Counter())[name] += len(layer["features"])
            if zoom != ZOOM:
                continue
            for index, (longitude, latitude) in enumerate(places):
                side = 2 ** zoom
                x = ((longitude + 180) / 360 * side - column) * 4096
                y = ((1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * side - row) * 4096
                if not (0 <= x < 4096 and 0 <= y < 4096):
                    continue
                for feature in layer["features"]:
                    if "Polygon" in feature["geometry"]["type"] and any(
                        sum(contains(ring, x, y) for ring in area) % 2 == 1 for area in areas(feature["geometry"])
                    ):
                        found[index].append(f"{name}:{feature['properties'].get('kind')}")
assert count == header["addressed_tiles_count"]
print(json.dumps({"tiles": count, "layers": layers, "points": found}))
