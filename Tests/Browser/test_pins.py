"""Pins: posted in words, seen on the map and in the table by everybody, replaced after being asked, and deleted."""

import re
from pathlib import Path

import pytest
from axe import finds_nothing
from playwright.sync_api import expect
from test_page import PHONE, broken_references, nameless
from window import until


@pytest.fixture
def alone(window, server):
    """Opens windows of people who share no group, at the pins; there is no pin but theirs."""
    server.sql("DELETE FROM muster.pin;")

    def open_at_pins(name, **options):
        one = window(**options).open().sign_up(name)
        one.create_group(f"The friends of {name}")
        pins(one)
        return one

    return open_at_pins


def pins(window):
    """Goes to the pins."""
    window.visit("places")
    window.at("places-pins").click()
    expect(window.at("places-pins")).to_have_attribute("aria-pressed", "true")


def write(window, text, link=""):
    """Fills the form in."""
    window.at("pin-new").click()
    window.at("pin-text").fill(text)
    window.at("pin-link").fill(link)


def point(window):
    """Picks the middle of the map; gives the view in which the place is chosen."""
    window.at("pin-point").click()
    picking = window.at("pick-place")
    expect(picking).to_be_visible()
    return picking


def place(window):
    """The place below the mark."""
    return tuple(float(window.at("pick-place").get_attribute(f"data-{each}")) for each in ("lat", "lon"))


def post(window, text, link=""):
    write(window, text, link)
    point(window)
    window.at("point-here").click()
    expect(window.at("pick-place")).to_have_count(0)
    expect(window.at("own-pin")).to_contain_text(text)


def test_a_pin_is_posted_and_stands_on_everybodys_map_and_in_the_table_until_it_is_replaced_changed_or_deleted(alone, server):
    two = ada, ben = alone("Ada"), alone("Ben")
    # What cannot be posted is said where it is wrong.
    write(ada, "", "")
    ada.at("pin-point").click()
    expect(ada.at("pin-text-problem")).to_have_text("Write a few words.")
    ada.at("pin-text").fill("Here")
    ada.at("pin-link").fill("javascript:alert(1)")
    ada.at("pin-point").click()
    expect(ada.at("pin-link-problem")).to_have_text("A link begins with https:// and a host.")
    finds_nothing(ada, "the form of a pin")
    ada.close_dialog()

    expect(ada.at("pins-state")).to_have_text("No pins yet. Tell everyone on this server about a place.")
    post(ada, "At the fair", "https://münchen.example/fair")
    row = ada.at("pin")
    expect(row).to_contain_text("You")
    expect(row).to_contain_text("At the fair")
    link = row.get_by_role("link")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(link).to_have_attribute("target", "_blank")
    expect(row.get_by_test_id("link-host")).to_have_text("(xn--mnchen-3ya.example)")
    # The map and the list follow.
    expect(ben.page.locator(".pin-marker")).to_have_count(1)
    expect(ben.at("pin")).to_contain_text("Ada")
    expect(ben.at("pins-total")).to_have_text("1 pin")
    for each in two:
        assert nameless(each) == []
        assert broken_references(each) == []
    finds_nothing(ben, "the table of pins")
    ben.at("pin-show").click()
    callout = ben.page.get_by_test_id(re.compile("^pin-callout-"))
    expect(callout).to_contain_text("At the fair")
    expect(callout.get_by_test_id("link-host")).to_have_text("(xn--mnchen-3ya.example)")
    finds_nothing(ben, "a pin on the map")
    ben.page.keyboard.press("Escape")

    # A second pin replaces the first only after one was asked.
    ada.at("pin-new").click()
    expect(ada.at("pin-replace-dialog")).to_contain_text("At the fair")
    finds_nothing(ada, "the question")
    ada.at("pin-keep").click()
    expect(ada.page.locator("dialog")).to_have_count(0)
    ada.at("pin-new").click()
    ada.at("pin-replace").click()
    ada.at("pin-text").fill("Second")
    point(ada)
    ada.at("point-here").click()
    expect(ada.at("own-pin")).to_contain_text("Second")
    expect(ada.at("pin")).to_have_count(1)

    # What an operator changes is changed on the map.
    marker = ben.page.locator(".pin-marker")
    expect(marker).to_have_count(1)
    server.sql("UPDATE muster.pin SET label = 'Moved by the operator';")
    expect(ben.page.locator('.pin-marker[aria-label="Pin of Ada: Moved by the operator"]')).to_have_count(1)

    # A deleted pin is gone for everybody.
    ada.at("pin-delete").click()
    ada.at("pin-delete-confirm").click()
    expect(ada.at("own-pin")).to_be_hidden()
    expect(marker).to_have_count(0)

    # A pin that another device posted meanwhile is asked about.
    write(ada, "From the page")
    point(ada)
    ada.page.evaluate("""async () => {
      const M = await import("/muster.js");
      const { storedToken } = await import("/app/account.js");
      const token = storedToken();
      const client = new M.Client({ url: location.origin, token, device: { key: "other", kind: "phone" } });
      client.start();
      await client.request("pin.post", { text: "From the phone", lat: 1, lon: 2 });
      client.stop();
    }""")
    ada.at("point-here").click()
    expect(ada.at("pin-replace-dialog")).to_contain_text("From the phone")
    ada.at("pin-replace").click()
    expect(ada.at("own-pin")).to_contain_text("From the page")

    # What an operator deletes is gone from the map.
    expect(marker).to_have_count(1)
    server.sql("DELETE FROM muster.pin;")
    expect(marker).to_have_count(0)


def test_a_place_is_picked_by_moving_the_map_is_given_up_with_the_section_and_sources_are_said(alone, server):
    ada = alone("Ada")
    write(ada, "Here")
    point(ada)
    finds_nothing(ada, "picking a place")
    start = place(ada)
    box = ada.at("map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ada.page.mouse.move(x, y)
    ada.page.mouse.down()
    ada.page.mouse.move(x - 70, y + 50, steps=6)
    ada.page.mouse.up()
    until(ada.page, lambda: place(ada)[0] > start[0] and place(ada)[1] > start[1], "the map has not moved")
    # Another section ends it; nothing remains on the map.
    ada.visit("events")
    expect(ada.at("pick-place")).to_have_count(0)
    pins(ada)
    expect(ada.at("own-pin")).to_be_hidden()
    write(ada, "Here")
    point(ada)
    ada.page.keyboard.press("Escape")
    expect(ada.at("pick-place")).to_have_count(0)
    write(ada, "Here")
    point(ada)
    picked = place(ada)
    ada.at("point-here").click()
    expect(ada.at("own-pin")).to_contain_text("Here")
    [(lat, lon)] = [tuple(map(float, row)) for row in server.sql("SELECT lat, lon FROM muster.pin;")]
    assert abs(lat - picked[0]) < 1e-4 and abs(lon - picked[1]) < 1e-4

    server.import_places(Path(__file__).resolve().parent.parent / "Fixtures" / "town.geojson")
    ada.page.reload()
    expect(ada.at("pins-attribution")).to_contain_text("geojson-town")
    control = ada.page.locator(".leaflet-control-attribution")
    expect(control).to_contain_text("geojson-town")
    ada.at("places-spots").click()
    expect(control).not_to_contain_text("geojson-town")
    pins(ada)
    expect(control).to_contain_text("geojson-town")


def test_on_a_phone_too(alone):
    ada = alone("Ada", **PHONE)
    post(ada, "Here")
    expect(ada.at("pin")).to_be_attached()
    finds_nothing(ada, "pins on a phone")
