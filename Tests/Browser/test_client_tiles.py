"""The client module holds the tiles that the server tells it of: against a server that the test plays, frame by frame."""

import json
import math

import pytest
from test_client import origin, page, play, run, server, wait_until  # noqa: F401

VIENNA = [16.0, 48.0, 16.4, 48.3]


def feature(name, lon=16.2):
    return {"type": "Feature", "id": name, "geometry": {"type": "Point", "coordinates": [lon, 48.2]}, "properties": {"cluster": False, "id": name}}


def tile(z, x, y, *features, full=True, gone=(), version=1):
    return {"z": z, "x": x, "y": y, "version": version, "full": full, "features": list(features), "gone": list(gone)}


def covered(page, zoom, bbox):
    names = run(page, "return [...M.tileCover(...argument)];", [zoom, bbox])
    return [tuple(int(part) for part in name.split("/")) for name in names]


def of_server(zoom, bbox):
    """The tiles that a server covers a box with, which computes rows otherwise than the client."""
    west, south, east, north = bbox
    size = 2 ** zoom
    column = lambda lon: min(size - 1, max(0, int((lon + 180) / 360 * size)))  # noqa: E731

    def row(lat):
        sine = math.sin(math.radians(min(85.0511287798, max(-85.0511287798, lat))))
        return min(size - 1, max(0, int((0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * size)))

    first, last = column(west), column(east)
    columns = range(first, last + 1) if west <= east else range(size) if first <= last else [*range(first, size), *range(last + 1)]
    return [(zoom, x, y) for y in range(row(north), row(south) + 1) for x in columns]


def watch(page, zoom, bbox, layer="spots"):
    page.evaluate("""(wanted) => {
        window.changes ??= [];
        if (changes.listens !== true) client.addEventListener("tiles", ({ detail }) => changes.push(detail));
        changes.listens = true;
        client.watchTiles(wanted).then((inForce) => (window.inForce = inForce), (error) => (window.refused = error.code));
    }""", {"layer": layer, "zoom": zoom, "bbox": bbox})


def held(page, layer="spots"):
    return sorted(page.evaluate("(layer) => [...(client.tiles(layer)?.features() ?? [])].map(({ id }) => id)", layer))


@pytest.mark.parametrize(("zoom", "bbox", "count"), [
    (0, [-180, -90, 180, 90], 1), (2, [-180, -85, 180, 85], 16), (3, [170, -1, -170, 1], 4), (1, [100, -1, 90, 1], 4), (12, [16.3, 48.2, 16.3, 48.2], 1),
])
def test_a_box_is_covered_by_tiles(page, zoom, bbox, count):  # noqa: F811
    assert len(covered(page, zoom, bbox)) == count


@pytest.mark.parametrize(("zoom", "bbox"), [
    (0, [-180, -90, 180, 90]), (0, [170, -10, -170, 10]), (1, [100, -1, 90, 1]), (1, [-180, -90, 180, 90]), (3, [170, -1, -170, 1]),
    (3, [-180, -90, 180, -80]), (5, [-180, 84, -170, 90]), (5, [180, -90, 180, -84]), (4, [179.99, 80, -179.99, 90]),
    *((zoom, [0, edge, 360 / 2 ** zoom, edge]) for zoom in (3, 7, 12, 17, 22) for edge in
      [math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * row / 2 ** zoom)))) for row in (1, 2, 2 ** zoom // 2, 2 ** zoom // 3)]),
])
def test_the_box_that_is_asked_for_has_the_tiles_that_the_client_expects(page, server, zoom, bbox):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    watch(page, zoom, bbox)
    asked = server.wait_for("tiles.watch")
    assert of_server(zoom, asked["bbox"]) == covered(page, zoom, bbox)
    west, south, east, north = asked["bbox"]
    # Far from any edge, so that rounding cannot select another tile.
    size = 2 ** zoom
    for lon in (west, east):
        assert abs((lon + 180) / 360 * size % 1 - 0.5) < 0.01
    for lat in (south, north):
        assert abs((0.5 - math.asinh(math.tan(math.radians(lat))) / (2 * math.pi)) * size % 1 - 0.5) < 0.01


