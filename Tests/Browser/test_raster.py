"""Tiles of another host, which only `serve --raster-tiles` brings onto the page."""

import json
import re
import subprocess
import sys
import urllib.request

import pytest
from conftest import served
from muster_server import ROOT
from playwright.sync_api import expect
from window import until


@pytest.fixture(scope="module")
def host():
    """A server of tiles in one colour, in a process of its own."""
    process = subprocess.Popen([sys.executable, ROOT / "Tests/StandIns/tiles.py"], stdout=subprocess.PIPE, text=True)
    yield process.stdout.readline().strip()
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture(scope="module")
def server(host):
    yield from served("raster", "--raster-tiles", f"{host}/{{z}}/{{x}}/{{y}}.png", "--raster-attribution", "© <b>Somebody</b>")


def test_tiles_of_another_host_are_shown_with_whose_they_are_and_nothing_else_is_asked_of_it(window, server, host):
    ada = window()
    ada.open().sign_up("Ada")
    ada.create_group("Friends")
    ada.follow_gps(60.17, 24.94)
    expect(ada.page.locator(".raster img.leaflet-tile-loaded").first).to_be_visible()
    credit = ada.page.locator(".leaflet-control-attribution")
    expect(credit).to_contain_text("© Somebody")
    assert "<b>" not in credit.inner_html(), "the operator's text is no part of the page"
    assert ada.asked_elsewhere, "no tile was asked for"
    for url in ada.asked_elsewhere:
        assert re.fullmatch(re.escape(host) + r"/\d+/\d+/\d+\.png", url), url
    # The host learns the part of the map and which server's page shows it, and nothing of a group or a person.
    with urllib.request.urlopen(f"{host}/log", timeout=10) as answer:
        heard = json.load(answer)
    # Cookies are not compared: those of this machine are for all of its ports.
    assert heard and {each["headers"].get("referer", f"{server.url}/") for each in heard} == {f"{server.url}/"}
    ada.asked_elsewhere.clear()


def test_a_host_that_fails_is_given_up_and_the_outline_is_shown(window, server, host):
    urllib.request.urlopen(urllib.request.Request(f"{host}/control", data=b"error"), timeout=10).close()
    try:
        ada = window()
        ada.open().sign_up("Ada")
        ada.create_group("Friends")
        ada.follow_gps(60.17, 24.94)
        until(ada.page, lambda: len(ada.asked_elsewhere) > 0, "no tile was asked for")
        expect(ada.page.locator(".raster")).to_have_count(0)
        expect(ada.marker("Ada")).to_be_visible()
        count = len(ada.asked_elsewhere)
        ada.page.mouse.move(400, 300)
        ada.page.mouse.wheel(0, 400)
        ada.page.wait_for_load_state("networkidle")
        assert len(ada.asked_elsewhere) == count, "a host that fails is asked again and again"
        ada.forgive(re.escape(host))
        ada.asked_elsewhere.clear()
    finally:
        urllib.request.urlopen(urllib.request.Request(f"{host}/control", data=b"ok"), timeout=10).close()
