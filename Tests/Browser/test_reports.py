"""What is wrong is reported where it is seen: messages, events, spots, pins, photos and people."""

import re

import pytest
from axe import finds_nothing
from photographs import photograph
from playwright.sync_api import expect
from test_chats import friends
from test_event_chats import event_id, said, say
from test_events import make
from test_page import PHONE, broken_references, nameless
from test_photos import added, choose, open_form
from test_pins import pins, post


def report(window, button, reason, view):
    """Presses "Report…", and says why."""
    button.click()
    dialog = window.at("report-dialog")
    expect(window.at("report-reason")).to_be_focused()
    finds_nothing(window, view)
    window.at("report-send").click()
    expect(dialog).to_contain_text("Say what is wrong.")
    window.at("report-reason").fill(reason)
    window.at("report-send").click()
    expect(dialog).to_have_count(0)
    expect(window.at("toasts")).to_contain_text("It is reported.")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_what_one_sees_of_others_is_reported_and_what_is_ones_own_is_not(window, server, options):
    server.sql("DELETE FROM muster.report; DELETE FROM muster.event; DELETE FROM muster.pin; DELETE FROM muster.spot;")
    ada, ben = friends(window, **options)
    ben.follow_gps(48.2082, 16.3738)
    ada.follow_gps(48.2083, 16.3739)
    ben.visit("events")
    make(ben, "A party")
    expect(ben.at("event-report")).to_have_count(0)
    pins(ben)
    post(ben, "A pin")
    open_form(ben, "A spot")
    choose(ben, photograph(ben, 400, 300))
    added(ben)
    callout = re.compile("^(spot|pin|)-?callout-[0-9]+$")
    expect(ben.page.get_by_test_id(callout).filter(visible=True)).to_be_visible()
    expect(ben.at("spot-report")).to_have_count(0)
    spot = server.sql("SELECT max(id) FROM muster.spot;")[0][0]

    ada.page.goto(f"{ada.url}/#/places/spots/{spot}")
    expect(ada.page.get_by_test_id(f"spot-callout-{spot}")).to_be_visible()
    # The one about the new spot lies over the callout on a phone, and would take the click.
    expect(ada.at("toasts").locator(".toast")).to_have_count(0, timeout=15_000)
    ada.at("spot-more-actions").click()
    report(ada, ada.at("spot-report"), "No such spot", "the report of a spot")
    ada.page.get_by_test_id(f"spot-callout-{spot}").get_by_test_id("spot-photo").click()
    finds_nothing(ada, "a photo that can be reported")
    report(ada, ada.at("photo-report"), "Not nice to see", "the report of a photo")
    pin = server.sql("SELECT max(id) FROM muster.pin;")[0][0]
    pins(ada)
    ada.page.goto(f"{ada.url}/#/places/pins/{pin}")
    ada.at("pin-more-actions").click()
    report(ada, ada.at("pin-report"), "Not true", "the report of a pin")
    ada.page.goto(f"{ada.url}/#/events/{event_id(server)}")
    ada.at("event-more").click()
    report(ada, ada.at("event-report"), "Too loud", "the report of an event")
    ada.visit("people")
    ada.row("Ben").click()
    person = ada.page.get_by_test_id(re.compile("^callout-[0-9]"))
    person.get_by_test_id("callout-more").click()
    report(ada, ada.at("callout-report"), "Follows me", "the report of a person")
    person.get_by_test_id("callout-close").click()
    ben.visit("people")
    ben.open_chat()
    say(ben, "Rude words")
    ada.open_chat()
    said(ada, "Rude words").focus()
    ada.page.keyboard.press("Shift+F10")
    report(ada, ada.at("chat-report"), "Rude", "the report of a message")
    for each in (ada, ben):
        assert nameless(each) == []
        assert broken_references(each) == []
    photo = server.sql("SELECT photo_id FROM muster.photo_use WHERE spot_id = :spot;", spot=spot)[0][0]
    user = server.sql("SELECT id FROM muster.account WHERE username = :'name';", name=ben.username)[0][0]
    seq = server.sql("SELECT max(seq) FROM muster.message WHERE text = 'Rude words';")[0][0]
    assert server.sql("SELECT what, subject_id, reason FROM muster.report ORDER BY id;") == [
        ("spot", spot, "No such spot"), ("photo", photo, "Not nice to see"), ("pin", pin, "Not true"),
        ("event", event_id(server), "Too loud"), ("user", user, "Follows me"), ("message", seq, "Rude")]
