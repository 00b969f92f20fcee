"""A group of 250 who move: the map stays quick on a slow processor, and axe finds nothing in it.

`.build/browser-tools/bin/python -m pytest -s Tests/Browser/test_moving_crowd.py` prints the figures.
"""

import json
import math
import random
import time

import pytest
from axe import finds_nothing_in_both_schemes
from crowd import gather
from playwright.sync_api import expect
from window import until, until_idle

PEOPLE = 250

#: How much slower the page's processor is.
SLOWDOWN = 4

#: For how long each of the two maps is watched.
SECONDS = 10

#: The maximum work of the page's thread for a frame beyond that of an empty map, in milliseconds. Frames and long tasks depend
#: on what else the machine does: they are printed.
MOST_WORK = 4

#: Draws for some seconds while nobody touches the page. Gives the times of its frames and its long tasks.
LOOK = """async (seconds) => {
  const longTasks = [];
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))));
  observer.observe({ type: "longtask" });
  const frames = [];
  const end = performance.now() + seconds * 1000;
  for (let before = performance.now(); before < end; ) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    const now = performance.now();
    frames.push(now - before);
    before = now;
  }
  observer.disconnect();
  const sorted = [...frames].sort((one, other) => one - other);
  const at = (share) => Math.round(10 * sorted[Math.floor(sorted.length * share)]) / 10;
  return { frames: frames.length, p50: at(0.5), p95: at(0.95), longTasks };
}"""


class Walkers:
    """A group of people in the database, whose steps this test adds to what the server sends."""

    def __init__(self, window, server):
        self._window, self._server = window, server
        self._chance = random.Random(7)
        self._socket = self._roster = None
        window.page.route_web_socket("**/v1/ws", self._pass)

    def _pass(self, socket):
        line = socket.connect_to_server()
        self._socket = socket

        def receive(text):
            frame = json.loads(text)
            if frame["type"] == "roster" and len(frame["members"]) > PEOPLE:
                self._roster = {**frame, "members": {each["user"]: each for each in frame["members"] if "lat" in each}}
            socket.send(text)

        line.on_message(receive)
        socket.on_message(line.send)

    def enter(self):
        """Makes the group, and waits until its people are on the map."""
        self._window.page.goto("about:blank")
        group = gather(self._server, self._window.username, PEOPLE, seed=11)
        self._window.open(f"/#/g/{group}/people")
        self._window.is_live()
        until(self._window.page, lambda: self._roster is not None, "no roster")
        self.step()
        expect(self._window.page.locator("[data-people]").nth(1)).to_be_attached()

    def step(self):
        """Everybody goes 1.4 m."""
        for each in self._roster["members"].values():
            course = self._chance.uniform(0, 360)
            each["lat"] += math.cos(math.radians(course)) * 1.4 / 111_000
            each["lon"] += math.sin(math.radians(course)) * 1.4 / 74_000
            each.update(at=int(time.time() * 1000), course=round(course), speed=1.4)
        moved = [{key: each[key] for key in ("user", "lat", "lon", "at", "course", "speed")} for each in self._roster["members"].values()]
        self._socket.send(json.dumps({"type": "update", "group": self._roster["group"], "version": self._roster["version"], "at": int(time.time() * 1000), "members": moved}))


@pytest.mark.alone
def test_people_who_move_leave_the_map_quick_on_a_slow_processor(window, server):
    ada = window(viewport={"width": 1280, "height": 800})
    walkers = Walkers(ada, server)
    ada.open().sign_up("Ada")
    ada.create_group("Nobody else")
    ada.follow_gps(48.2082, 16.3738)
    session = ada.context.new_cdp_session(ada.page)
    # The time of the page's thread, whatever other programs do.
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def measured(step):
        until_idle(20)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        read = lambda: {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
        before = read()
        ada.page.evaluate(f"() => {{ globalThis.looked = ({LOOK})({SECONDS}); }}")
        for _ in range(SECONDS):
            step()
            ada.page.wait_for_timeout(1000)
        drawn = ada.page.evaluate("globalThis.looked")
        work = 1000 * (read() - before) / drawn["frames"]
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        return {**drawn, "ms a frame": round(work, 2)}

    empty = measured(lambda: None)
    walkers.enter()
    # Into the streets, where most faces are apart.
    ada.at("locate").click()
    expect(ada.page.locator("[data-people]").nth(10)).to_be_attached()
    full = measured(walkers.step)
    print({"empty": empty, "full": full, "markers": ada.page.locator("[data-people]").count()})
    assert full["ms a frame"] - empty["ms a frame"] <= MOST_WORK, (empty, full)


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "wide"])
def test_axe_finds_nothing_among_people_who_move(window, server, size):
    ada = window(reduced_motion="reduce", viewport=dict(zip(("width", "height"), size)))
    walkers = Walkers(ada, server)
    ada.open().sign_up("Ada")
    walkers.enter()
    expect(ada.at("member-search")).to_have_attribute("placeholder", f"Find one of {PEOPLE + 1} people")
    walkers.step()
    finds_nothing_in_both_schemes(ada, "a crowd")
