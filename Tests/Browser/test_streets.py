"""The map draws the server's own streets, asks no other host, and says whose data it shows."""

import math
import re

import mapbox_vector_tile
import pytest
import town
from axe import finds_nothing
from playwright.sync_api import expect
from test_map import zoom_to
from test_page import PHONE
from window import until

HERE = (-120, -100)

#: The colours of the streets' pictures at points on the screen, without what lies over them; null where there is no picture.
READ_COLOURS = """(points) => {
  const canvases = [...document.querySelectorAll(".street-tiles canvas[data-theme]")].map((canvas) => ({ canvas, box: canvas.getBoundingClientRect() }));
  return points.map(([x, y]) => {
    const found = canvases.find(({ box }) => x >= box.left && x < box.right && y >= box.top && y < box.bottom);
    if (!found) return null;
    const { canvas, box } = found;
    const copy = new OffscreenCanvas(1, 1);
    const context = copy.getContext("2d");
    context.drawImage(canvas, -Math.floor((x - box.left) * canvas.width / box.width), -Math.floor((y - box.top) * canvas.height / box.height));
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return alpha === 0 ? "transparent" : `#${[red, green, blue].map((each) => each.toString(16).padStart(2, "0")).join("")}`;
  });
}"""

#: Points of the town, as metres to the east and north, with the names of their colours.
POINTS = {
    "park": (-230, 220), "water": (-165, 170), "building": (-375, -75), "built": (-375, 130), "major": (-75, -600), "street": (-75, -300),
}


@pytest.fixture
def townsfolk(window):
    """Opens a window on the town, with the server's answers."""

    def look(prepare=lambda ada: None, **options):
        ada = window(**{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options})
        ada.town = town.TownServer(ada)
        prepare(ada)
        ada.open().sign_up("Ada")
        ada.create_group("Friends")
        ada.follow_gps(*town.at(*HERE))
        return ada

    return look


def names(window):
    """The names in view."""
    return [name for name in (window.at("street-names").get_attribute("data-names") or "").split("|") if name]


def screen(window, east, north):
    """Where a point of the town is on the screen."""
    box = window.marker("Ada").bounding_box()
    zoom = float(window.at("map").get_attribute("data-zoom"))
    pixels = 256 * 2**zoom * town.STRETCH / town.WORLD
    return [box["x"] + box["width"] / 2 + (east - HERE[0]) * pixels, box["y"] + box["height"] / 2 - (north - HERE[1]) * pixels]


def colours(window, points):
    return window.page.evaluate(READ_COLOURS, [screen(window, *point) for point in points])


def theme_colours(window, theme):
    return window.page.evaluate("async (theme) => (await import('/app/streets/style.js')).THEMES[theme]", theme)


def is_drawn(window, theme="light"):
    """Waits until the town's points have the colours of a theme."""
    wanted = theme_colours(window, theme)
    until(window.page, lambda: colours(window, POINTS.values()) == [wanted[name] for name in POINTS],
          lambda: f"{dict(zip(POINTS, colours(window, POINTS.values())))} and not {[wanted[name] for name in POINTS]}")


THEMES = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"color_scheme": "light", "contrast": "more"},
    "contrastDark": {"color_scheme": "dark", "contrast": "more"},
}


def test_streets_and_names_are_drawn_in_four_themes_and_nobody_else_is_asked(townsfolk):
    ada = townsfolk()
    for theme, media in THEMES.items():
        ada.page.emulate_media(reduced_motion="reduce", **media)
        is_drawn(ada, theme)
        ground = ada.at("map").evaluate("(map) => getComputedStyle(map).backgroundColor")
        red, green, blue = (int(theme_colours(ada, theme)["beyond"][at:at + 2], 16) for at in (1, 3, 5))
        assert ground == f"rgb({red}, {green}, {blue})", theme
        until(ada.page, lambda: len(names(ada)) >= 10, lambda: f"{names(ada)}")
        finds_nothing(ada, f"streets, {theme}")
    for forced, theme in (("light", "contrast"), ("dark", "contrastDark")):
        ada.page.emulate_media(reduced_motion="reduce", color_scheme=forced, contrast="no-preference", forced_colors="active")
        is_drawn(ada, theme)
    assert {"Alma Park", "Gorse Avenue", "Fir Street"} <= set(names(ada))
    assert ada.at("street-names").get_attribute("aria-hidden") == "true"
    assert ada.asked_elsewhere == []


