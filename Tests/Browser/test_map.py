"""The map stays readable, however many are on it and wherever they are."""

import itertools
import re

import pytest
from crowd import gather
from playwright.sync_api import expect
from test_page import PHONE, shows_at
from window import until

#: The positions of all items on the map, in world pixels at the map's zoom: bubbles, and the users in the list.
PLACES = """() => {
  const { zoom } = document.querySelector(".map").dataset;
  const size = 256 * 2 ** Number(zoom);
  const project = (lat, lon) => {
    const sine = Math.sin(lat * Math.PI / 180);
    return { x: size * (lon + 180) / 360, y: size * (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) };
  };
  const at = ({ dataset }) => project(Number(dataset.lat), Number(dataset.lon));
  const map = document.querySelector(".map").getBoundingClientRect();
  const markers = [...document.querySelectorAll(".leaflet-marker-pane .person")].map((marker) => {
    const box = marker.getBoundingClientRect();
    const screen = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const seen = screen.x > map.left && screen.x < map.right && screen.y > map.top && screen.y < map.bottom;
    return { ...at(marker), screen, seen, people: marker.dataset.people.split("|").filter(Boolean), count: Number(marker.dataset.count) };
  });
  const people = Object.fromEntries([...document.querySelectorAll(".members [data-lat]")].filter((row) => row.dataset.lat !== "")
    .map((row) => [row.dataset.name, at(row)]));
  return { zoom: Number(zoom), markers, people, map: { width: map.width, height: map.height } };
}"""


def zoom_to(window, wanted):
    """Zooms with the keyboard, step by step."""
    surface = window.at("map")
    surface.focus()
    for _ in range(40):
        now = float(surface.get_attribute("data-zoom"))
        if now == wanted:
            return
        # The zoom that fits all members may lie between two steps.
        window.page.keyboard.press("+" if now < wanted else "-")
        expect(surface).not_to_have_attribute("data-zoom", f"{now:g}", timeout=20_000)
        if abs(now - wanted) < 1:
            return
    raise AssertionError(f"the map does not come to zoom {wanted}")


def far(one, other):
    return ((one["x"] - other["x"]) ** 2 + (one["y"] - other["y"]) ** 2) ** 0.5


def holds(found):
    """No two bubbles nearer than 40 pixels, none further than 300 from its people, nobody twice, and nobody lost who is in sight."""
    markers, people = found["markers"], found["people"]
    for one, other in itertools.combinations(markers, 2):
        assert far(one, other) >= 39.9, (one, other)
        if one["seen"] and other["seen"]:
            assert far(one["screen"], other["screen"]) >= 39, (one, other)
    named = [name for marker in markers for name in marker["people"]]
    assert len(named) == len(set(named))
    for marker in markers:
        assert marker["count"] == len(marker["people"])
        for name in marker["people"]:
            assert far(marker, people[name]) <= 300, (marker, name)
        if marker["count"] == 1:
            assert far(marker, people[marker["people"][0]]) < 0.1, "who stands alone is drawn where they are"
    seen = [marker for marker in markers if marker["seen"]]
    if seen:
        # The centre of the map, computed from any marker on it.
        offset = {axis: seen[0][axis] - seen[0]["screen"][axis] for axis in "xy"}
        inside = [name for name, at in people.items()
                  if 0 < at["x"] - offset["x"] < found["map"]["width"] and 0 < at["y"] - offset["y"] < found["map"]["height"]]
        assert set(inside) <= set(named)
    return seen


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_crowd_is_readable_at_every_zoom(window, server, kind):
    options = PHONE if kind == "phone" else {"viewport": {"width": 1280, "height": 800}}
    ada = window(reduced_motion="reduce", **options).open().sign_up("Ada")
    for count in (60, 250):
        ada.page.goto("about:blank")
        group = gather(server, ada.username, count, seed=count)
        ada.open(f"/#/g/{group}/people")
        ada.is_live()
        # These rows exist even when they are hidden: the map is compared with the list.
        expect(ada.page.locator(".members [data-lat]:not([data-lat=''])")).to_have_count(count)
        ada.at("fit").click()
        everybody = ada.page.evaluate(PLACES)
        seen = holds(everybody)
        assert sum(marker["count"] for marker in seen) == count, "somebody is not fitted into the map"
        for zoom in (16, 10, 2):
            zoom_to(ada, zoom)
            holds(ada.page.evaluate(PLACES))


