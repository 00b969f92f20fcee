"""The map shows the server's tiles: clusters that split and merge as one zooms and as people move, for eyes, hands and ears."""

import itertools
import re

import pytest
from axe import finds_nothing, finds_nothing_in_both_schemes
from crowd import gather
from map_spots import plant
from playwright.sync_api import expect
from test_map import zoom_to
from test_page import nameless, shows_at
from window import until

_places = itertools.count()

#: Counts the moves that the page starts, not the map itself.
COUNT_FLIGHTS = """() => {
  window.flights = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    if (this.closest(".tile-pins")) window.flights += 1;
    return animate.apply(this, given);
  };
}"""


@pytest.fixture
def lookout(window):
    """Opens a window on the places around a spot of the earth where no other test is."""

    def look(**options):
        ada = window(**{"viewport": {"width": 1280, "height": 800}, **options}).open().sign_up("Ada")
        ada.create_group("Friends")
        here = (-35.0 + next(_places) * 0.5, 20.0)
        ada.follow_gps(*here)
        ada.visit("places")
        expect(ada.at("spots-state")).to_have_text("No spots around here yet. Add the first one.")
        return ada, here

    return look


def spread(here, count, metres=30):
    """So many spots in a row to the east."""
    return [(here[0], here[1] + n * metres / 91_000, f"Spot {n}") for n in range(count)]


def pins(window):
    return window.page.locator(".spot-marker")


def counts(window):
    """How many spots each pin stands for."""
    # One evaluation: pins that are found first and read later may be gone by then.
    return sorted(window.page.evaluate("() => [...document.querySelectorAll('.spot-marker')].map(({ dataset }) => Number(dataset.count))"))


def shows(window, wanted):
    """Waits until the pins stand for so many spots each."""
    until(window.page, lambda: counts(window) == sorted(wanted), lambda: f"{counts(window)} and not {wanted}")


def focused(window):
    return window.page.evaluate("() => ({ name: document.activeElement.getAttribute('aria-label'), feature: document.activeElement.dataset.feature ?? null })")


def test_a_cluster_is_pressed_and_the_map_comes_to_where_it_parts_with_motion_only_for_who_likes_that(lookout):
    ada, here = lookout()
    plant(ada, f"row{here[0]}", spread(here, 12))
    zoom_to(ada, 14)
    shows(ada, [12])
    pin = pins(ada)
    expect(pin).to_have_attribute("aria-label", "12 spots, zoom in")
    feature = pin.get_attribute("data-feature")
    told = ada.page.evaluate("(id) => fetch(`/v1/clusters/spots/${encodeURIComponent(id)}`).then((answer) => answer.json())", feature)
    assert told["count"] == 12
    pin.click()
    expect(ada.at("map")).to_have_attribute("data-zoom", str(told["expansion_zoom"] + 1))
    until(ada.page, lambda: len(counts(ada)) > 1 and sum(counts(ada)) == 12, lambda: f"{counts(ada)}")
    zoom_to(ada, 14)
    shows(ada, [12])
    expect(pins(ada)).to_have_attribute("data-feature", feature)

    # Clusters fly apart only for who likes that.
    ada.page.evaluate(COUNT_FLIGHTS)
    for motion in ("no-preference", "reduce"):
        ada.page.emulate_media(reduced_motion=motion)
        ada.page.evaluate("window.flights = 0")
        zoom_to(ada, 16)
        until(ada.page, lambda: len(counts(ada)) > 1 and sum(counts(ada)) == 12, lambda: f"{counts(ada)}")
        flights = ada.page.evaluate("flights")
        assert (flights == 0) if motion == "reduce" else (flights >= len(counts(ada)) - 1)
        zoom_to(ada, 14)
        shows(ada, [12])


def test_on_a_very_large_screen_too_a_cluster_opens_by_coming_nearer(lookout):
    # More than 64 tiles would be in view, so the page subscribes to wider ones. Their clusters split at the zoom of the
    # map.
    ada, here = lookout(viewport={"width": 5200, "height": 3000})
    plant(ada, f"two{here[0]}", spread(here, 2, metres=100))
    shows(ada, [2])
    feature = pins(ada).get_attribute("data-feature")
    told = ada.page.evaluate("(id) => fetch(`/v1/clusters/spots/${encodeURIComponent(id)}`).then((answer) => answer.json())", feature)
    zoom = told["expansion_zoom"] + 1
    zoom_to(ada, zoom)
    shows(ada, [2])
    pins(ada).click()
    expect(ada.at("map")).to_have_attribute("data-zoom", str(zoom + 1))
    shows(ada, [1, 1])


def test_a_cluster_that_no_zoom_parts_is_a_list_in_pages(lookout):
    ada, here = lookout()
    ids = plant(ada, f"pile{here[0]}", [(*here, f"Spot {n}") for n in range(23)])
    shows(ada, [23])
    pins(ada).click()
    opened = ada.at("leaf-list")
    expect(opened).to_contain_text("23 spots here")
    leaves = opened.get_by_test_id("leaf")
    expect(leaves).to_have_count(20)
    expect(leaves.first).to_be_focused()
    finds_nothing(ada, "a list of leaves")
    ada.at("leaves-more").click()
    expect(leaves).to_have_count(23)
    expect(leaves.nth(20)).to_be_focused()
    expect(ada.at("leaves-more")).not_to_be_visible()
    assert sorted(leaves.evaluate_all("(all) => all.map(({ dataset }) => dataset.leaf.slice(2))")) == sorted(ids)
    ada.page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    assert focused(ada)["name"].startswith("23 spots")
    # At the closest zoom all points are sent individually, and the page itself groups them into one bubble. The list has
    # moved the map.
    ada.at("locate").click()
    until(ada.page, lambda: abs(pins(ada).bounding_box()["y"] - 380) < 10, "the map does not come back")
    zoom_to(ada, 19)
    shows(ada, [23])
    expect(pins(ada)).to_have_attribute("aria-label", "23 spots, show the list")
    pins(ada).click()
    opened.get_by_role("button", name="Spot 7", exact=True).click()
    expect(ada.page.get_by_test_id(f"spot-callout-{ids[7]}")).to_contain_text("by Planter")