def test_on_a_phone_too_names_are_drawn_and_their_boxes_never_meet(townsfolk):
    ada = townsfolk(**PHONE)
    until(ada.page, lambda: len(names(ada)) >= 4, lambda: f"{names(ada)}")
    placed = ada.page.evaluate("""async (address) => {
      const [{ decodeTile }, { candidates, placeNames }] = await Promise.all([import("/app/streets/mvt.js"), import("/app/streets/labels.js")]);
      const layers = decodeTile(await (await fetch(address)).arrayBuffer());
      const context = new OffscreenCanvas(1, 1).getContext("2d");
      const measure = (font, text) => {
        context.font = font;
        return context.measureText(text).width;
      };
      const bounds = { left: 0, top: 0, right: 2048, bottom: 2048 };
      return placeNames(candidates(layers, { x: 0, y: 0 }, 2048, 18, bounds), measure, bounds).map(({ text, boxes }) => ({ text, boxes }));
    }""", "/v1/map/town-1/15/17059/11947.mvt")
    assert len(placed) >= 10
    for at, one in enumerate(placed):
        for other in placed[at + 1:]:
            for a in one["boxes"]:
                for b in other["boxes"]:
                    assert not (a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]), (one["text"], other["text"])


#: Keeps what the page asks the worker for names, and its last answer: `{left, top, names: [{text, boxes}]}`.
OVERHEAR_NAMES = """(() => {
  const views = new Map();
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...more) {
    if (message.kind === "names") views.set(message.id, message);
    return post.call(this, message, ...more);
  };
  globalThis.Worker = class extends Worker {
    constructor(...of) {
      super(...of);
      this.addEventListener("message", ({ data: { id, names } }) => {
        if (names) globalThis.namesDrawn = { left: views.get(id).left, top: views.get(id).top, names };
      });
    }
  };
})();"""

#: The middle of a label below the middle of its face, in pixels.
LABEL_BELOW = 34


