"""Events: made on the map, found by others as their maps move, answered, and read by calendars."""

import datetime
import re
import urllib.request

import icalendar
import pytest
from axe import finds_nothing
from playwright.sync_api import expect
from test_map import zoom_to
from test_page import PHONE, broken_references, nameless


@pytest.fixture
def two(window, request, server):
    """Two people who share no group, at the events; there are none."""
    server.sql("DELETE FROM muster.event;")
    ada, ben = window(**getattr(request, "param", {})), window()
    for each, name in ((ada, "Ada"), (ben, "Ben")):
        each.open().sign_up(name)
        each.create_group(f"The friends of {name}")
        each.visit("events")
        # One's own are first; another tab of the section leads to those of others.
        expect(each.at("events-mine")).to_have_attribute("aria-pressed", "true")
        each.at("events-discover").click()
        expect(each.at("events-count")).to_contain_text("No events here")
    return ada, ben


def make(window, title, **fields):
    """Makes an event in the middle of the map."""
    window.at("event-new").click()
    window.at("event-title").fill(title)
    for name, value in fields.items():
        control = window.at(f"event-{name}")
        if value is True:
            control.check()
        else:
            control.fill(value)
    window.at("event-submit").click()
    window.at("point-here").click()
    expect(window.at("event-view")).to_contain_text(title)


def choose(window, menu, action):
    """Chooses an action in the menu of a button, such as `event-more`."""
    (window.at(menu) if isinstance(menu, str) else menu).click()
    window.at(action).click()


