"""The watch page: small, dark, two buttons, told glances and nothing else."""

import json

import pytest
import town
from axe import finds_nothing
from playwright.sync_api import expect
from test_fast import Meter
from window import until

WRIST = {"viewport": {"width": 198, "height": 242}, "has_touch": True, "device_scale_factor": 2}

#: The maximum load of the wearable's page, in bytes on the wire.
MOST_BYTES = 30_000


@pytest.fixture
def worn(window):
    """Somebody with the page in one tab, who opens the watch in another."""
    def wear():
        ada = window(**WRIST)
        ada.open().sign_up("Ada")
        ada.create_group("Choir")
        ada.page.goto(f"{ada.url}/watch.html")
        return ada
    return wear


def is_live(watch):
    expect(watch.at("watch-state")).to_have_attribute("data-state", "live")


def glanced(watch, seconds=5):
    """The glances that have come."""
    return until(watch.page, lambda: [frame for frame in watch.received if frame["type"] == "glance"], "no glance", timeout=seconds)


def test_the_watch_says_when_nobody_is_logged_in_is_light_connects_as_a_watch_and_says_when_it_is_offline(window):
    ada = window(**WRIST).open("/watch.html")
    expect(ada.at("watch-state")).to_have_text("Not logged in")
    finds_nothing(ada, "a watch without a login")
    ada.at("watch-login").click()
    expect(ada.at("auth-form")).to_be_visible()
    ada.sign_up("Ada")
    ada.create_group("Choir")
    ada.page.goto(f"{ada.url}/watch.html")
    is_live(ada)
    expect(ada.at("watch-card")).not_to_have_text("One moment…")
    assert [frame for frame in ada.received if frame["type"] == "welcome" and "groups" not in frame], "no session of a watch"
    finds_nothing(ada, "the watch")
    meter = Meter(ada)
    meter.session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    ada.page.reload()
    is_live(ada)
    requests, weight, urls = meter.told()
    assert weight <= MOST_BYTES, (weight, urls)
    assert not any("leaflet" in url for url in urls)
    print({"requests": requests, "bytes": weight})
    ada.context.set_offline(True)
    expect(ada.at("watch-state")).to_have_attribute("data-state", "offline", timeout=2000)
    ada.context.set_offline(False)
    is_live(ada)
    ada.complaints = [complaint for complaint in ada.complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]


def test_a_spot_near_one_is_liked_from_the_wrist(window, worn):
    ada = worn()
    is_live(ada)
    glanced(ada)
    ben = window().open().sign_up("Ben")
    ben.create_group("Flat 12")
    ben.follow_gps(42.5, 11.5)
    ada.open()
    ada.is_live()
    ada.follow_gps(42.5, 11.502)
    ada.page.goto(f"{ada.url}/watch.html")
    ben.visit("places")
    ben.at("spot-add-here").click()
    ben.at("spot-name").fill("Blue Bottle")
    ben.at("spot-add").click()
    until(ada.page, lambda: any(frame.get("spots") for frame in ada.received if frame["type"] == "glance"), "no glance has a spot", timeout=30)
    turn_to(ada, "Blue Bottle")
    ada.at("watch-act").tap()
    expect(ada.at("watch-act")).to_have_text("Liked ✓")
    expect(ben.at("spot").get_by_test_id("spot-like")).to_have_text("1")


def turn_to(watch, words):
    for _ in range(10):
        if words in watch.at("watch-card").inner_text():
            return
        watch.at("watch-next").tap()
    raise AssertionError(f"no card says {words}")


GLANCE = {
    "type": "glance", "at": 1732060800000,
    "groups": [
        {"id": "81", "name": "Sunday climbers", "together": 3, "of": 4, "you": "out", "place": {"lat": 48.2, "lon": 16.4, "name": "Blue Bottle"}, "distance": 2140},
        {"id": "82", "name": "Choir", "together": 0, "of": 5, "you": "out"},
    ],
    "spots": [{"id": "501", "lat": 48.2, "lon": 16.4, "comment": "Dragon fountain\nIt spits", "likes": 4, "dislikes": 0, "distance": 120}],
    "notifications": [
        {"notification": 12, "kind": "left_without_you", "group": "81", "text": "Sunday climbers are together without you, 2.1 km away"},
        {"notification": 11, "kind": "left_without_you", "group": "82", "text": "Choir are together without you, 1 km away"},
        {"notification": 10, "kind": "event_soon", "text": "Climbing at six begins at 18:30"},
    ],
}


