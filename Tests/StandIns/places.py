"""Overpass, Photon, Yelp and OSRM as far as Muster speaks with them, over a real extract of OpenStreetMap:

    places.py EXTRACT.osm.pbf

Prints its address. Below it lie /overpass, /photon/api, /yelp/businesses/search and /osrm/…; what is not understood is refused with 400.
`GET /log` tells what was asked, `POST /control {"part": TEXT, "mode": MODE}` lets answers go wrong whose question holds TEXT: ok, hang,
slow, slower, remark, busy, error, html, nan, far, many, and of Photon alias: the chapel in Kamppi by a name that it does not tell.
"""
import json
import math
import re
import sys
import threading
import time
import urllib.parse

import osmium
from answering import Answering, serve

QUERY = re.compile(r"\[out:json\]\[timeout:\d+\];\(((?:nwr[^;]+;)+)\);out center (\d+);")
STATEMENT = re.compile(r'nwr\["([a-z]+)"~"\^\(([a-z_|]+)\)\$"\]\["name"\]\(around:(\d+),(-?[\d.]+),(-?[\d.]+)\);')
YELP = {
    "restaurants": ("amenity", {"restaurant", "food_court"}), "hotdogs": ("cuisine", {"hot_dog"}),
    "foodstands": ("amenity", {"fast_food"}), "pizza": ("cuisine", {"pizza"}), "coffee": ("shop", {"coffee"}),
    "cafes": ("amenity", {"cafe"}), "bakeries": ("shop", {"bakery", "pastry"}), "bars": ("amenity", {"bar", "pub"}),
    "nightlife": ("amenity", {"nightclub"}), "parks": ("leisure", {"park", "nature_reserve"}), "gardens": ("leisure", {"garden"}),
    "beaches": ("natural", {"beach"}), "museums": ("tourism", {"museum"}), "galleries": ("tourism", {"gallery"}),
    "theater": ("amenity", {"theatre"}), "movietheaters": ("amenity", {"cinema"}), "landmarks": ("tourism", {"attraction", "artwork"}),
    "amusementparks": ("tourism", {"theme_park"}), "zoos": ("tourism", {"zoo"}), "aquariums": ("tourism", {"aquarium"}),
    "bowling": ("leisure", {"bowling_alley"}), "shopping": ("shop", {"mall", "department_store", "clothes", "books", "gift"}),
    "active": ("leisure", {"sports_centre", "fitness_centre", "swimming_pool", "ice_rink"}),
}
SECRET = "stand-in-secret"


def metres(a, b):
    east = (b[1] - a[1]) * math.cos(math.radians((a[0] + b[0]) / 2))
    return 111_195 * math.hypot(b[0] - a[0], east)


class Elements:
    def __init__(self, path):
        self.named = []
        for thing in osmium.FileProcessor(path).with_locations():
            if "name" not in thing.tags:
                continue
            if thing.is_node():
                kind, points = "node", [(thing.location.lat, thing.location.lon)]
            elif thing.is_way():
                kind = "way"
                points = [(n.location.lat, n.location.lon) for n in thing.nodes if n.location.valid()]
            else:
                continue
            if points:
                center = tuple(sum(p[i] for p in points) / len(points) for i in (0, 1))
                self.named.append((kind, thing.id, center, {tag.k: tag.v for tag in thing.tags}))

    def matching(self, key, values, center, radius):
        return [e for e in self.named if e[3].get(key) in values and metres(e[2], center) <= radius]

    def to_nearest(self, point):
        return min(metres(e[2], point) for e in self.named)


class State:
    lock = threading.Lock()
    log = []
    modes = {}


