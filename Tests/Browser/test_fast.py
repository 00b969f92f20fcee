"""The page opens on a bad line, and stays quick with many people on it."""

import os
import re
import subprocess
import time

import pytest
from playwright.sync_api import expect
from window import until, until_idle

#: The maximum load of a visitor before the sign-up.
MOST_REQUESTS = 18
MOST_BYTES = 120_000

#: The maximum load until the page is live with its map, module by module, without the outline of the land. That of the bundle is
#: in test_bundle.py.
MOST_REQUESTS_LIVE = 100
MOST_BYTES_LIVE = 250_000


class Meter:
    """Counts requests and what they weigh on the wire, headers included."""

    def __init__(self, window):
        self.requests = {}
        self.bytes = {}
        session = window.context.new_cdp_session(window.page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", lambda event: self.requests.update({event["requestId"]: event["request"]["url"]}))
        session.on("Network.loadingFinished", lambda event: self.bytes.update({event["requestId"]: event["encodedDataLength"]}))
        self.session = session
        self.url = window.url

    def told(self, besides=()):
        ours = [key for key, url in self.requests.items() if url.startswith(self.url) and not any(url.endswith(name) for name in besides)]
        return len(ours), sum(self.bytes.get(key, 0) for key in ours), sorted(self.requests[key] for key in ours)


def fill_in(window, name):
    window.name = name
    window.at("signup-name").fill(name)
    window.at("auth-username").fill(f"fast-{name.lower()}")
    window.at("auth-password").fill("correct horse battery")


def test_signing_up_weighs_little(window):
    ada = window()
    meter = Meter(ada)
    ada.open()
    fill_in(ada, "Ada")
    ada.page.wait_for_load_state("networkidle")
    requests, weight, urls = meter.told()
    # The sign-up itself adds one request.
    assert requests + 1 <= MOST_REQUESTS, urls
    assert weight <= MOST_BYTES, (weight, urls)
    ada.at("auth-submit").click()
    ada.is_live()
    expect(ada.at("map")).to_be_visible()
    ada.page.wait_for_load_state("networkidle")
    requests, weight, urls = meter.told(besides=["/land.json"])
    assert requests <= MOST_REQUESTS_LIVE, (requests, urls)
    assert weight <= MOST_BYTES_LIVE, (weight, urls)


@pytest.mark.alone
def test_the_door_opens_on_a_bad_line_with_a_slow_processor(window):
    """The best of three visits: what another program takes of the processor is not the page's time."""
    door, inside = [], []
    for visit in range(3):
        until_idle()
        ada = window()
        session = ada.context.new_cdp_session(ada.page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {"offline": False, "latency": 150, "downloadThroughput": 50_000, "uploadThroughput": 50_000})
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        begun = time.monotonic()
        ada.open()
        expect(ada.at("auth-submit")).to_be_visible(timeout=20_000)
        door.append(round(time.monotonic() - begun, 2))
        fill_in(ada, f"Slow{visit}")
        begun = time.monotonic()
        ada.at("auth-submit").click()
        expect(ada.at("no-groups")).to_be_visible(timeout=20_000)
        inside.append(round(time.monotonic() - begun, 2))
        expect(ada.at("map")).to_be_visible(timeout=20_000)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        if door[-1] < 5 and inside[-1] < 5:
            break
    print({"door": door, "inside": inside})
    assert min(door) < 5, f"the door is there after {door} s"
    assert min(inside) < 5, f"inside after {inside} s"


def without(window, address, pattern):
    """Serves a file of the page without what is asked for in advance: what is then asked for is what its modules import."""
    def answer(route):
        answered = route.fetch()
        route.fulfill(response=answered, body=re.sub(pattern, "", answered.text()))

    window.page.route(f"{window.url}/{address}", answer)


def asked_for(meter, *endings):
    return {url.removeprefix(f"{meter.url}/") for url in meter.requests.values() if url.endswith(endings)}


def test_the_page_asks_in_advance_for_just_what_the_door_imports(window):
    nobody = window()
    listed = re.findall(r'<link rel="modulepreload" href="/([^"]+)"', nobody.page.request.get(nobody.url).text())
    without(nobody, "", r'<link rel="modulepreload"[^>]*>')
    meter = Meter(nobody)
    nobody.open()
    expect(nobody.at("auth-submit")).to_be_visible()
    # The words are loaded in the language of the browser.
    imported = {name for name in asked_for(meter, ".js") if not name.startswith("app/words/")}
    assert set(listed) == imported, f"the list in index.html differs from what is imported by {set(listed) ^ imported}"
    nobody.page.unroute_all(behavior="ignoreErrors")


def test_what_is_waited_for_is_asked_for_side_by_side(window):
    """Whatever is imported until the list is there, but for what the map needs, stands in `preload.js`, and nothing else."""
    ada = window()
    door = set(re.findall(r'(?:href|src)="/([^"]+)"', ada.page.request.get(ada.url).text()))
    listed = re.findall(r'"((?:app/|client/|muster)[\w/.-]*\.(?:js|css))"', ada.page.request.get(f"{ada.url}/app/preload.js").text())
    # The page itself is not intercepted: Chromium does not let an intercepted page connect to this machine.
    without(ada, "app/preload.js", r'"[\w/.-]+\.(?:js|css)",?(?=[^;]*\];)')
    ada.page.route("**/config.json", lambda route: None)
    ada.page.route("**/map/map.js", lambda route: None)
    meter = Meter(ada)
    ada.open().sign_up("Ada")
    expect(ada.at("no-groups")).to_be_visible()
    imported = {name for name in asked_for(meter, ".js", ".css") - door if not name.startswith(("app/map/map", "app/words/", "app/map/config", "app/streets/", "app/people/layer", "vendor/"))}
    assert set(listed) == imported, f"the list in preload.js differs from what is imported: add {imported - set(listed)}, remove {set(listed) - imported}"
    ada.page.unroute_all(behavior="ignoreErrors")


def walkers(window, server, seconds):
    invite = server.folder / "walkers-invite"
    invite.unlink(missing_ok=True)
    people = subprocess.Popen([server.binary, "simulate", "--url", server.url, "--groups", "1", "--people", "40", "--speedup", "5",
                               "--seed", "3", "--duration", str(seconds * 2 + 300), "--invite-file", invite], stderr=subprocess.DEVNULL)
    until(window.page, invite.exists, "the people made no invite", timeout=60)
    return people, invite.read_text(encoding="utf-8").strip()


def measured(session):
    return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}


