"""The page opens without a network, never mixes two versions, and sends what was written meanwhile once."""

import json
import re
import shutil
import subprocess

import pytest
from axe import finds_nothing_in_both_schemes
from conftest import served
from muster_server import ROOT
from playwright.sync_api import expect
from window import until

#: What the browser complains of when a page has no network.
OFFLINE = r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION_REFUSED|WebSocket"


@pytest.fixture(scope="module", params=["modules", "bundle"])
def place(request, tmp_path_factory):
    """A server of its own copy of the page, so that a test can change it."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "public", folder / "public")
    made = None
    if request.param == "bundle":
        made = folder / "bundle"
        subprocess.run([ROOT / "scripts/bundle", made], check=True)
    yield from served(f"offline-{request.param}", public=folder / "public", bundle=made)


def kept(window):
    """Waits until the worker controls the page and has all files."""
    until(window.page, lambda: window.page.evaluate("navigator.serviceWorker.controller?.state === 'activated'"), "no worker")
    return window


def caches(window):
    return window.page.evaluate("""async () => {
      const found = {};
      for (const name of await caches.keys()) found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
      return found;
    }""")


def test_a_visited_page_opens_without_a_network_with_the_last_state(window, place):
    ada, ben = window(place, worker=True), window(place)
    link = ada.open().sign_up("Ada").create_group("Sunday climbers")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ben.walk()
    expect(ada.row("Ben")).to_be_visible()
    kept(ada)
    # Leaving the page keeps the state.
    ada.page.goto("about:blank")
    ada.context.set_offline(True)
    ada.page.goto(place.url)
    expect(ada.row("Ben")).to_be_visible()
    expect(ada.at("connection")).to_have_attribute("data-state", "offline")
    expect(ada.at("connection-why")).to_contain_text(re.compile(r"as of \d+:\d\d"))
    finds_nothing_in_both_schemes(ada, "people without a connection")
    stored = ada.page.evaluate("localStorage.getItem('muster.token')")
    for name, paths in caches(ada).items():
        assert not [path for path in paths if path.startswith("/v1/")], "the worker kept an answer of the API"
        for path in paths:
            text = ada.page.evaluate("async ([name, path]) => (await (await caches.open(name)).match(path)).text()", [name, path])
            assert stored not in text, f"{path} has the token"
    ada.context.set_offline(False)
    ada.is_live()
    ada.forgive(OFFLINE)


def test_a_message_that_was_written_offline_arrives_once(window, place):
    ada, ben = window(place, worker=True), window(place)
    link = ada.open().sign_up("Ada").create_group("Sunday climbers")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ada.open_chat()
    kept(ada)
    ada.context.set_offline(True)
    ada.at("chat-input").fill("Written in a tunnel")
    ada.at("chat-send").click()
    expect(ada.at("chat-entries")).to_contain_text("Written in a tunnel")
    # The page is closed before the network returns, and opens again without it.
    address = ada.page.url
    ada.page.goto("about:blank")
    ada.page.goto(address)
    expect(ada.at("chat-entries")).to_contain_text("Written in a tunnel")
    ada.context.set_offline(False)
    ada.is_live()
    ben.open_chat()
    expect(ben.at("chat-entries")).to_contain_text("Written in a tunnel")
    until(ada.page, lambda: ada.page.evaluate("localStorage.getItem('muster.unsent')") == "[]", "the message is still kept")
    ada.page.reload()
    ada.is_live()
    expect(ada.at("chat-entries")).to_contain_text("Written in a tunnel")
    assert place.sql("SELECT count(*) FROM muster.message WHERE text = 'Written in a tunnel'") == [("1",)]
    ada.forgive(OFFLINE)


def test_logging_out_erases_what_was_kept(window, place):
    ada = window(place, worker=True)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    ada.page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert "Sunday climbers" in ada.page.evaluate("localStorage.getItem('muster.last')")
    ada.visit("you")
    ada.at("log-out").click()
    expect(ada.at("auth-submit")).to_be_visible()
    assert set(ada.page.evaluate("Object.keys(localStorage)")) <= {"muster.known", "muster.device.last", "muster.map"}
    assert ada.page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('muster.'))") == []


def test_a_new_version_replaces_all_files_together(window, place):
    ada = kept_page(window, place)
    before = caches(ada)
    assert len(before) == 1
    for path in (place.public, place.bundle):
        if path is not None:
            index = path / "index.html"
            index.write_text(index.read_text(encoding="utf-8").replace("<html ", '<html data-version="2" '), encoding="utf-8")
    place.stop()
    place.start()
    ada.is_live()
    until(ada.page, lambda: len(caches(ada)) == 2, "no newer version")
    html = ada.page.locator("html")
    expect(html).not_to_have_attribute("data-version", "2")
    expect(ada.at("toasts")).to_contain_text("new version")
    ada.at("version-reload").click()
    expect(html).to_have_attribute("data-version", "2")
    ada.is_live()
    until(ada.page, lambda: len(caches(ada)) == 1 and caches(ada).keys() != before.keys(), "the old version is still there")
    ada.is_live()
    ada.complaints.clear()


def kept_page(window, place):
    ada = window(place, worker=True)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    return kept(ada)


def test_the_page_can_be_installed(window, place):
    ada = kept_page(window, place)
    answer = ada.page.request.get(f"{place.url}/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.text())
    assert manifest["display"] == "standalone" and manifest["start_url"] == manifest["scope"] == "/"
    edges = ada.page.evaluate("""(icons) => Promise.all(icons.map(async ({ src }) => {
      const picture = new Image();
      picture.src = src;
      await picture.decode();
      return picture.naturalWidth;
    }))""", [icon for icon in manifest["icons"] if icon["type"] == "image/png"])
    assert edges == [192, 512, 512]
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    session = ada.context.new_cdp_session(ada.page)
    session.send("Page.enable")
    told = session.send("Page.getAppManifest")
    assert told["errors"] == [] and told["url"].endswith("/manifest.webmanifest"), told
    assert ada.page.request.get(f"{place.url}/sw.js").headers["cache-control"] == "no-cache"


def test_a_page_that_a_phone_ended_opens_where_it_was(window, place):
    ada = window(place, worker=True, viewport={"width": 390, "height": 844})
    # As if opened from the home screen.
    ada.context.add_init_script("""const real = matchMedia;
      window.matchMedia = (query) => (query === "(display-mode: standalone)" ? { matches: true } : real(query));""")
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    ada.visit("events")
    address = ada.page.url
    sheet = ada.page.locator("[data-sheet]")
    ada.at("sheet-handle").press("End")
    expect(sheet).to_have_attribute("data-sheet", "full")
    ada.page.goto("about:blank")
    ada.open()
    ada.is_live()
    assert ada.page.url == address
    expect(ada.at("nav-events")).to_have_attribute("aria-current", "page")
    expect(sheet).to_have_attribute("data-sheet", "full")
