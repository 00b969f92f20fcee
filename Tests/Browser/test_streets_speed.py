"""What the streets cost: time of the page and of its frames while the map moves.

`.build/browser-tools/bin/python -m pytest -s Tests/Browser/test_streets_speed.py` prints the figures.
"""

import re

import pytest
import town
from playwright.sync_api import expect
from test_page import PHONE
from test_streets import names
from window import until, until_idle

#: Moves the map by keys for some seconds: steps in all directions, and zooms. Gives the times of its frames.
MOVE = """async (seconds) => {
  const map = document.querySelector(".map");
  map.focus();
  const longTasks = [];
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))));
  observer.observe({ type: "longtask" });
  const press = (key) => map.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, keyCode: { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, "+": 187, "-": 189 }[key], bubbles: true }));
  const keys = ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "-", "+"];
  const frames = [];
  const end = performance.now() + seconds * 1000;
  let [before, pressed, count] = [performance.now(), 0, 0];
  while (before < end) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    const now = performance.now();
    frames.push(now - before);
    before = now;
    if (now - pressed > 350) {
      pressed = now;
      press(keys[count++ % keys.length]);
    }
  }
  observer.disconnect();
  frames.sort((one, other) => one - other);
  const at = (share) => Math.round(10 * frames[Math.floor(frames.length * share)]) / 10;
  return { frames: frames.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), longTasks };
}"""


def stroll(window, has_streets, **options):
    """Opens a window on the town, with or without its streets."""
    ada = window(**options)
    ada.town = town.TownServer(ada)
    if not has_streets:
        ada.context.route(re.compile(r"/v1/map$"), lambda route: route.fulfill(json={"tilejson": "3.0.0", "tiles": [], "version": "", "parts": []}))
    ada.open().sign_up("Ada")
    ada.create_group("Friends")
    ada.follow_gps(*town.at(-120, -100))
    expect(ada.marker("Ada")).to_be_in_viewport()
    if has_streets:
        until(ada.page, lambda: len(names(ada)) >= 4, "no names")
    return ada


@pytest.mark.alone
@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_moving_map_with_streets_is_about_as_quick_as_without(window, kind):
    options = PHONE if kind == "phone" else {"viewport": {"width": 1280, "height": 800}}
    figures = {}
    for has_streets in (False, True):
        ada = stroll(window, has_streets, **options)
        session = ada.context.new_cdp_session(ada.page)
        # The time of the page's thread, whatever other programs do.
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        # Once around before, so that tiles and code are there.
        ada.page.evaluate(MOVE, 4)
        until_idle(20)
        read = lambda: {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
        before = read()
        moved = ada.page.evaluate(MOVE, 10)
        figures[has_streets] = {**moved, "ms a frame": round(1000 * (read() - before) / moved["frames"], 2)}
        ada.page.goto("about:blank")
    print(kind, figures)
    # Frames and long tasks depend on what else the machine does; the page's own time hardly does.
    assert figures[True]["ms a frame"] <= figures[False]["ms a frame"] + 2, figures
