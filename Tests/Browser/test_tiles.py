"""Tiles over HTTP, read by a decoder of vector tiles that others wrote; no browser takes part."""

import gzip
import json
import math
import random
import urllib.error
import urllib.request

import mapbox_vector_tile
import pytest
from muster_server import MusterServer

#: Tiles with clusters, with spots, near the date line, at the corner of the map, and without features.
TILES = ["0/0/0", "2/2/1", "4/8/5", "8/139/88", "12/2234/1420", "16/35748/22721", "18/142995/90888", "3/7/3", "3/0/0"]


def get(server, path, **headers):
    """Status, headers and body of an answer."""
    request = urllib.request.Request(server.url + path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def post(server, path, body):
    """The JSON of an answer."""
    request = urllib.request.Request(
        server.url + path, data=json.dumps(body).encode(), headers={"content-type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def wait_until_loaded(server):
    """Waits until spots are on the map."""
    for _ in range(600):
        if get(server, "/v1/tiles/spots/0/0/0.json")[0] == 200:
            return
    raise AssertionError("spots are never loaded")


@pytest.fixture(scope="module")
def town():
    """A server with 500 spots, in and round Vienna and anywhere."""
    server = MusterServer()
    try:
        server.start()
        account = {"username": "ada", "password": "correct horse battery", "name": "Ada"}
        author = post(server, "/v1/accounts", account)["user"]["id"]
        dice = random.Random(7)
        rows = []
        for number in range(500):
            near = number < 350
            lat = 48.2082 + dice.gauss(0, 0.01) if near else dice.uniform(-85, 85)
            lon = 16.3738 + dice.gauss(0, 0.01) if near else dice.uniform(-180, 180)
            category = "NULL" if number % 3 else "'café'"
            rows.append(f"({7_000_000_000 + number}, {author}, {lat}, {lon}, 'Spot «{number}»', {category}, now())")
        server.sql("INSERT INTO muster.spot (id, author_id, lat, lon, comment, category, created_at) VALUES "
                   + ", ".join(rows))
        assert server.stop() == 0
        server.start()
        wait_until_loaded(server)
        yield server
        assert server.stop() == 0
        assert server.problems() == []
    finally:
        server.remove()


def number_of(name):
    """The number of a feature in a vector tile: 53 bits of FNV-1a of its id."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return (value ^ value >> 53) % 2**53


def without_nulls(properties):
    """What a vector tile can say of properties: it has no null."""
    return {name: value for name, value in properties.items() if value is not None}


def test_a_vector_tile_says_what_the_json_says(town):
    for tile in TILES:
        status, headers, body = get(town, f"/v1/tiles/spots/{tile}.json")
        assert status == 200
        assert headers["content-type"] == "application/geo+json"
        features = json.loads(body)["features"]
        status, headers, body = get(town, f"/v1/tiles/spots/{tile}.mvt")
        if not features:
            assert (status, body) == (204, b""), tile
            continue
        assert status == 200
        assert headers["content-type"] == "application/vnd.mapbox-vector-tile"
        says_the_same(tile, mapbox_vector_tile.decode(body, default_options={"y_coord_down": True}), features)


def says_the_same(tile, decoded, features):
    """Compares a vector tile with the features of its JSON."""
    assert list(decoded) == ["spots"]
    layer = decoded["spots"]
    assert (layer["version"], layer["extent"]) == (2, 4096)
    assert [each["properties"] for each in layer["features"]] == [
        without_nulls(each["properties"]) for each in features]
    numbers = [each["id"] for each in layer["features"]]
    assert len(set(numbers)) == len(numbers)
    assert all(0 <= number < 2**53 for number in numbers)
    assert numbers == [number_of(each["id"]) for each in features]
    zoom, column, row = map(int, tile.split("/"))
    for point, feature in zip(layer["features"], features):
        x, y = point["geometry"]["coordinates"]
        assert 0 <= x < 4096 and 0 <= y < 4096
        longitude = (column + x / 4096) / 2**zoom * 360 - 180
        assert abs(longitude - feature["geometry"]["coordinates"][0]) <= 360 / 4096 / 2**zoom / 4 + 1e-7
        latitude = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * (row + y / 4096) / 2**zoom))))
        # On this map a degree of longitude is wider than one of latitude, so this is less than a quarter step.
        assert abs(latitude - feature["geometry"]["coordinates"][1]) <= 360 / 4096 / 2**zoom / 4 + 1e-7


def test_every_spot_is_counted_once_at_every_zoom(town):
    for zoom in range(4):
        count = 0
        for x in range(2**zoom):
            for y in range(2**zoom):
                features = json.loads(get(town, f"/v1/tiles/spots/{zoom}/{x}/{y}.json")[2])["features"]
                count += sum(each["properties"].get("point_count", 1) for each in features)
        assert count == 500


def test_what_did_not_change_is_not_sent_again_and_long_answers_are_packed(town):
    path = "/v1/tiles/spots/8/139/88.json"
    _, headers, plain = get(town, path)
    assert headers["cache-control"] == "public, max-age=1"
    tag = headers["etag"]
    status, headers, body = get(town, path, If_None_Match=tag)
    assert (status, body, headers["etag"]) == (304, b"", tag)
    status, headers, body = get(town, path, Accept_Encoding="gzip")
    if headers["content-encoding"] == "gzip":
        assert gzip.decompress(body) == plain
        assert headers["etag"] != tag
    else:
        assert body == plain


def test_leaves_are_all_points_of_a_cluster_page_by_page(town):
    features = json.loads(get(town, "/v1/tiles/spots/8/139/88.json")[2])["features"]
    cluster = max(features, key=lambda each: each["properties"].get("point_count", 1))["id"]
    summary = json.loads(get(town, f"/v1/clusters/spots/{cluster}")[2])
    assert summary["count"] > 100
    west, south, east, north = summary["bbox"]
    leaves, after = [], None
    while True:
        page = json.loads(get(town, f"/v1/clusters/spots/{cluster}/leaves?limit=40" + (f"&after={after}" if after else ""))[2])
        leaves += page["leaves"]
        after = page["next"]
        if after is None:
            break
        assert len(page["leaves"]) == 40
    assert len({each["id"] for each in leaves}) == len(leaves) == summary["count"]
    for each in leaves:
        longitude, latitude = each["geometry"]["coordinates"]
        assert west <= longitude <= east and south <= latitude <= north
        assert each["properties"]["comment"].startswith("Spot «")
    assert get(town, f"/v1/clusters/spots/{cluster}/leaves?limit=0")[0] == 400
    assert get(town, f"/v1/clusters/spots/{cluster}/leaves?limit=101")[0] == 400
    assert get(town, f"/v1/clusters/spots/{cluster}/leaves?after=x")[0] == 400
    assert get(town, "/v1/clusters/spots/c:8:0:0")[0] == 410
    assert get(town, "/v1/clusters/spots/nonsense")[0] == 410


def test_a_restart_gives_the_same_tiles_byte_for_byte(town):
    paths = [f"/v1/tiles/spots/{tile}.{kind}" for tile in TILES for kind in ("json", "mvt")]
    before = [(status, headers["etag"], body) for status, headers, body in (get(town, path) for path in paths)]
    town.kill()
    town.start()
    wait_until_loaded(town)
    after = [(status, headers["etag"], body) for status, headers, body in (get(town, path) for path in paths)]
    assert after == before


def test_what_is_not_there_or_not_for_strangers(town):
    for path, status in [
        ("/v1/tiles/spots/23/0/0.json", 404), ("/v1/tiles/spots/3/8/0.mvt", 404), ("/v1/tiles/spots/3/0/-1.json", 404),
        ("/v1/tiles/spots/x/0/0.json", 404), ("/v1/tiles/plans/0/0/0.json", 404), ("/v1/tiles/group/0/0/0.json", 404),
        ("/v1/tiles/group:7/0/0/0.json", 401), ("/v1/clusters/group:7/c:0:u7", 401), ("/v1/tiles/spots/0/0/0.png", 404),
    ]:
        assert get(town, path)[0] == status, path
