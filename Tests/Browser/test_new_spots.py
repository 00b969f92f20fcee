"""Spots come by themselves: to the list, to the map, and as a card to whoever is near."""

import re

import pytest
from axe import finds_nothing
from playwright.sync_api import expect
from test_page import PHONE, broken_references, nameless


@pytest.fixture
def neighbours(window, request):
    """Two people who share no group, next to each other, where no other test goes."""
    lat = 43.0 + (sum(map(ord, request.node.name)) % 997) / 100
    ada, ben = window(**getattr(request, "param", {})), window()
    # 0.0014 degrees of latitude are 156 m.
    for each, name, north in ((ada, "Ada", 0), (ben, "Ben", 0.0014)):
        each.open().sign_up(name)
        each.create_group(f"The friends of {name}")
        each.follow_gps(round(lat + north, 6), 12.0)
        # Subscriptions around the live position need a position on the server.
        each.page.wait_for_function("() => document.querySelector('[data-testid=sharing]').dataset.state === 'live'")
    return ada, ben


def add_spot(window, name, more=""):
    window.visit("places")
    window.at("spot-add-here").click()
    window.at("spot-name").fill(name)
    window.at("spot-more").fill(more)
    window.at("spot-add").click()
    expect(window.at("spot-dialog")).to_have_count(0)
    expect(window.page.locator(f'[data-testid="spot"]:has-text("{name}")')).to_have_count(1)


def test_new_spots_near_one_follow_what_others_do_are_cards_to_like_and_to_show_and_wait_for_who_was_away(neighbours, server):
    ada, ben = neighbours
    ada.visit("places")
    expect(ada.at("spots-state")).to_have_text("No spots around here yet. Add the first one.")
    add_spot(ben, "Dragon fountain")
    expect(ada.at("spots").get_by_test_id("spot")).to_contain_text("Dragon fountain")
    expect(ada.page.locator(".spot-marker")).to_have_attribute("data-spots", "|Dragon fountain|")
    ben.at("spot").get_by_test_id("spot-like").click()
    expect(ada.at("spots").get_by_test_id("spot-like")).to_have_text("1")
    ben.at("spot-more-actions").click()
    ben.at("spot-delete").click()
    ben.at("spot-delete-confirm").click()
    for what in (ada.at("spots").get_by_test_id("spot"), ada.page.locator(".spot-marker"), ada.at("new-spot")):
        expect(what).to_have_count(0)

    # On another page a new spot is a card.
    ada.visit("people")
    add_spot(ben, "Blue Bottle", "The corner table has the socket.")
    card = ada.at("new-spot")
    expect(card).to_contain_text("Blue Bottle")
    expect(card).to_contain_text("The corner table has the socket.")
    expect(ada.at("new-spot-far")).to_have_text(re.compile(r"^160 m away · by Ben$"))
    expect(ada.page.locator("#murmur")).to_have_text(re.compile(r"^New near you: Blue Bottle, 160 m away$"))
    expect(ben.at("new-spot")).to_have_count(0)
    assert nameless(ada) == []
    assert broken_references(ada) == []
    finds_nothing(ada, "a new spot")
    card.get_by_test_id("spot-like").click()
    expect(card.get_by_test_id("spot-like")).to_have_attribute("aria-pressed", "true")
    expect(card.get_by_test_id("spot-like")).to_have_text("1")
    # The author receives the vote as a push.
    expect(ben.at("spot").get_by_test_id("spot-like")).to_have_text("1")
    ada.at("new-spot-show").click()
    expect(card).to_have_count(0)
    callout = ada.page.get_by_test_id(re.compile("^spot-callout-"))
    expect(callout).to_contain_text("Blue Bottle")
    expect(callout.get_by_test_id("spot-like")).to_have_attribute("aria-pressed", "true")

    # What one looks at by its address is no news any more.
    add_spot(ben, "Red Bottle")
    add_spot(ben, "Green Bottle")
    expect(ada.at("new-spot-more")).to_have_text("and 1 more new spot")
    (second,), (first,) = server.sql("SELECT id FROM muster.spot ORDER BY id DESC LIMIT 2;")
    ada.page.goto(f"{ada.url}/#/places/spots/{second}")
    expect(ada.at("new-spot").locator("h2")).to_have_text("Red Bottle")
    expect(ada.at("new-spot-more")).to_be_hidden()
    ada.page.goto(f"{ada.url}/#/places/spots/{first}")
    expect(ada.at("new-spot")).to_have_count(0)

    # What was added while one was away comes as one card.
    ada.visit("people")
    add_spot(ben, "First")
    expect(ada.at("new-spot")).to_contain_text("First")
    ada.at("new-spot-dismiss").click()
    expect(ada.page.locator("#heading")).to_be_focused()
    address = ada.page.url
    ada.page.goto("about:blank")
    add_spot(ben, "Second")
    add_spot(ben, "Third")
    ada.page.goto(address)
    card = ada.at("new-spot")
    expect(card.locator("h2")).to_have_text("Third")
    expect(ada.at("new-spot-more")).to_have_text("and 1 more new spot")
    ada.page.keyboard.press("Tab")
    ada.at("new-spot-more").click()
    expect(ada.page.locator("#heading")).to_have_text("Places")
    expect(ada.at("spots").get_by_test_id("spot")).to_have_count(6)


@pytest.mark.parametrize("neighbours", [{**PHONE, "color_scheme": "dark"}], indirect=True, ids=["phone"])
def test_on_a_phone_the_card_leaves_the_list_and_the_bar_free(neighbours):
    ada, ben = neighbours
    add_spot(ben, "A place with quite a long name that does not fit into a single line of the card", "And more to say.")
    expect(ada.at("new-spot")).to_be_visible()
    card, panel = ada.at("new-spot").bounding_box(), ada.page.locator(".panel").bounding_box()
    assert card["x"] >= 0 and card["x"] + card["width"] <= 390
    assert card["y"] + card["height"] <= panel["y"], "it lies over the list"
    finds_nothing(ada, "a new spot on a phone")