def pan(window, right):
    """Moves the map by so many pixels with the mouse."""
    box = window.at("map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    window.page.mouse.move(x, y)
    window.page.mouse.down()
    window.page.mouse.move(x - right, y, steps=8)
    window.page.mouse.up()


#: Creates events at one place, as a client of the host would.
PLANT = """async ([titles, lat, lon]) => {
  const M = await import("/muster.js");
  const client = new M.Client({ url: location.origin, token: localStorage.getItem("muster.token"), device: { key: "planter", kind: "browser" } });
  client.start();
  const startsAt = Date.now() + 3_600_000;
  for (const [index, title] of titles.entries()) {
    await client.request("event.create", { key: title, title, lat, lon, startsAt: startsAt + index * 60_000, tz: "Europe/Vienna", visibility: "public" });
  }
  client.stop();
}"""


def test_an_event_appears_where_anothers_map_is_and_is_answered_and_several_are_a_cluster(two, server):
    ada, ben = two
    make(ada, "Climbing at six", capacity="1", place="The wall; left, up", text="Bring \"shoes\"\nand ropes " + "é" * 60, hide=True)
    for each in (ada, ben):
        expect(each.page.locator(".event-marker")).to_have_count(1)
    expect(ada.at("event-where")).to_have_text("The wall; left, up")
    expect(ben.at("event")).to_have_count(1)
    expect(ben.at("event")).to_contain_text("0 of 1 going")
    finds_nothing(ben, "the list of events")
    ben.at("event-open").click()
    expect(ben.at("event-where")).to_contain_text("shown to who goes")
    ben.at("rsvp-yes").check()
    expect(ben.at("rsvp-yes")).to_be_checked()
    expect(ben.at("event-where")).to_have_text("The wall; left, up")
    expect(ben.at("event-guests")).to_contain_text("You")
    expect(ada.at("event-coming")).to_have_text("1 of 1 going")
    expect(ada.at("event-guests")).to_contain_text("Ben")
    for each in two:
        assert nameless(each) == []
        assert broken_references(each) == []
    finds_nothing(ada, "an event")

    # The calendar file parses, and has the entered values.
    ben.at("event-more").click()
    finds_nothing(ben, "the actions of an event")
    address = ben.at("event-calendar").get_attribute("href")
    ben.page.keyboard.press("Escape")
    with urllib.request.urlopen(server.url + address) as answer:
        file = answer.read()
    assert all(len(line) <= 75 for line in file.split(b"\r\n"))
    [event] = icalendar.Calendar.from_ical(file).walk("VEVENT")
    assert str(event["SUMMARY"]) == "Climbing at six"
    assert str(event["LOCATION"]) == "The wall; left, up"
    assert str(event["DESCRIPTION"]) == "Bring \"shoes\"\nand ropes " + "é" * 60
    assert event["SEQUENCE"] == 1
    assert event["DTSTART"].dt.utcoffset() == datetime.timedelta(0)
    assert event["DTEND"].dt - event["DTSTART"].dt == datetime.timedelta(hours=2)

    # The host cancels it: guests are notified, and it is no longer listed.
    choose(ada, "event-more", "event-cancel")
    ada.at("event-cancel-confirm").click()
    expect(ben.at("notice")).to_contain_text("Climbing at six is off")
    expect(ben.at("event-off")).to_have_text("It is cancelled.")
    for each in two:
        expect(each.page.locator(".event-marker")).to_have_count(0)
    finds_nothing(ben, "an event that is off")

    # Events of one place are a cluster that opens their list.
    ben.visit("events")
    ben.at("events-discover").click()
    ben.follow_gps(48.2082, 16.3738)
    ada.page.evaluate(PLANT, [["Climbing", "Singing", "Dancing"], 48.2083, 16.3739])
    bubble = ben.page.locator(".event-marker")
    expect(bubble).to_have_attribute("aria-label", re.compile("^3 events, "))
    zoom_to(ben, 19)
    expect(bubble).to_have_attribute("aria-label", "3 events, show the list")
    bubble.click()
    rows = ben.at("leaf-list").get_by_role("button")
    expect(rows.filter(has_text=re.compile("^(Climbing|Singing|Dancing), "))).to_have_count(3)
    finds_nothing(ben, "the list of events of one place")
    rows.filter(has_text="Singing").click()
    expect(ben.at("event-view")).to_contain_text("Singing")


def test_the_search_follows_the_map_and_its_circle_and_ones_events_have_a_calendar(two, server):
    ada, ben = two
    make(ada, "Here", category="sport")
    ada.at("event-back").click()
    expect(ada.at("event")).to_have_count(1)
    ada.page.locator(".event-marker").click()
    expect(ada.at("event-view")).to_contain_text("Here")
    ada.at("event-back").click()
    # Close to the event, so that a short move leads past it and back.
    pan(ada, 240)
    ada.at("events-where").select_option("center")
    expect(ada.at("events-radius")).to_be_visible()
    expect(ada.page.locator(".event-circle")).to_have_count(1)
    ada.at("events-radius").fill("0")
    expect(ada.at("events-far")).to_have_text("500 m")
    expect(ada.at("event")).to_have_count(0)
    ada.at("events-where").select_option("view")
    ada.page.get_by_role("button", name="Zoom out").click()
    expect(ada.at("event")).to_have_count(1)
    ada.page.locator(".event-filters summary").click()
    ada.at("events-category").fill("music")
    expect(ada.at("event")).to_have_count(0)
    ada.at("events-category").fill("sport")
    expect(ada.at("event")).to_have_count(1)
    expect(ada.page.locator(".event-circle")).to_have_count(0)
    finds_nothing(ada, "the filters")
    ada.at("events-mine").click()
    expect(ada.at("my-event")).to_contain_text("You host it")
    finds_nothing(ada, "one's own events")
    # Changes from another window appear here.
    ada.at("my-event").get_by_role("button").click()
    choose(ada, "event-more", "event-edit")
    ada.at("event-title").fill("There")
    finds_nothing(ada, "the form")
    ada.at("event-submit").click()
    expect(ada.at("event-view")).to_contain_text("There")
    expect(ben.at("event")).to_contain_text("There")

    # One's calendar has an address under You that can be renewed.
    ada.visit("you")
    calendar = ada.at("calendar").filter(visible=True)
    calendar.locator("summary").click()
    address = calendar.get_by_test_id("calendar-address")
    expect(address).to_contain_text("/v1/me/events.ics?k=")
    before = address.inner_text()
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    calendar.get_by_test_id("calendar-copy").click()
    expect(ada.at("toasts")).to_contain_text("The address is copied.")
    assert ada.page.evaluate("navigator.clipboard.readText()") == before
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finds_nothing(ada, "one's calendar under You")
    calendar.get_by_test_id("calendar-renew").click()
    calendar.get_by_test_id("calendar-renew-confirm").click()
    expect(address).not_to_have_text(before)
    with urllib.request.urlopen(server.url + address.inner_text().removeprefix(server.url)) as answer:
        assert b"SUMMARY:There" in answer.read()
    ada.visit("events")
    ada.at("events-mine").click()
    calendar.locator("summary").click()
    expect(address).not_to_have_text(before)


@pytest.mark.parametrize("two", [PHONE], indirect=True)
def test_on_a_phone_an_event_is_made_with_the_keyboard_alone(two):
    ada, ben = two
    ada.at("event-new").focus()
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.type("By keys")
    finds_nothing(ada, "the form on a phone")
    ada.page.keyboard.press("Enter")
    expect(ada.at("point-here")).to_be_focused()
    before = ada.at("pick-place").get_attribute("data-lat")
    ada.at("map").focus()
    ada.page.keyboard.press("ArrowUp")
    expect(ada.at("pick-place")).not_to_have_attribute("data-lat", before)
    finds_nothing(ada, "picking a place on a phone")
    ada.at("point-here").focus()
    ada.page.keyboard.press("Enter")
    expect(ada.at("event-view")).to_contain_text("By keys")
    expect(ben.at("event")).to_contain_text("By keys")
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finds_nothing(ada, "an event on a phone")


def test_an_event_is_found_by_who_moves_the_map_there(two):
    ada, ben = two
    for each in two:
        each.follow_gps(48.2082, 16.3738)
        zoom_to(each, 14)
    for _ in range(3):
        pan(ben, 300)
    make(ada, "Beyond the edge")
    expect(ada.page.locator(".event-marker")).to_have_count(1)
    # Events outside the view are not pushed: a later one inside is the only one that comes.
    ada.page.evaluate(PLANT, [["Within the view"], 48.2082, 16.451])
    expect(ben.at("event")).to_contain_text("Within the view")
    assert {event["title"] for frame in ben.received if frame["type"] == "events" for event in frame["put"]} == {"Within the view"}
    for _ in range(3):
        pan(ben, -300)
    expect(ben.at("event")).to_contain_text("Beyond the edge")
    expect(ben.page.locator(".event-marker")).to_have_count(1)