def test_tiles_are_put_changed_and_dropped_with_their_watch(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    watch(page, 10, VIENNA)
    asked = server.wait_for("tiles.watch")
    first, *others = covered(page, 10, VIENNA)
    assert (asked["layer"], asked["zoom"]) == ("spots", 10)
    assert of_server(10, asked["bbox"]) == [first, *others]
    assert others
    server.say({"type": "ok", "id": asked["id"], "watch": "1", "tiles": 1 + len(others)})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*first, feature("s:1"), feature("s:2"))]})
    wait_until(page, "window.inForce === true && changes.length === 1")
    assert page.evaluate("client.tiles('spots').isComplete") is False
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*each) for each in others]})
    # Tiles of another layer, another area or an unknown tile are ignored.
    server.say({"type": "tiles", "layer": "pins", "tiles": [tile(*first, feature("p:1"))]})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(10, 1, 1, feature("s:9")), tile(9, first[1] // 2, first[2] // 2, feature("s:9"))]})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*first, feature("s:3"), feature("s:1", lon=16.3), full=False, gone=["s:2"], version=2)]})
    wait_until(page, "changes.length === 3")
    assert page.evaluate("client.tiles('spots').isComplete") is True
    assert held(page) == ["s:1", "s:3"]
    assert page.evaluate("([z, x, y]) => client.tiles('spots').tile(z, x, y).features.get('s:1').geometry.coordinates[0]", list(first)) == 16.3
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*first, feature("s:4"), version=3)]})
    wait_until(page, "changes.length === 4")
    assert held(page) == ["s:4"], "a full tile replaces what was held"

    watch(page, 10, [100, 10, 100.1, 10.1])
    asked = server.wait_for("tiles.watch", 2)
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*first, feature("s:5"), full=False, version=4)]})
    wait_until(page, "changes.length === 5")
    assert held(page) == ["s:4", "s:5"], "until the server has taken the new watch the old one holds"
    server.say({"type": "ok", "id": asked["id"], "watch": "2", "tiles": 1})
    wait_until(page, "changes.length === 6")
    assert held(page) == []
    page.evaluate("() => { client.unwatchTiles('spots').then(() => (window.unwatched = true)); }")
    server.say({"type": "ok", "id": server.wait_for("tiles.unwatch")["id"]})
    wait_until(page, "window.unwatched && client.tiles('spots') === null")


def test_after_a_reconnect_the_watch_is_said_anew_and_what_comes_replaces(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    watch(page, 12, [16.3, 48.2, 16.3, 48.2])
    (only,) = covered(page, 12, [16.3, 48.2, 16.3, 48.2])
    server.say({"type": "ok", "id": server.wait_for("tiles.watch")["id"], "watch": "1", "tiles": 1})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*only, feature("s:1"), version=7)]})
    wait_until(page, "changes.length === 1")
    server.sockets[-1].close(code=1012)
    asked = server.wait_for("tiles.watch", 2)
    assert held(page) == ["s:1"], "what was seen stays until it is known better"
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*only, feature("s:2"), version=1)]})
    server.say({"type": "ok", "id": asked["id"], "watch": "2", "tiles": 1})
    wait_until(page, "changes.length === 2")
    assert held(page) == ["s:2"]


def test_of_wishes_that_come_while_one_is_asked_the_newest_is_said(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    places = [[lon, 48.2, lon, 48.2] for lon in (10, 11, 12, 13)]
    for place in places:
        watch(page, 12, place)
    asked = server.wait_for("tiles.watch")
    server.say({"type": "ok", "id": asked["id"], "watch": "1", "tiles": 1})
    asked = server.wait_for("tiles.watch", 2)
    assert of_server(12, asked["bbox"]) == covered(page, 12, places[-1])
    server.say({"type": "ok", "id": asked["id"], "watch": "2", "tiles": 1})
    wait_until(page, "window.inForce === true")
    assert len(server.sent("tiles.watch")) == 2


def test_a_layer_that_is_being_loaded_is_asked_for_again(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    watch(page, 12, [16.3, 48.2, 16.3, 48.2])
    asked = server.wait_for("tiles.watch")
    server.say({"type": "error", "id": asked["id"], "code": "unavailable", "message": "loading", "retry": True, "retryAfter": 30})
    asked = server.wait_for("tiles.watch", 2)
    server.say({"type": "error", "id": asked["id"], "code": "too_many_tiles", "message": "too many", "retry": False})
    wait_until(page, "window.refused === 'too_many_tiles'")
    assert page.evaluate("client.tiles('spots')") is None


def test_a_watch_whose_answer_does_not_come_is_ended_and_said_anew(page):  # noqa: F811
    page.clock.install()
    server = play(page)
    wait_until(page, "client.status.state === 'live'")
    place = [16.3, 48.2, 16.3, 48.2]
    (only,) = covered(page, 12, place)
    watch(page, 12, place)
    server.wait_for("tiles.watch")
    for _ in range(4):
        page.clock.run_for(4_000)
        for _ in server.sent("ping"):
            server.say({"type": "pong", "at": 1732060800000})
    # It arrives while nothing is requested: the server assumes that the client has it.
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*only, feature("s:1"))]})
    page.wait_for_timeout(50)
    for _ in range(2):
        page.clock.run_for(3_000)
        for _ in server.sent("ping"):
            server.say({"type": "pong", "at": 1732060800000})
    ended = server.wait_for("tiles.unwatch")
    assert len(server.sent("tiles.watch")) == 1
    server.say({"type": "ok", "id": ended["id"]})
    asked = server.wait_for("tiles.watch", 2)
    server.say({"type": "ok", "id": asked["id"], "watch": "2", "tiles": 1})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*only, feature("s:1"), version=2)]})
    page.clock.run_for(100)
    wait_until(page, "window.inForce === true && changes.length === 1")
    assert held(page) == ["s:1"]
    assert page.evaluate("client.tiles('spots').isComplete") is True


