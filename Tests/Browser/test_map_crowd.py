"""A hundred thousand spots: the page has of them what is seen, and stays quick as one moves about."""

import json

import pytest
from map_spots import plant_many
from muster_server import MusterServer
from playwright.sync_api import expect
from test_map import zoom_to
from window import Window, until, until_idle

MANY = 100_000

#: The maximum number of pins: the visible 1280 by 800 pixels, a small margin, and 40 pixels between any two pins.
MOST_PINS = 900

#: The maximum work of the page for one step of the map, in seconds of its own thread. Time of other programs does not
#: count.
MOST_WORK = 0.5

#: The maximum length of one task, in milliseconds of that thread, and the maximum number of tasks over 50 ms per step.
LONGEST = 250
MOST_LONG = 0.5

#: Work of the browser that has nothing to do with the page, and its seconds of the thread on the machine for which these
#: limits are set. A machine that is slower at it now has limits that are wider by as much.
WORK = """() => {
  const box = document.body.appendChild(document.createElement("div"));
  for (let round = 0; round < 20; round++) {
    box.replaceChildren(...Array.from({ length: 500 }, (_, each) => Object.assign(document.createElement("p"), { textContent: `${each} of ${round}` })));
    box.getBoundingClientRect();
  }
  box.remove();
}"""
WORK_SECONDS = 0.26


@pytest.fixture
def crowded(browser):
    """A server of its own with all those spots, and a window on it."""
    server = MusterServer()
    window = None
    try:
        server.start()
        plant_many(server, MANY)
        server.stop()
        server.start()
        window = Window(browser, server.url, viewport={"width": 1280, "height": 800})
        yield window
        assert window.complaints == []
        assert server.problems() == []
    finally:
        if window:
            window.context.close()
        server.stop()
        server.remove()


def is_complete(window):
    """Waits until all tiles have come that are watched, and all pins are made."""
    window.page.wait_for_function("""() => {
      const made = document.querySelectorAll(".spot-marker").length;
      const isSame = made > 0 && made === window.made;
      window.made = made;
      return isSame;
    }""", polling=300, timeout=60_000)
    return window.page.locator(".spot-marker").count()


def tasks(trace):
    """How long the tasks of the pages' own threads were, in milliseconds of those threads."""
    events = json.loads(trace)["traceEvents"]
    pages = {(each["pid"], each["tid"]) for each in events if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"}
    return [each["tdur"] / 1000 for each in events if each["name"].endswith("RunTask") and "tdur" in each and (each["pid"], each["tid"]) in pages]


@pytest.mark.alone
def test_a_hundred_thousand_spots_leave_the_page_quick(browser, crowded):
    """The best of three visits: what other programs take of the processor's caches is not the page's time."""
    ada = crowded
    ada.open().sign_up("Ada")
    ada.create_group("Friends")
    ada.follow_gps(48.2082, 16.3738)
    ada.visit("places")
    session = ada.context.new_cdp_session(ada.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def measured(name):
        return next(each["value"] for each in session.send("Performance.getMetrics")["metrics"] if each["name"] == name)

    def slowness():
        times = []
        for _ in range(5):
            before = measured("TaskDuration")
            ada.page.evaluate(WORK)
            times.append(measured("TaskDuration") - before)
        return max(1, min(times) / WORK_SECONDS)

    def crossing():
        slow = slowness()
        steps, most = [], 0
        whole, long, count = 0, [], 0
        for zoom in (16, 14, 12, 10, 8, 6):
            zoom_to(ada, zoom)
            is_complete(ada)
            ada.at("map").focus()
            browser.start_tracing(page=ada.page, categories=["toplevel", "disabled-by-default-devtools.timeline"])
            for key in ("ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown"):
                before = measured("TaskDuration")
                ada.page.keyboard.press(key)
                most = max(most, is_complete(ada))
                steps.append(measured("TaskDuration") - before)
            found = tasks(browser.stop_tracing())
            count += len(found)
            long += [round(each) for each in found if each > 50]
            if zoom == 6:
                # One evaluation: a locator would find the pins first and read them later, when some may be reused.
                whole = ada.page.evaluate(
                    "() => [...document.querySelectorAll('.spot-marker')].reduce((sum, { dataset }) => sum + Number(dataset.count), 0)")
        nodes = measured("Nodes")
        # Back and forth: pins that leave the view are reused.
        for zoom in (14, 6, 14, 6):
            zoom_to(ada, zoom)
            is_complete(ada)
        slow = max(slow, slowness())
        session.send("HeapProfiler.collectGarbage")
        after = measured("Nodes")
        is_quick = (max(steps) < MOST_WORK * slow and max(long, default=0) < LONGEST * slow
                    and sum(each > 50 * slow for each in long) <= MOST_LONG * len(steps))
        return {"pins": most, "whole": whole, "is_quick": is_quick, "work": round(max(steps), 3), "long": len(long), "longest": max(long, default=0),
                "tasks": count, "steps": len(steps), "slow": round(slow, 2), "nodes": (nodes, after)}

    for visit in range(3):
        if visit:
            ada.page.reload()
            ada.is_live()
            ada.visit("places")
        until_idle()
        figures = crossing()
        print(figures)
        if figures["is_quick"]:
            break
    assert figures["whole"] > 0.95 * MANY, "all of them are on the map"
    assert 100 < figures["pins"] < MOST_PINS, figures
    assert figures["is_quick"], figures
    assert figures["tasks"] > 10 * figures["steps"], "hardly any tasks were found"
    nodes, after = figures["nodes"]
    assert after < nodes * 1.5 + 500, figures
    expect(ada.at("toasts").locator(".toast.bad")).to_have_count(0)