def near_names(window):
    """The names in view as `{text, middle, boxes}` on the screen, from those nearest to the user's face on."""
    map_box, face = window.at("map").bounding_box(), window.marker("Ada").bounding_box()
    drawn = window.page.evaluate("namesDrawn")
    found = []
    for each in drawn["names"]:
        boxes = [[x + map_box["x"] - drawn["left"], y + map_box["y"] - drawn["top"], right + map_box["x"] - drawn["left"], bottom + map_box["y"] - drawn["top"]]
                 for x, y, right, bottom in each["boxes"]]
        left, top, right, bottom = boxes[len(boxes) // 2]
        found.append({"text": each["text"], "middle": ((left + right) / 2, (top + bottom) / 2), "boxes": boxes})
    here = (face["x"] + face["width"] / 2, face["y"] + face["height"] / 2)
    return sorted(found, key=lambda each: math.dist(each["middle"], here))


def covered(window):
    """The texts of names that the label of the user's face lies on."""
    label = window.marker("Ada").locator(".who-label").bounding_box()
    left, top, right, bottom = label["x"], label["y"], label["x"] + label["width"], label["y"] + label["height"]
    return {each["text"] for each in near_names(window) if any(box[0] < right and box[2] > left and box[1] < bottom and box[3] > top for box in each["boxes"])}


@pytest.mark.parametrize("screen_of", [{}, PHONE], ids=["wide", "phone"])
def test_names_of_streets_yield_to_the_names_of_people_and_come_back(townsfolk, screen_of):
    ada = townsfolk(lambda ada: ada.page.add_init_script(OVERHEAR_NAMES), **screen_of)
    until(ada.page, lambda: len(names(ada)) >= 4, lambda: f"{names(ada)}")
    box = ada.marker("Ada").bounding_box()
    pixels = 256 * 2 ** float(ada.at("map").get_attribute("data-zoom")) * town.STRETCH / town.WORLD
    texts = [each["text"] for each in near_names(ada)]
    # A name that stands only once in view, so that its text tells whether it is drawn.
    name = next(each for each in near_names(ada) if texts.count(each["text"]) == 1 and each["text"] in names(ada))
    x, y = name["middle"]
    east = HERE[0] + (x - box["x"] - box["width"] / 2) / pixels
    north = HERE[1] - (y - LABEL_BELOW - box["y"] - box["height"] / 2) / pixels
    ada.go_to(*town.at(east, north))
    until(ada.page, lambda: name["text"] in covered(ada), "the user's label is not on the name")
    until(ada.page, lambda: name["text"] not in names(ada), lambda: f"{name['text']} is drawn below the user's label")
    assert len(names(ada)) >= 2, "other names stay"
    ada.go_to(*town.at(*HERE))
    until(ada.page, lambda: name["text"] not in covered(ada), "the user's label is still on the name")
    until(ada.page, lambda: name["text"] in names(ada), lambda: f"{name['text']} does not come back")
    assert next(each for each in near_names(ada) if each["text"] == name["text"])["middle"] == pytest.approx(name["middle"], abs=1), "the name has moved"


#: A tile as the page decodes it: layers with the attributes and the flat parts of their features.
DECODE = """async (address) => {
  const { decodeTile } = await import("/app/streets/mvt.js");
  const layers = decodeTile(await (await fetch(address)).arrayBuffer());
  return Object.fromEntries([...layers].map(([name, features]) => [name, features.map(({ attributes, parts }) => [attributes, parts.map(({ points }) => points)])]));
}"""


def flat(geometry):
    """The parts of a geometry as flat coordinates; rings without the repetition of their first point."""
    depth = {"Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}[geometry["type"]]
    parts = [geometry["coordinates"]]
    for _ in range(depth if geometry["type"] == "MultiPoint" else depth - 1):
        parts = [inner for part in parts for inner in part]
    if depth == 0 or geometry["type"] == "MultiPoint":
        return [list(part) for part in parts]
    if "Polygon" in geometry["type"]:
        parts = [part[:-1] if part[0] == part[-1] else part for part in parts]
    return [[coordinate for point in part for coordinate in point] for part in parts]


def test_tiles_are_decoded_as_another_decoder_decodes_them(townsfolk):
    ada = townsfolk()
    compared = 0
    for zoom, column, row in [(12, 2132, 1493), (13, 4264, 2986), (14, 8529, 5973), (15, 17059, 11947), (15, 17058, 11948)]:
        decoded = mapbox_vector_tile.decode(town.tile(zoom, column, row), default_options={"y_coord_down": True})
        wanted = {name: [[each["properties"], flat(each["geometry"])] for each in layer["features"]] for name, layer in decoded.items()}
        assert ada.page.evaluate(DECODE, f"/v1/map/town-1/{zoom}/{column}/{row}.mvt") == wanted
        compared += sum(map(len, wanted.values()))
    assert compared > 100


def test_without_a_worker_that_can_draw_the_page_draws_itself(townsfolk):
    def prepare(ada):
        ada.page.add_init_script("delete globalThis.OffscreenCanvas;")
        ada.workers = []
        ada.page.on("worker", lambda worker: ada.workers.append(worker.url))

    ada = townsfolk(prepare)
    until(ada.page, lambda: len(names(ada)) >= 10, lambda: f"{names(ada)}")
    expect(ada.page.locator(".street-tiles canvas[data-theme=light]").first).to_be_visible()
    assert ada.workers == []


def test_a_worker_that_says_nothing_is_replaced(townsfolk):
    scripts = []

    def prepare(ada):
        def answer(route):
            scripts.append(route.request.url)
            if len(scripts) == 1:
                route.fulfill(content_type="text/javascript", body="")
            else:
                route.continue_()
        ada.context.route("**/app/streets/worker.js", answer)

    ada = townsfolk(prepare)
    is_drawn(ada)
    assert len(scripts) == 2


def test_tiles_that_could_not_be_had_are_asked_for_again_when_the_network_returns(townsfolk):
    def prepare(ada):
        ada.town.refuses = True

    ada = townsfolk(prepare)
    until(ada.page, lambda: len(ada.town.asked) >= 6, "no tiles are asked for")
    ada.awaits_complaint("answered 429")
    ada.town.refuses = False
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    is_drawn(ada)
    until(ada.page, lambda: len(names(ada)) >= 10, lambda: f"{names(ada)}")
    ada.forgive("429")


def credit(window):
    return window.page.locator(".leaflet-control-attribution").get_by_role("link", name="OpenStreetMap contributors")


def pan(window, key, condition):
    """Moves the map by the keyboard until something is so."""
    window.at("map").focus()
    for _ in range(60):
        if condition():
            return
        window.page.keyboard.press(key)
        # Leaflet leaves a press out while the map still moves.
        window.page.wait_for_timeout(100)
    raise AssertionError(f"{key} does not lead there")


def test_the_source_is_named_while_its_streets_are_in_view(townsfolk):
    ada = townsfolk()
    expect(credit(ada)).to_have_attribute("href", "https://www.openstreetmap.org/copyright")
    zoom_to(ada, 14)
    expect(credit(ada)).to_be_visible()
    pan(ada, "ArrowRight", lambda: credit(ada).count() == 0)
    asked = len(ada.town.asked)
    presses = iter(range(4))
    pan(ada, "ArrowRight", lambda: next(presses) == 3)
    assert len(ada.town.asked) == asked, "a tile beyond the town was asked for"
    pan(ada, "ArrowLeft", lambda: credit(ada).count() == 1)


def test_the_coast_and_the_edge_of_the_map(townsfolk):
    ada = townsfolk()
    zoom_to(ada, 14)
    wanted = theme_colours(ada, "light")
    until(ada.page, lambda: colours(ada, [(town.COAST + 300, -400), (-1300, 1300)]) == [wanted["water"], "transparent"], lambda: f"{colours(ada, [(town.COAST + 300, -400), (-1300, 1300)])}")
    part = ada.page.locator("path.map-part")
    expect(part).to_have_count(1)
    left, top = screen(ada, -town.HALF, town.HALF)
    box = part.bounding_box()
    assert abs(box["x"] - left) < 3 and abs(box["y"] - top) < 3, (box, left, top)
    zoom_to(ada, 10)
    expect(part).to_have_count(0)
    expect(ada.page.locator(".leaflet-land-pane path")).to_be_visible()


def test_an_open_page_notices_that_the_map_was_replaced(townsfolk):
    ada = townsfolk()
    is_drawn(ada)
    assert {version for version, *_ in ada.town.asked} == {"town-1"}
    before = ada.town.described
    ada.town.replace("town-2")
    zoom_to(ada, 15)
    until(ada.page, lambda: ada.town.described > before, "the description is not read again")
    until(ada.page, lambda: ada.town.asked[-1][0] == "town-2", "no tile of the new map is asked for")
    zoom_to(ada, 16)
    is_drawn(ada)
    # Once for the tiles that led to it, and at most twice because the map moved.
    assert ada.town.described <= before + 3
    ada.forgive("404")


def test_without_a_map_nothing_is_said_and_the_outline_is_shown(window):
    ada = window(reduced_motion="reduce")
    ada.context.route(re.compile(r"/v1/map$"), lambda route: route.fulfill(json={"tilejson": "3.0.0", "tiles": [], "version": "", "parts": []}))
    ada.open().sign_up("Ada")
    ada.create_group("Friends")
    expect(ada.page.locator(".leaflet-land-pane path")).to_have_count(1)
    expect(ada.page.locator(".street-tiles, .street-names, path.map-part")).to_have_count(0)
    expect(credit(ada)).to_have_count(0)
    assert not any("unavailable" in words for words in ada.page.locator(".stage").all_inner_texts())
