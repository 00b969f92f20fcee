"""Saving battery: one's position goes out on significant changes only, and the page says so as it is."""

import re

import pytest
from axe import finds_nothing_in_both_schemes
from playwright.sync_api import expect
from test_page import PHONE, shows_at


def save(window, is_on=True):
    """Turns the switch under You, and comes back to the list."""
    window.visit("you")
    window.at("saving").click()
    expect(window.at("saving")).to_be_checked(checked=is_on)


def test_who_saves_battery_is_seen_on_significant_changes_only(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ada.visit("you")
    expect(ada.at("saving")).not_to_be_checked()
    expect(ada.at("saving-state")).to_have_text("Off: once you share your location, your friends see each of your steps.")
    ada.visit("people")
    ada.follow_gps(48.2082, 16.3738, accuracy=90)
    expect(ada.at("sharing-line")).to_have_text("Live · 1 person sees you")
    shows_at(ben, "Ada", (48.2082, 16.3738))
    save(ada)
    expect(ada.at("saving-state")).to_have_text("On: your position goes out when you have moved 500 m, or after 5 min. Your friends see you where you were then.")
    expect(ada.at("sharing-line")).to_have_text("Live · 1 person sees you")
    expect(ada.at("sharing")).to_have_attribute("title", "Saving battery: sent every 500 m or 5 min")
    ada.visit("people")
    # Only the user's own view shows a small step. Later changes prove that the other's list did not receive it.
    ada.go_to(48.2092, 16.3738, accuracy=90)
    shows_at(ada, "Ada", (48.2092, 16.3738))
    # The server rejects speeds over 100 m/s.
    ada.page.wait_for_timeout(4000)
    ada.go_to(48.2128, 16.3738, accuracy=90)
    shows_at(ben, "Ada", (48.2128, 16.3738))
    positions = [member["lat"] for frame in ben.received if frame["type"] == "update" for member in frame["members"] if "lat" in member]
    assert 48.2092 not in positions
    assert all(frame["rejected"] == [] for frame in ada.received if frame["type"] == "ack")
    # The setting belongs to this browser and survives a reload.
    ada.page.reload()
    ada.is_live()
    expect(ada.at("sharing-line")).to_have_text("Live · 1 person sees you")
    # When saving mode ends, the current position is sent.
    ada.go_to(48.2130, 16.3738, accuracy=90)
    shows_at(ada, "Ada", (48.213, 16.3738))
    save(ada, is_on=False)
    shows_at(ben, "Ada", (48.213, 16.3738))
    expect(ada.at("saving-state")).to_have_text("Off: your friends see each of your steps.")
    expect(ada.at("sharing-line")).to_have_text("Live · 1 person sees you")
    expect(ada.at("sharing")).to_have_attribute("title", "")


def test_spots_are_fetched_when_they_are_asked_for_and_handed_over_to_the_map_that_one_prefers(window):
    ada = window().open().sign_up("Ada")
    ada.create_group("Choir")
    # At a location that no other test uses.
    ada.follow_gps(46.6247, 14.3053)
    ada.visit("places")
    expect(ada.at("spots-state")).to_have_text("No spots around here yet. Add the first one.")
    expect(ada.at("spots-now")).not_to_be_visible()
    save(ada)
    ada.visit("places")
    ada.at("spots-now").click()
    expect(ada.at("toasts")).to_contain_text("No spots near you.")
    ben = window().open().sign_up("Ben")
    ben.create_group("Flat 12")
    ben.follow_gps(46.6247, 14.3060)
    ben.visit("places")
    ben.at("spot-add-here").click()
    ben.at("spot-name").fill("Dragon fountain")
    ben.at("spot-add").click()
    expect(ben.at("spot")).to_have_count(1)
    ada.at("spots-now").click()
    expect(ada.at("toasts")).to_contain_text("1 spot near you.")
    expect(ada.at("spot")).to_contain_text("Dragon fountain")
    expect(ada.at("spot")).to_contain_text("50 m away")

    ben.at("spot-add-here").click()
    ben.at("spot-name").fill("Café (am Eck) & mehr")
    ben.at("spot-add").click()
    expect(ben.page.get_by_test_id(re.compile("^spot-callout-"))).to_contain_text("Café (am Eck) & mehr")
    ben.at("spot-more-actions").click()
    links = ben.page.get_by_role("menuitem").and_(ben.page.locator("a"))
    expect(links).to_have_text(["Map app", "Apple Maps", "OpenStreetMap"])
    called = "Caf%C3%A9%20%28am%20Eck%29%20%26%20mehr"
    assert [each.get_attribute("href") for each in links.all()] == [
        f"geo:46.6247,14.306?q=46.6247,14.306({called})",
        f"https://maps.apple.com/?ll=46.6247,14.306&q={called}",
        "https://www.openstreetmap.org/?mlat=46.6247&mlon=14.306#map=18/46.6247/14.306",
    ]


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_axe_finds_nothing_while_saving_nor_on_a_spot(window, kind):
    options = PHONE if kind == "phone" else {"viewport": {"width": 1280, "height": 800}}
    ada = window(reduced_motion="reduce", **options).open().sign_up("Ada")
    ada.create_group("Choir")
    ada.follow_gps(46.7, 13.2)
    save(ada)
    finds_nothing_in_both_schemes(ada, "you, saving")
    ada.visit("places")
    finds_nothing_in_both_schemes(ada, "places, saving")
    ada.at("spot-add-here").click()
    ada.at("spot-name").fill(f"Bench, {kind}")
    ada.at("spot-add").click()
    expect(ada.page.get_by_test_id(re.compile("^spot-callout-"))).to_be_visible()
    expect(ada.at("toasts").locator(".toast")).to_have_count(0, timeout=15_000)
    finds_nothing_in_both_schemes(ada, "a spot")