#: The colours of the watch's map at two points, in fractions of its side.
READ_COLOURS = """(canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  return [[0.5, 0.5], [0.75, 0.5]].map(([x, y]) => {
    const [red, green, blue] = context.getImageData(x * canvas.width, y * canvas.height, 1, 1).data;
    return `#${[red, green, blue].map((each) => each.toString(16).padStart(2, "0")).join("")}`;
  });
}"""


def test_the_map_of_a_place_is_drawn_on_the_wrist_when_the_server_has_it(window):
    ada = window(**WRIST)
    served = town.TownServer(ada)
    ada.open().sign_up("Ada")

    def serve(socket):
        def receive(text):
            frame = json.loads(text)
            if frame["type"] == "hello":
                socket.send(json.dumps({"type": "welcome", "session": "1", "user": {"id": "7", "name": "Ada", "avatar": None}, "device": {"id": "31", "ackedSeq": 0}, "at": 1, "tick": 1000, "ping": 25000, "limits": {"frameBytes": 65536, "fixesPerSecond": 10, "fixesPerFrame": 200}}))
                # On the coast, and beyond the map.
                coast, far = town.at(town.COAST - 30, -100), (48.2, 16.4)
                spots = [{"id": str(501 + number), "lat": lat, "lon": lon, "comment": words, "likes": 4, "dislikes": 0, "distance": 120} for number, ((lat, lon), words) in enumerate([(coast, "Pier"), (far, "Fountain")])]
                socket.send(json.dumps({"type": "glance", "at": 1732060800000, "groups": [], "notifications": [], "spots": spots}))
        socket.on_message(receive)

    ada.page.route_web_socket("**/v1/ws", serve)
    ada.page.goto(f"{ada.url}/watch.html")
    is_live(ada)
    expect(ada.at("watch-card")).to_contain_text("Pier")
    served.asked.clear()
    ada.at("watch-map").tap()
    canvas = ada.at("watch-canvas")
    expect(canvas).to_be_visible()
    assert canvas.evaluate("(canvas) => [canvas.width, canvas.height]") == [384, 384]
    assert canvas.evaluate(READ_COLOURS)[1] == "#0d1821", "the sea is to the right"
    assert 1 <= len(served.asked) <= 4, served.asked
    expect(ada.at("watch-card")).to_contain_text("© OpenStreetMap contributors")
    expect(ada.at("watch-map")).to_have_attribute("aria-pressed", "true")
    finds_nothing(ada, "a map on the wrist")
    addresses = ada.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert not [address for address in addresses if "leaflet" in address]
    assert [address for address in addresses if not address.startswith(ada.url)] == [] and ada.asked_elsewhere == [], "another host was asked"
    ada.at("watch-map").tap()
    expect(ada.at("watch-card")).to_contain_text("Pier")
    ada.at("watch-next").tap()
    expect(ada.at("watch-card")).to_contain_text("Fountain")
    expect(ada.at("watch-map")).not_to_be_visible()


