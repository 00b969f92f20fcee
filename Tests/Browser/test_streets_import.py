"""Streets of real extracts, from the command that imports them to the page: Monaco, and then central Helsinki beside it."""

import re

import pytest
from conftest import served
from muster_server import ROOT
from playwright.sync_api import expect
from test_map import zoom_to
from test_streets import credit, names
from window import until

MONACO = ROOT / "scripts/demo/monaco.osm.pbf"
HELSINKI = ROOT / ".build/place-data/Helsinki.osm.pbf"
CASINO = (43.7392, 7.4274)

#: Bytes of the tiles of a desktop's view, as the server sends them.
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def mapped():
    for server in served("mapped"):
        server.import_map(MONACO)
        yield server


def described(window):
    """What the server says of its map."""
    return window.page.request.get(f"{window.url}/v1/map").json()


def test_an_imported_map_is_drawn_and_one_that_comes_is_noticed(window, mapped):
    ada = window(mapped, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    until(ada.page, lambda: described(ada)["tiles"], "the server does not open the map")
    tiles = []
    ada.context.on("response", lambda response: tiles.append(response) if re.search(r"\.mvt$", response.url) else None)
    ada.open().sign_up("Ada")
    ada.create_group("Friends")
    ada.follow_gps(*CASINO)
    # Names are drawn as the tiles come, so the first ones may lack those of the last tile.
    until(ada.page, lambda: len(names(ada)) >= 10 and "Monte-Carlo" in names(ada), lambda: f"{names(ada)}")
    expect(credit(ada)).to_be_visible()
    first = described(ada)["version"]
    assert {response.status for response in tiles} <= {200, 204}
    weight = sum(response.request.sizes()["responseBodySize"] for response in tiles)
    print({"tiles": len(tiles), "bytes": weight})
    assert weight <= MOST_BYTES, (weight, [response.url for response in tiles])

    mapped.import_map(HELSINKI)
    until(ada.page, lambda: described(ada)["version"] != first, "the server does not open the second part")
    now = described(ada)["version"]
    # Tiles that the page does not have yet lead it to the new map, or it looks for one because the map moves.
    zoom_to(ada, 15)
    until(ada.page, lambda: any(f"/{now}/" in response.request.url and response.request.redirected_from is None for response in tiles), "the page does not read the new map")
    until(ada.page, lambda: len(names(ada)) >= 5, lambda: f"{names(ada)}")
    assert [part["name"] for part in described(ada)["parts"]] == ["helsinki", "monaco"]


@pytest.fixture(scope="module")
def unmapped():
    yield from served("unmapped")


def test_the_first_map_and_a_part_beside_it_are_drawn_in_a_page_that_is_open(window, unmapped):
    ada = window(unmapped, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    ada.open().sign_up("Ada")
    ada.create_group("Friends")
    ada.follow_gps(*CASINO)
    assert described(ada)["tiles"] == [] and ada.at("street-names").count() == 0
    unmapped.import_map(MONACO)
    until(ada.page, lambda: described(ada)["tiles"], "the server does not open the map")

    def is_drawn_at(words, isnt=""):
        """Moves the map a little and back, as a reader does."""
        ada.at("map").focus()
        ada.page.keyboard.press("ArrowRight")
        ada.at("fit").click()
        ada.page.wait_for_timeout(500)
        drawn = names(ada) if ada.at("street-names").count() else []
        return len(drawn) >= 5 and words in [*drawn, ""] and isnt not in drawn

    until(ada.page, lambda: is_drawn_at("Monte-Carlo"), "the first map is not drawn")
    expect(credit(ada)).to_be_visible()
    unmapped.import_map(HELSINKI)
    until(ada.page, lambda: len(described(ada)["parts"]) == 2, "the server does not open the second part")
    # No tile of the first part shows the way to the second.
    ada.go_to(60.1699, 24.9384)
    until(ada.page, lambda: is_drawn_at("", isnt="Monte-Carlo"), lambda: f"the second part is not drawn: {names(ada)}", timeout=60)
