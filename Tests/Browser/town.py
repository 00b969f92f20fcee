"""A town by the sea, made up for tests, as the server's map: its description and its vector tiles.

Coordinates are metres to the east and north of the town's middle. The sea lies in the east.
"""

import json
import math
import re
from functools import lru_cache

import mapbox_vector_tile
from shapely.affinity import affine_transform
from shapely.geometry import LineString, MultiLineString, Point, box

#: The town's middle as `(lat, lon)`, where the sea begins, and half the side of its box, in metres.
MIDDLE = (43.74, 7.42)
COAST = 700
HALF = 1500

EXTENT, BUFFER = 4096, 64
MAX_ZOOM = 15
WORLD = 2 * math.pi * 6_378_137
STRETCH = 1 / math.cos(math.radians(MIDDLE[0]))

NAMES = ["Almond", "Beech", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Larch", "Maple", "Oak"]


def at(east, north):
    """Where a point of the town is on the earth, as `(lat, lon)`."""
    x, y = _mercator(*MIDDLE)
    x, y = x + east * STRETCH, y + north * STRETCH
    return math.degrees(math.atan(math.sinh(2 * math.pi * y / WORLD))), 360 * x / WORLD


def _mercator(lat, lon):
    return WORLD * lon / 360, WORLD * math.asinh(math.tan(math.radians(lat))) / (2 * math.pi)


def _features():
    """The town's features as `(layer, first zoom, attributes, geometry)`."""
    yield "ocean", 0, {}, box(COAST, -HALF, HALF, HALF)
    yield "land", 7, {"kind": "residential"}, box(-900, -900, COAST, 900)
    yield "land", 11, {"kind": "park"}, box(-260, 40, -40, 260)
    yield "water_polygons", 4, {"kind": "water"}, Point(-150, 150).buffer(40)
    yield "pier_polygons", 14, {"kind": "pier"}, box(COAST - 20, -200, COAST + 250, -185)
    for index, name in enumerate(NAMES):
        offset = (index - 6) * 150
        across = LineString([(-HALF, offset), (COAST - 10, offset)])
        along = LineString([(offset, -1000), (offset + 40, 0), (offset, 1000)])
        kind, zoom, named = ("primary", 8, 13) if index in (2, 9) else ("secondary", 10, 13) if index == 6 else ("residential", 12, 15)
        for line, words in ((across, f"{name} Street"), (along, f"{name} Avenue")):
            yield "streets", zoom, {"kind": kind}, line
            yield "street_labels", named, {"kind": kind, "name": words}, line
    yield "streets", 5, {"kind": "motorway", "bridge": True}, LineString([(-HALF, -1100), (COAST + 400, 1200)])
    yield "streets", 15, {"kind": "footway"}, LineString([(-260, 60), (-40, 250)])
    yield "streets", 9, {"kind": "rail", "rail": True}, LineString([(-1200, -HALF), (-1100, HALF)])
    for east in range(-870, COAST - 100, 150):
        for north in range(-870, 870, 150):
            if not (-300 < east < 0 and 0 < north < 300):
                yield "buildings", 15, {}, box(east, north, east + 90, north + 90)
    yield "place_labels", 8, {"kind": "town", "name": "Port Alma", "population": 40_000}, Point(0, 0)
    yield "place_labels", 11, {"kind": "suburb", "name": "Northgate"}, Point(-300, 700)
    yield "place_labels", 11, {"kind": "suburb", "name": "Southgate"}, Point(-300, -700)
    yield "public_transport", 13, {"kind": "station", "name": "Port Alma Central"}, Point(-1150, 0)
    yield "pois", 14, {"leisure": "park", "name": "Alma Park"}, Point(-120, 90)
    for index, name in enumerate(NAMES):
        yield "pois", 15, {"amenity": "cafe", "name": f"Café {name}"}, Point((index - 7) * 130, 240 - (index % 4) * 160)


@lru_cache(maxsize=None)
def tile(zoom, column, row):
    """A vector tile of the town; empty where it has nothing."""
    x, y = _mercator(*MIDDLE)
    scale = EXTENT * 2**zoom / WORLD
    left, top = (x + WORLD / 2) * scale - column * EXTENT, (WORLD / 2 - y) * scale - row * EXTENT
    frame = box(-BUFFER, -BUFFER, EXTENT + BUFFER, EXTENT + BUFFER)
    layers = {}
    for layer, first, attributes, geometry in _features():
        if zoom < first:
            continue
        drawn = affine_transform(geometry, [STRETCH * scale, 0, 0, -STRETCH * scale, left, top]).intersection(frame)
        if drawn.geom_type == "GeometryCollection":
            drawn = MultiLineString([part for part in drawn.geoms if part.geom_type == "LineString"])
        if not drawn.is_empty:
            layers.setdefault(layer, []).append({"geometry": drawn, "properties": attributes})
    encoded = [{"name": name, "features": features} for name, features in layers.items()]
    return mapbox_vector_tile.encode(encoded, default_options={"y_coord_down": True, "extents": EXTENT}) if encoded else b""


def description(version="town-1"):
    """What `GET /v1/map` answers."""
    south, west = at(-HALF, -HALF)
    north, east = at(HALF, HALF)
    bounds = [west, south, east, north]
    return {"tilejson": "3.0.0", "tiles": [f"/v1/map/{version}/{{z}}/{{x}}/{{y}}.mvt"], "version": version, "minzoom": 0, "maxzoom": MAX_ZOOM,
            "bounds": bounds, "center": [MIDDLE[1], MIDDLE[0], 14], "parts": [{"name": "town", "bounds": bounds}], "attribution": "© OpenStreetMap contributors"}


class TownServer:
    """Answers a window's requests for the map as a server with the town would, and remembers those for tiles.

    After `replace()` it has another version, and nothing of the old one. A redirection would leave this server.
    """

    def __init__(self, window):
        self.version = "town-1"
        #: Whether requests for tiles are refused, as by a server with too much to do.
        self.refuses = False
        self.asked = []
        self.described = 0
        # The window's context: requests of workers belong to it as well.
        window.context.route(re.compile(r"/v1/map$"), self._describe)
        window.context.route(re.compile(r"/v1/map/[^/]+/\d+/\d+/\d+\.mvt$"), self._answer)

    def replace(self, version):
        """Replaces the map."""
        self.version = version

    def _describe(self, route):
        self.described += 1
        route.fulfill(content_type="application/json", body=json.dumps(description(self.version)))

    def _answer(self, route):
        version, *numbers = re.search(r"/v1/map/([^/]+)/(\d+)/(\d+)/(\d+)\.mvt$", route.request.url).groups()
        self.asked.append((version, *map(int, numbers)))
        if self.refuses:
            route.fulfill(status=429)
            return
        if version != self.version:
            route.fulfill(status=404)
            return
        body = tile(*map(int, numbers))
        if body:
            route.fulfill(content_type="application/vnd.mapbox-vector-tile", body=body)
        else:
            route.fulfill(status=204)