def test_two_buttons_are_enough_for_all_that_a_glance_says(worn):
    """Against a server that the test plays: what a glance may hold is shown, whichever of it the server's people do."""
    ada = worn()
    asked = []

    def serve(socket):
        def receive(text):
            frame = json.loads(text)
            if frame["type"] == "hello":
                socket.send(json.dumps({"type": "welcome", "session": "1", "user": {"id": "7", "name": "Ada", "avatar": None}, "device": {"id": "31", "ackedSeq": 0}, "at": 1, "tick": 1000, "ping": 25000, "limits": {"frameBytes": 65536, "fixesPerSecond": 10, "fixesPerFrame": 200}}))
                socket.send(json.dumps(GLANCE))
                return
            # A hidden or closed page says so, and expects no answer.
            if "id" not in frame:
                return
            asked.append({key: value for key, value in frame.items() if key != "id"})
            if frame["type"] == "group.wait":
                told = {"message": {"seq": 3}, "told": 2} if frame["key"] == "n12" else None
                socket.send(json.dumps({"type": "ok", "id": frame["id"], **told} if told else {"type": "error", "id": frame["id"], "code": "gone", "message": "It is over.", "retry": False}))
                return
            if sum(each["type"] == "spot.vote" for each in asked) == 3:
                socket.send(json.dumps({"type": "error", "id": frame["id"], "code": "not_found", "message": "There is no such spot.", "retry": False}))
                return
            likes = 5 if frame.get("vote") == "like" else 4
            socket.send(json.dumps({"type": "ok", "id": frame["id"], **({"spot": {"id": "501", "likes": likes, "dislikes": 0, "vote": frame["vote"]}} if frame["type"] == "spot.vote" else {})}))
        socket.on_message(receive)

    ada.page.route_web_socket("**/v1/ws", serve)
    ada.page.reload()
    card, next_one, act = (ada.at(f"watch-{name}") for name in ("card", "next", "act"))
    expect(card).to_have_text("Sunday climbers are together without you, 2.1 km away")
    expect(act).to_have_text("Wait for me")
    finds_nothing(ada, "a notification on the wrist")
    expect(ada.at("watch-count")).to_have_text("1 of 8")
    # A user who chose not to be waited for has only read the notification.
    next_one.tap()
    expect(card).to_have_text("Sunday climbers are together without you, 2.1 km away")
    expect(act).to_have_text("Got it")
    for _ in range(7):
        next_one.tap()
    act.tap()
    expect(card).to_contain_text("2 people are asked to wait.")
    expect(act).to_have_text("Got it")
    finds_nothing(ada, "others are asked to wait")
    act.tap()
    expect(ada.at("watch-count")).to_have_text("1 of 6")
    # Waiting is not possible for a gathering that has ended.
    expect(card).to_have_text("Choir are together without you, 1 km away")
    act.tap()
    expect(card).to_contain_text("They are no longer waiting for anybody.")
    act.tap()
    expect(card).to_have_text("Climbing at six begins at 18:30")
    expect(act).to_have_text("Got it")
    act.tap()
    expect(ada.at("watch-count")).to_have_text("1 of 3")
    expect(card).to_contain_text("3 of 4 together")
    expect(card).to_contain_text("without you")
    expect(card).to_contain_text("at Blue Bottle · 2.1 km away")
    expect(act).to_have_text("Way")
    finds_nothing(ada, "a group on the wrist")
    next_one.tap()
    expect(card).to_contain_text("Not together · 5 members")
    expect(act).not_to_be_visible()
    next_one.tap()
    expect(card).to_contain_text("Dragon fountain")
    expect(card).to_contain_text("120 m away · 4 likes")
    for word, likes in (("Liked ✓", 5), ("Like", 4)):
        act.tap()
        expect(act).to_have_text(word)
        expect(card).to_contain_text(f"{likes} likes")
    # The error stays until the user continues.
    act.tap()
    expect(ada.at("watch-state")).to_have_text("This does not exist any more.")
    next_one.tap()
    expect(ada.at("watch-state")).to_have_text("Live")
    expect(card).to_contain_text("Sunday climbers")
    like = {"type": "spot.vote", "spot": "501", "vote": "like"}
    wait = {"type": "group.wait", "group": "81", "key": "n12"}
    seen = [{"type": "seen", "notifications": [number]} for number in (12, 11, 10)]
    assert asked == [wait, seen[0], {**wait, "group": "82", "key": "n11"}, *seen[1:], like, {**like, "vote": "none"}, like]
    for control in (next_one, act):
        box = control.bounding_box()
        assert box["height"] >= 48 and box["width"] >= 80 and box["y"] + box["height"] <= 242
