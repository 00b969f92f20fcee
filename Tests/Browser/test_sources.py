"""Places of elsewhere: plans while a source fails, and pins by their name over a whole town."""

import json
import re
import subprocess
import sys
import urllib.request

import pytest
from axe import finds_nothing
from conftest import served
from muster_server import ROOT
from playwright.sync_api import expect

EXTRACT = ROOT / ".build/place-data/Helsinki.osm.pbf"

#: The middle of the town.
CENTRE = (60.16612, 24.94134)


@pytest.fixture(scope="module")
def overpass():
    """Overpass over the extract, in a process of its own."""
    process = subprocess.Popen([sys.executable, ROOT / "Tests/StandIns/places.py", EXTRACT], stdout=subprocess.PIPE, text=True)
    yield process.stdout.readline().strip()
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture(scope="module")
def server(overpass):
    """A server that asks it for places."""
    yield from served("sources", "--places-url", f"{overpass}/overpass")


def let_answers(overpass, part, mode):
    """Lets the answers to what holds a text be of another mode."""
    order = json.dumps({"part": part, "mode": mode}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{overpass}/control", data=order), timeout=10).close()


def test_a_plan_is_made_of_what_answers_and_who_does_not_is_named(window, overpass):
    ada = window()
    ada.open().sign_up("Ada")
    ada.create_group("Sunday climbers")
    ada.follow_gps(*CENTRE)
    ada.visit("plans")
    ada.at("plan-new").click()
    for category in ("restaurant", "park", "art"):
        ada.at(f"plan-add-{category}").click()
    let_answers(overpass, "gallery", "error")
    ada.at("plan-suggest").click()
    expect(ada.at("plans-found")).to_have_text("Nothing near for: Art. Not all sources answered for: Art.", timeout=20_000)
    plans = ada.at("plans-suggested").get_by_test_id("plan")
    expect(plans).to_have_count(5)
    expect(ada.at("plan-attribution").first).to_have_text("© OpenStreetMap contributors")
    finds_nothing(ada, "plans without a source")
    let_answers(overpass, "gallery", "ok")
    ada.at("plan-suggest").click()
    expect(ada.at("plans-found")).to_be_empty(timeout=20_000)
    expect(plans).to_have_count(5)


def test_a_pin_is_posted_at_a_street_that_was_looked_up(window, server):
    server.import_places(EXTRACT)
    ada = window()
    ada.open().sign_up("Ada")
    ada.create_group("Sunday climbers")
    ada.visit("places")
    ada.at("places-pins").click()
    ada.at("pin-new").click()
    # An unknown part of the text is reported.
    ada.at("pin-text").fill("Qzxwvk 17, Mannerheimintie, Helsinki")
    ada.at("pin-point").click()
    expect(ada.at("pin-places").locator("li").first).to_contain_text("only", timeout=20_000)
    ada.at("pick-search").fill("Mannerheimintie, Helsinki")
    expect(ada.at("pin-places").locator("li").first).not_to_contain_text("only", timeout=20_000)
    place = ada.at("pin-place").first
    expect(place).to_have_text(re.compile("Mannerheimintie"), timeout=20_000)
    expect(ada.at("pin-attribution")).to_contain_text("© OpenStreetMap contributors")
    finds_nothing(ada, "places that a text may mean")
    place.click()
    expect(ada.at("pick-name")).to_have_text("Mannerheimintie")
    lat, lon = (float(ada.at("pick-place").get_attribute(f"data-{each}")) for each in ("lat", "lon"))
    assert 60.15 < lat < 60.20 and 24.90 < lon < 24.96
    ada.at("point-here").click()
    expect(ada.at("own-pin")).to_contain_text("Qzxwvk")
    expect(ada.page.locator(".pin-marker")).to_have_count(1)