class Places(Answering):
    elements = None

    def answer(self, value, status=200, kind="application/json", **headers):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send(status, body, kind, **headers)

    def do_POST(self):
        self.respond(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())

    def do_GET(self):
        self.respond("")

    def respond(self, body):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/log":
            return self.answer(State.log)
        if url.path == "/control":
            order = json.loads(body)
            State.modes[order["part"]] = order["mode"]
            return self.answer({})
        asked = urllib.parse.unquote_plus(self.path + " " + body)
        with State.lock:
            State.log.append(
                {"at": time.monotonic() * 1000, "path": url.path, "asked": asked, "headers": dict(self.headers)}
            )
        mode = next((mode for part, mode in State.modes.items() if part in asked and mode != "ok"), "ok")
        match mode:
            case "hang":
                self.close_connection = True
                return self.rfile.read(1)
            case "slow":
                time.sleep(0.3)
            case "slower":
                time.sleep(4)
            case "remark":
                return self.answer({"elements": [], "remark": "runtime error: Query timed out in \"query\" at line 1."})
            case "busy":
                return self.answer({}, 429, Retry_After="1")
            case "error":
                return self.answer({}, 504)
            case "html":
                return self.answer(b"<html>Please wait</html>", kind="text/html")
            case "nan":
                return self.answer(b'{"elements":[{"type":"node","id":1,"lat":NaN,"lon":1,"tags":{"name":"A"}}]}')
            case "alias":
                return self.photon({"q": "kampin kappeli", "limit": "1"})
            case "far" | "many":
                return self.answer({"elements": self.hostile(asked, mode)})
        try:
            self.serve(url, dict(urllib.parse.parse_qsl(url.query)), dict(urllib.parse.parse_qsl(body)))
        except (ValueError, KeyError, TypeError) as error:
            self.answer({"error": str(error)}, 400)

    @staticmethod
    def hostile(asked, mode):
        found = STATEMENT.search(asked)
        lat, lon = float(found[4]), float(found[5])
        good = {"type": "node", "id": 1, "lat": lat, "lon": lon, "tags": {"name": "The one", "website": "javascript:alert(1)"}}
        if mode == "many":
            return [dict(good, id=number, lat=lat + number * 1e-6) for number in range(1, 10_001)]
        return [
            dict(good, id=2, lat=900),
            dict(good, id="three"),
            {"type": "node", "id": 4, "lat": lat, "lon": lon},
            dict(good, id=5, tags={"name": "\u202e \n"}),
            ["no", "element"],
            good,
        ]

    def serve(self, url, query, form):
        parts = url.path.split("/")
        match parts[1]:
            case "overpass":
                self.overpass(query, form)
            case "photon" if parts[2:] == ["api"]:
                self.photon(query)
            case "yelp" if parts[2:] == ["businesses", "search"]:
                self.yelp(query)
            case "osrm":
                self.osrm(parts[2:], query)
            case _:
                raise ValueError("unknown path")

    def overpass(self, query, form):
        if query or set(form) != {"data"}:
            raise ValueError("one field, data")
        whole = QUERY.fullmatch(form["data"])
        statements = STATEMENT.findall(whole[1]) if whole else []
        if not statements or "".join(STATEMENT.sub("", whole[1])):
            raise ValueError("not understood")
        found = {}
        for key, values, radius, lat, lon in statements:
            for kind, number, center, tags in self.elements.matching(
                key, set(values.split("|")), (float(lat), float(lon)), float(radius)
            ):
                place = {"lat": center[0], "lon": center[1]}
                element = {"type": kind, "id": number, "tags": tags}
                found[kind, number] = element | (place if kind == "node" else {"center": place})
        self.answer({"version": 0.6, "elements": list(found.values())[: int(whole[2])]})

    def photon(self, query):
        if not {"q", "limit"} <= set(query) <= {"q", "limit", "lat", "lon"}:
            raise ValueError("unknown parameter")
        wanted = query["q"].split(",")[0].lower()
        features = []
        for kind, number, center, tags in self.elements.named:
            street = tags.get("highway") is not None
            if wanted in tags["name"].lower() and len(features) < int(query["limit"]):
                about = {
                    "osm_type": kind[0].upper(), "osm_id": number, "name": tags["name"], "city": "Helsinki",
                    "country": "Finland", "countrycode": "FI", "type": "street" if street else "house",
                    "osm_key": "highway" if street else "amenity", "osm_value": tags.get("amenity", ""),
                }
                features.append(
                    {"type": "Feature", "properties": about,
                     "geometry": {"type": "Point", "coordinates": [center[1], center[0]]}}
                )
        self.answer({"type": "FeatureCollection", "features": features})

    def yelp(self, query):
        if self.headers.get("Authorization") != f"Bearer {SECRET}":
            return self.answer({"error": {"code": "TOKEN_INVALID"}}, 401)
        if set(query) != {"latitude", "longitude", "radius", "categories", "limit", "sort_by"}:
            raise ValueError("unknown parameter")
        center = (float(query["latitude"]), float(query["longitude"]))
        businesses = []
        for name in query["categories"].split(","):
            key, values = YELP[name]
            for kind, number, place, tags in self.elements.matching(key, values, center, float(query["radius"])):
                businesses.append(
                    {"id": f"{kind}-{number}", "name": tags["name"], "rating": 4.5, "review_count": 120, "price": "€€",
                     "coordinates": {"latitude": place[0], "longitude": place[1]}, "is_closed": False,
                     "url": f"https://yelp.example/biz/{number}", "location": {"display_address": ["Helsinki"]}}
                )
        self.answer({"businesses": businesses[: int(query["limit"])], "total": len(businesses)})

    def osrm(self, parts, query):
        service, version, profile, text = parts
        if (version, profile) != ("v1", "foot"):
            raise ValueError("unknown profile")
        points = []
        for pair in urllib.parse.unquote(text).split(";"):
            lon, lat = map(float, pair.split(","))
            points.append((lat, lon))
        waypoints = [{"distance": self.elements.to_nearest(point), "location": [point[1], point[0]]} for point in points]
        ways = [[metres(a, b) * 1.3 for b in points] for a in points]
        match service:
            case "table" if query == {"annotations": "duration,distance"} and len(points) <= 100:
                times = [[way / 1.4 for way in row] for row in ways]
                self.answer({"code": "Ok", "durations": times, "distances": ways, "sources": waypoints})
            case "route" if query == {"overview": "false", "steps": "true", "geometries": "polyline"}:
                if any(waypoint["distance"] > 50_000 for waypoint in waypoints):
                    return self.answer({"code": "NoRoute", "message": "Impossible route between points"}, 400)
                legs = [
                    {"distance": ways[i][i + 1], "duration": ways[i][i + 1] / 1.4, "steps": [
                        {"geometry": polyline([points[i], points[i + 1]])}, {"geometry": polyline([points[i + 1]] * 2)}
                    ]}
                    for i in range(len(points) - 1)
                ]
                self.answer({"code": "Ok", "routes": [{"legs": legs}], "waypoints": waypoints})
            case _:
                raise ValueError("not understood")


def polyline(points):
    text, last = "", (0, 0)
    for point in points:
        new = tuple(round(value * 1e5) for value in point)
        for value in (new[0] - last[0], new[1] - last[1]):
            value = ~(value << 1) if value < 0 else value << 1
            while value >= 0x20:
                text += chr((0x20 | value & 0x1F) + 63)
                value >>= 5
            text += chr(value + 63)
        last = new
    return text


if __name__ == "__main__":
    Places.elements = Elements(sys.argv[1])
    serve(Places)