def test_when_a_tile_changes_that_is_not_held_all_are_sent_again(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    watch(page, 10, VIENNA)
    first, second, *_ = covered(page, 10, VIENNA)
    server.say({"type": "ok", "id": server.wait_for("tiles.watch")["id"], "watch": "1", "tiles": 2})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*first, feature("s:1"))]})
    wait_until(page, "window.inForce === true && changes.length === 1")
    for version in (2, 3):
        server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*second, feature("s:2"), full=False, version=version)]})
    ended = server.wait_for("tiles.unwatch")
    assert held(page) == ["s:1"], "what was seen stays until it is known better"
    server.say({"type": "ok", "id": ended["id"]})
    asked = server.wait_for("tiles.watch", 2)
    server.say({"type": "ok", "id": asked["id"], "watch": "2", "tiles": 2})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*first), tile(*second, feature("s:2"), version=3)]})
    wait_until(page, "changes.length === 2")
    assert held(page) == ["s:2"]
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*second, feature("s:3"), full=False, version=4)]})
    wait_until(page, "changes.length === 3")
    assert held(page) == ["s:2", "s:3"]
    assert len(server.sent("tiles.unwatch")) == 1 and len(server.sent("tiles.watch")) == 2


def test_whoever_loses_a_group_holds_nothing_of_its_map(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    group = {"id": "81", "name": "Choir", "role": "member", "settings": {}}
    server.say({"type": "group", "group": group})
    watch(page, 12, [16.3, 48.2, 16.3, 48.2], layer="group:81")
    (only,) = covered(page, 12, [16.3, 48.2, 16.3, 48.2])
    server.say({"type": "ok", "id": server.wait_for("tiles.watch")["id"], "watch": "1", "tiles": 1})
    server.say({"type": "tiles", "layer": "group:81", "tiles": [tile(*only, feature("u:7"))]})
    wait_until(page, "changes.length === 1")
    assert held(page, "group:81") == ["u:7"]
    server.say({"type": "roster", "group": "81", "epoch": "e", "version": 1, "full": True, "gathering": None, "members": [{"user": "7", "name": "Ada"}]})
    server.say({"type": "update", "group": "81", "version": 2, "members": [], "gone": ["7"]})
    wait_until(page, "changes.length === 2")
    assert page.evaluate("client.tiles('group:81')") is None


def test_a_cluster_is_asked_about_and_its_leaves_are_paged(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    page.evaluate("() => { client.cluster('spots', 'c:12:1:2').then((answer) => (window.answer = answer)); }")
    asked = server.wait_for("tiles.cluster")
    assert (asked["layer"], asked["cluster"]) == ("spots", "c:12:1:2")
    server.say({"type": "ok", "id": asked["id"], "count": 37, "expansion_zoom": 14, "bbox": [1, 2, 3, 4]})
    wait_until(page, "window.answer?.expansion_zoom === 14")
    requests = []

    def answer(route):
        requests.append((route.request.url.split("/v1/")[1], route.request.headers.get("authorization")))
        route.fulfill(body=json.dumps({"leaves": [feature("s:1")], "next": None}), content_type="application/json")

    page.route("**/v1/clusters/**", answer)
    leaves = run(page, "return (await M.clusterLeaves(location.origin, 'group:81', 'c:12:u7', { token: 't', after: 'a-1', limit: 5 })).leaves.length;")
    assert leaves == 1
    assert requests == [("clusters/group%3A81/c%3A12%3Au7/leaves?limit=5&after=a-1", "Bearer t")]
