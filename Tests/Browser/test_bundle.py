"""The page as `scripts/bundle` makes it: it loads in few requests, and each section of it works."""

import subprocess
from collections import Counter

import pytest
from conftest import served
from muster_server import ROOT
from playwright.sync_api import expect
from test_fast import Meter

#: The maximum load of a logged-in user until people are seen, without headers, and without the outline of the land.
MOST_REQUESTS = 25
MOST_BYTES = 120_000


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "bundle"
    subprocess.run([ROOT / "scripts/bundle", folder], check=True)
    yield from served("bundled", bundle=folder)


def test_people_are_seen_after_few_requests(window, bundled):
    ada = window(bundled)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    ada.walk()
    expect(ada.row("Ada")).to_be_visible()
    again = Meter(ada)
    again.session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    bodies = Counter()
    again.session.on("Network.dataReceived", lambda event: bodies.update({event["requestId"]: event["encodedDataLength"]}))
    ada.page.reload()
    ada.is_live()
    expect(ada.row("Ada")).to_be_visible()
    ada.marker("Ada").wait_for()
    ada.page.wait_for_load_state("networkidle")
    requests, _, urls = again.told(besides=["/land.json"])
    weight = sum(size for key, size in bodies.items() if not again.requests.get(key, "").endswith("/land.json"))
    print({"requests": requests, "bytes": weight})
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
