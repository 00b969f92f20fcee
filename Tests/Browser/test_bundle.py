"""The page as `scripts/bundle` makes it: it loads in few requests, and each section of it works."""

import json
import shutil
import subprocess
import time
from collections import Counter

import pytest
from conftest import served
from muster_server import ROOT
from playwright.sync_api import expect
from test_fast import Meter
from window import until_idle

#: The maximum load of a logged-in user until people are seen, without headers, and without the outline of the land.
MOST_REQUESTS = 25
MOST_BYTES = 120_000


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "bundle"
    subprocess.run([ROOT / "scripts/bundle", folder], check=True)
    yield from served("bundled", bundle=folder)


def test_people_are_seen_after_few_requests(window, bundled):
    ada, ben = window(bundled), window(bundled)
    link = ada.open().sign_up("Ada").create_group("Sunday climbers")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ben.walk()
    expect(ada.row("Ben")).to_be_visible()
    again = Meter(ada)
    again.session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    bodies = Counter()
    again.session.on("Network.dataReceived", lambda event: bodies.update({event["requestId"]: event["encodedDataLength"]}))
    ada.page.reload()
    ada.is_live()
    expect(ada.row("Ben")).to_be_visible()
    ada.marker("Ben").wait_for()
    requests, _, urls = again.told(besides=["/land.json"])
    weight = sum(size for key, size in bodies.items() if not again.requests.get(key, "").endswith("/land.json"))
    print({"requests": requests, "bytes": weight, "each": {again.requests[key].removeprefix(bundled.url): size for key, size in bodies.items() if key in again.requests}})
    assert not [url for url in urls if "/app/" in url or "/client/" in url], "modules beside the bundle"
    assert requests <= MOST_REQUESTS, (requests, urls)
    assert weight <= MOST_BYTES, (weight, urls)


def test_each_section_of_the_bundle_opens(window, bundled):
    ada = window(bundled)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    sections = ada.page.locator("nav [data-testid^=nav-]").evaluate_all("(links) => links.map(({ dataset }) => dataset.testid.slice(4))")
    assert len(sections) == 5
    for section in sections:
        if section == "chat":
            ada.open_chat()
        else:
            ada.visit(section)
            expect(ada.page.locator("#panel-body > :visible").first).to_be_visible()


def test_files_of_the_bundle_are_kept_for_ever_and_the_page_is_asked_for_again(window, bundled):
    nobody = window(bundled)
    page = nobody.page.request.get(bundled.url)
    assert page.headers["cache-control"] == "no-cache"
    files = [path for path in (bundled.bundle / "bundle").iterdir()]
    assert len(files) > 5
    for path in files:
        answer = nobody.page.request.get(f"{bundled.url}/bundle/{path.name}")
        assert answer.status == 200 and "immutable" in answer.headers["cache-control"], path


#: The line of the bars: 400 kbit/s in both directions, in bytes a second, and 400 ms until an answer begins. Chromium slows down
#: requests, and not frames of a WebSocket that is open.
SLOW_LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
FAST_LINE = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}

#: The maximum seconds from the address to the shell, and to the people.
SHELL, PEOPLE = 1.5, 4


@pytest.mark.alone
def test_on_a_slow_line_the_shell_is_drawn_and_then_people_are_seen(window, bundled):
    """The best of three visits of a user who is logged in, with an empty cache: other programs take time, too."""
    ben = window(bundled)
    link = ben.open().sign_up("Ben").create_group("Slow climbers")
    ben.walk()
    ada = window(bundled)
    ada.open(link).sign_up("Ada").at("join-confirm").click()
    expect(ada.row("Ben")).to_be_visible()
    session = ada.context.new_cdp_session(ada.page)
    session.send("Network.enable")
    shells, people = [], []
    for _ in range(3):
        until_idle()
        session.send("Network.emulateNetworkConditions", FAST_LINE)
        # The worker would answer from its own cache.
        ada.page.evaluate("navigator.serviceWorker?.getRegistrations().then((all) => Promise.all(all.map((each) => each.unregister())))")
        session.send("Network.clearBrowserCache")
        session.send("Network.emulateNetworkConditions", SLOW_LINE)
        begun = time.monotonic()
        ada.page.goto(bundled.url, wait_until="commit")
        ada.page.locator("nav, .skeleton").first.wait_for()
        paint = ada.page.evaluate("""new Promise((told) => {
          new PerformanceObserver((list) => told(list.getEntries().at(-1).startTime)).observe({ type: "paint", buffered: true });
        })""")
        shells.append(round(paint / 1000, 2))
        expect(ada.row("Ben")).to_be_visible()
        people.append(round(time.monotonic() - begun, 2))
        if shells[-1] < SHELL and people[-1] < PEOPLE:
            break
    loaded = ada.page.evaluate("""performance.getEntriesByType("resource").map(({ name, startTime, responseEnd, transferSize }) => ({
      name: new URL(name).pathname, from: Math.round(startTime), to: Math.round(responseEnd), bytes: transferSize,
    }))""")
    print(json.dumps({"shell": shells, "people": people, "loaded": loaded}, indent=1))
    session.send("Network.emulateNetworkConditions", FAST_LINE)
    assert people and min(people) < PEOPLE, f"people are seen after {people} s"
    assert min(shells) < SHELL, f"the shell is drawn after {shells} s"


@pytest.fixture(scope="module")
def stale(bundled, tmp_path_factory):
    """A server whose bundle was made of other files than those of its page."""
    folder = tmp_path_factory.mktemp("stale") / "bundle"
    shutil.copytree(bundled.bundle, folder)
    (folder / ".sources").write_text("0" * 64 + "  -\n", encoding="utf-8")
    yield from served("stale", bundle=folder)


def test_an_old_bundle_is_not_mixed_with_newer_files(window, stale):
    ada = window(stale)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    urls = ada.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    assert not [url for url in urls if url.startswith("/bundle/")], urls
    assert ada.page.request.get(f"{stale.url}/").text() == (stale.public / "index.html").read_text(encoding="utf-8")
    said = [line for line in stale.log.read_text(encoding="utf-8").splitlines() if "older than the page's files" in line]
    assert len(said) == 1 and "scripts/bundle" in said[0], said