def test_spots_that_come_and_go_split_and_merge_clusters_by_themselves(lookout):
    ada, here = lookout()
    plant(ada, f"pair{here[0]}", spread(here, 2, metres=10))
    shows(ada, [2])
    cluster = pins(ada).get_attribute("data-feature")
    ada.at("spot-add-here").click()
    ada.at("spot-name").fill("Third")
    ada.at("spot-add").click()
    shows(ada, [3])
    expect(pins(ada)).to_have_attribute("data-feature", cluster)
    callout = ada.page.get_by_test_id(re.compile("^spot-callout-"))
    expect(callout).to_contain_text("Third")
    ada.at("spot-more-actions").click()
    ada.at("spot-delete").click()
    ada.at("spot-delete-confirm").click()
    shows(ada, [2])


def test_the_keyboard_reaches_each_cluster_and_stays_with_its_parts(lookout):
    ada, here = lookout()
    plant(ada, f"west{here[0]}", spread(here, 4))
    plant(ada, f"east{here[0]}", spread((here[0], here[1] + 0.02), 12))
    zoom_to(ada, 14)
    shows(ada, [4, 12])
    ada.at("map").focus()
    ada.page.keyboard.press("Tab")
    assert focused(ada)["name"] == "Ada (you), just now", "people come first"
    ada.page.keyboard.press("Tab")
    assert focused(ada)["name"] == "4 spots, zoom in", "the first, as one reads"
    ada.page.keyboard.press("ArrowUp")
    assert focused(ada)["name"] == "4 spots, zoom in", "there is none above"
    ada.page.keyboard.press("ArrowRight")
    assert focused(ada)["name"] == "12 spots, zoom in"
    ada.page.keyboard.press("Enter")
    until(ada.page, lambda: sum(counts(ada)) >= 12 and 12 not in counts(ada), lambda: f"{counts(ada)}")
    parts = ada.page.locator(".spot-marker[tabindex='0']")
    expect(parts).to_have_count(1)
    expect(parts).to_be_focused()
    expect(parts).to_be_in_viewport()
    ada.page.keyboard.press("Tab")
    assert focused(ada)["feature"] is None, "one press of Tab leaves them all"
    finds_nothing(ada, "clusters")
    assert nameless(ada) == []


def test_axe_finds_nothing_in_clusters_of_every_size(lookout):
    ada, here = lookout()
    for count, east in ((3, -0.015), (12, 0.015), (101, 0.03)):
        plant(ada, f"class{here[0]}-{count}", [(here[0], here[1] + east, "Spot")] * count)
    zoom_to(ada, 14)
    shows(ada, [3, 12, 101])
    finds_nothing_in_both_schemes(ada, "clusters")


def test_members_of_a_large_group_are_counted_and_their_clusters_follow_them(window, server):
    ada, ben = window(viewport={"width": 1280, "height": 800}), window()
    ada.open().sign_up("Ada")
    gather(server, ada.username, 40, seed=4)
    ada.page.reload()
    ada.is_live()
    ben.open(link_of(ada)).sign_up("Ben").at("join-confirm").click()
    where = (45.0, 12.0)
    for each, north in ((ada, 0), (ben, 0.0001)):
        each.follow_gps(where[0] + north, where[1])
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")
    # No other member is nearby.
    ada.row("Ben").click()
    until(ada.page, lambda: int(ada.at("map").get_attribute("data-zoom")) >= 14, "the map comes to Ben")
    ada.page.go_back()
    expect(ada.marker("Ben")).to_have_attribute("data-count", "2")
    ada.at("people-counts").click()
    counted = ada.page.locator(".counted")
    expect(counted).to_have_attribute("data-count", "2")
    expect(counted).to_have_attribute("aria-label", "2 people, zoom in")
    feature = counted.get_attribute("data-feature")
    least = min((ada, ben), key=lambda each: member_id(ada, each))
    assert feature.endswith(f":u{member_id(ada, least)}"), "named by the one who is in it longest"
    for step in range(1, 5):
        before = counted.evaluate("(pin) => pin.style.transform")
        for each, north in ((ada, 0), (ben, 0.0001)):
            each.go_to(round(where[0] + north + step * 0.0005, 6), where[1])
        until(ada.page, lambda: counted.count() == 1 and counted.evaluate("(pin) => pin.style.transform") != before, "the bubble stays behind")
        assert counted.get_attribute("data-feature") == feature, "the bubble is another one"
    # In steps, because the server rejects a jump.
    for step in range(1, 4):
        there = (round(where[0] + 0.0021 + step * 0.0008, 6), where[1])
        ben.go_to(*there)
        shows_at(ada, "Ben", there)
    expect(counted).to_have_count(2)
    expect(ada.page.locator(".counted[aria-label='Ben']")).to_have_count(1)
    finds_nothing(ada, "counted people")
    ben.share("paused")
    expect(counted).to_have_count(1)
    ada.at("people-counts").click()
    expect(counted).to_have_count(0)
    expect(ada.marker("Ada")).to_have_attribute("data-count", "1")


def member_id(window, other):
    return int(window.row(other.name).get_attribute("data-testid").removeprefix("member-"))


def link_of(window):
    window.at("group-invite").click()
    link = window.make_invite()
    window.close_dialog()
    return link
