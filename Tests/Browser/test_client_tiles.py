"""The client module holds the tiles that the server tells it of: against a server that the test plays, frame by frame."""

import json

import pytest
from test_client import origin, page, run, server, wait_until  # noqa: F401

VIENNA = [16.0, 48.0, 16.4, 48.3]


def feature(name, lon=16.2):
    return {"type": "Feature", "id": name, "geometry": {"type": "Point", "coordinates": [lon, 48.2]}, "properties": {"cluster": False, "id": name}}


def tile(z, x, y, *features, full=True, gone=(), version=1):
    return {"z": z, "x": x, "y": y, "version": version, "full": full, "features": list(features), "gone": list(gone)}


def covered(page, zoom, bbox):
    names = run(page, "return [...M.tileCover(...argument)];", [zoom, bbox])
    return [tuple(int(part) for part in name.split("/")) for name in names]


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


def test_tiles_are_put_changed_and_dropped_with_their_watch(page, server):  # noqa: F811
    wait_until(page, "client.status.state === 'live'")
    watch(page, 10, VIENNA)
    asked = server.wait_for("tiles.watch")
    assert (asked["layer"], asked["zoom"], asked["bbox"]) == ("spots", 10, VIENNA)
    first, *others = covered(page, 10, VIENNA)
    assert others
    server.say({"type": "ok", "id": asked["id"], "watch": "1", "tiles": 1 + len(others)})
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*first, feature("s:1"), feature("s:2"))]})
    wait_until(page, "window.inForce === true && changes.length === 1")
    assert page.evaluate("client.tiles('spots').isComplete") is False
    server.say({"type": "tiles", "layer": "spots", "tiles": [tile(*each) for each in others]})
    # What is of another layer, another place, or of a tile that is not held, is of no concern.
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
    assert asked["bbox"] == places[-1]
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