def updates(window):
    return sum(frame["type"] == "update" for frame in window.received)


def test_forty_who_move_keep_the_page_quick_and_its_memory_flat(window, server):
    """MUSTER_SOAK says for how many seconds; ten minutes are 600."""
    seconds = int(os.environ.get("MUSTER_SOAK", "30"))
    maja = window(viewport={"width": 1280, "height": 800})
    people, link = walkers(maja, server, seconds)
    try:
        maja.open(link).sign_up("Maja")
        maja.at("join-confirm").click()
        expect(maja.page.locator(".members [data-freshness=live]")).to_have_count(40, timeout=60_000)
        maja.at("fit").click()
        session = maja.context.new_cdp_session(maja.page)
        # Thread time instead of wall time, because other programs may use the processor.
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        # The first half is warm-up: one-time allocations are no leak.
        maja.page.wait_for_timeout(seconds * 500)
        session.send("HeapProfiler.collectGarbage")
        before = measured(session)
        begun = time.monotonic()
        heard = updates(maja)
        maja.page.wait_for_timeout(seconds * 1000)
        busy = measured(session)
        assert people.poll() is None and updates(maja) - heard > seconds / 2, "nobody moved any more: this measured nothing"
        share = (busy["TaskDuration"] - before["TaskDuration"]) / (time.monotonic() - begun)
        session.send("HeapProfiler.collectGarbage")
        after = measured(session)
        figures = {"share": round(share, 3), **{name: (before[name], after[name]) for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners")}}
        print(figures)
        assert share < 0.3, figures
        assert after["JSHeapUsedSize"] < before["JSHeapUsedSize"] * 1.1 + 1_000_000, figures
        assert after["Nodes"] < before["Nodes"] + 400, figures
        assert after["JSEventListeners"] < before["JSEventListeners"] + 200, figures
    finally:
        people.terminate()
        people.wait(60)