def test_everything_comes_from_the_server_itself_and_before_anybody_is_somewhere_the_map_asks_and_shows_no_city(window):
    asked = []
    ada = window()
    ada.page.on("response", lambda response: asked.append((response.status, response.url)))
    ada.open().sign_up("Ada").create_group("Choir")
    expect(ada.page.locator(".leaflet-land-pane path")).to_have_count(1)
    assert (200, f"{ada.url}/vendor/leaflet/leaflet.css") in asked
    assert any(status == 200 and url.startswith(f"{ada.url}/vendor/leaflet/leaflet") and url.endswith(".js") for status, url in asked)
    assert all(url.startswith(ada.url) for _, url in asked)
    headers = ada.page.request.get(ada.url).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    expect(ada.at("sharing-line")).to_have_text("Hidden")
    assert float(ada.at("map").get_attribute("data-zoom")) < 4
    expect(ada.at("fit")).not_to_be_visible()
    ada.context.grant_permissions(["geolocation"])
    ada.go_to(48.2082, 16.3738)
    ada.share("live")
    expect(ada.marker("Ada")).to_be_in_viewport()
    expect(ada.at("sharing-line")).to_have_text("Live · nobody else here yet")
    until(ada.page, lambda: float(ada.at("map").get_attribute("data-zoom")) > 10, "the map is not where she is")

    # Clusters of a server are drawn like one's own: the layer takes GeoJSON in supercluster's form.
    found = ada.page.evaluate("""async () => {
      const L = await import("/vendor/leaflet/leaflet.esm.min.js");
      const { ClusterLayer } = await import("/app/map/cluster-layer.js");
      const holder = document.createElement("div");
      holder.style.cssText = "position:fixed;inset:0;z-index:9999";
      document.body.append(holder);
      const map = L.map(holder, { zoomAnimation: false, maxZoom: 19 }).setView([48.2, 16.37], 12);
      const picked = [];
      const layer = new ClusterLayer(map, {
        className: "served", label: (features) => features.map((each) => each.id).join(" "),
        draw: (pin, features) => (pin.textContent = features.reduce((sum, each) => sum + (each.properties.point_count ?? 1), 0)),
        onPick: (feature) => picked.push(feature.id), onList: (features) => picked.push(features.map((each) => each.id)),
      });
      const point = (id, lon, properties) => ({ type: "Feature", id, geometry: { type: "Point", coordinates: [lon, 48.2] }, properties });
      layer.show([
        point("c:12:1:1", 16.35, { cluster: true, cluster_id: "c:12:1:1", point_count: 37, expansion_zoom: 13 }),
        point("c:12:1:2", 16.37, { cluster: true, cluster_id: "c:12:1:2", point_count: 5, expansion_zoom: 17 }),
        point("s:501", 16.39, { cluster: false, id: "501" }),
      ]);
      const texts = [...document.querySelectorAll(".served")].map((marker) => [marker.textContent, marker.dataset.count]);
      document.querySelectorAll(".served")[2].click();
      document.querySelectorAll(".served")[1].click();
      const moved = new Promise((done) => map.on("zoomend", () => done(map.getZoom())));
      document.querySelectorAll(".served")[0].click();
      const zoom = await moved;
      layer.remove();
      map.remove();
      holder.remove();
      return { texts, picked, zoom };
    }""")
    assert found["texts"] == [["37", "37"], ["5", "5"], ["1", "1"]]
    assert found["picked"] == ["s:501", ["c:12:1:2"]]
    assert found["zoom"] == 14


def test_who_joins_out_of_sight_is_pointed_at_from_the_edge(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ada.follow_gps(48.2082, 16.3738)
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ben.follow_gps(47.0707, 15.4395)
    pointer = ada.page.get_by_test_id(re.compile("^edge-"))
    expect(pointer).to_have_attribute("aria-label", "Ben is 145 km to the south-west: show")
    expect(ada.marker("Ben")).not_to_be_in_viewport()
    box, stage = pointer.bounding_box(), ada.at("map").bounding_box()
    assert stage["x"] <= box["x"] and box["x"] + box["width"] <= stage["x"] + stage["width"]
    pointer.click()
    expect(ada.marker("Ben")).to_be_in_viewport()
    expect(pointer).to_have_count(0)
    ada.at("fit").click()
    for name in ("Ada", "Ben"):
        expect(ada.marker(name)).to_be_in_viewport()
    # Ben's own map shows both from the start: it was fitted when he opened it.
    expect(ben.page.get_by_test_id(re.compile("^edge-"))).to_have_count(0)


def test_links_back_and_reload_lead_to_the_same_place(pair):
    ada, ben = pair
    ada.step(*["ArrowUp"] * 6)
    shows_at(ben, "Ada", ada.position("Ada"))
    ben.row("Ada").click()
    callout = ben.page.get_by_test_id(re.compile("^callout-[0-9]"))
    expect(callout).to_contain_text("north of you")
    address = ben.page.url
    assert re.search(r"#/g/\d+/people/\d+$", address)
    ben.page.reload()
    ben.is_live()
    expect(callout).to_be_visible()
    ben.visit("places")
    expect(callout).to_have_count(0)
    ben.page.go_back()
    expect(callout).to_be_visible()
    ben.page.go_back()
    expect(callout).to_have_count(0)
    expect(ben.at("member-list")).to_be_visible()
    ben.page.goto(address.replace("/people/", "/nonsense/"))
    expect(ben.page.locator("#heading")).to_have_text("Map")
    ben.page.goto(f"{ben.url}/#/g/1/people")
    expect(ben.at("toasts")).to_contain_text("You are not in this group.")
    expect(ben.at("group-switcher")).to_contain_text("Sunday climbers")
