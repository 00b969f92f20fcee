"""Plans: suggested over imported places, kept, proposed to a group, and answered in another window."""

import json
from pathlib import Path

import pytest
from axe import finds_nothing
from playwright.sync_api import expect
from test_page import PHONE, broken_references, nameless

TOWN = Path(__file__).resolve().parent.parent / "Fixtures" / "town.geojson"

#: The middle of that town.
CENTRE = (60.17, 24.94)


@pytest.fixture(scope="module")
def town(server):
    """The server, with the places of a small town."""
    server.import_places(TOWN)
    return server


@pytest.fixture
def ada(window, town, request):
    """Somebody in the middle of the town, who looks at their plans."""
    ada = window(**getattr(request, "param", {}))
    ada.open().sign_up("Ada")
    ada.link = ada.create_group("Sunday climbers")
    ada.follow_gps(*CENTRE)
    ada.visit("plans")
    return ada


def choose(window, *categories):
    """Says what one feels like, in order."""
    window.at("plan-new").click()
    for category in categories:
        window.at(f"plan-add-{category}").click()
    expect(window.at("plan-chip")).to_have_count(len(categories))


def order(window):
    """What one feels like, in order."""
    return window.page.eval_on_selector_all('[data-testid="plan-chip"]', "rows => rows.map((row) => row.dataset.category)")


def suggested(window):
    """The plans that were suggested."""
    found = window.at("plans-suggested").get_by_test_id("plan")
    expect(found.first).to_be_visible()
    return found


def keep(window, name):
    """Opens the first plan that was suggested, and saves it."""
    window.at("plan-suggest").click()
    suggested(window).first.get_by_test_id("plan-show").click()
    window.at("plan-save").click()
    window.at("plan-name").fill(name)
    window.at("plan-name-save").click()
    expect(window.at("plan-propose")).to_be_visible()


def test_what_one_feels_like_is_ordered_by_keyboard_and_a_plan_is_drawn(ada):
    expect(ada.at("plans-state")).to_have_text("No plans yet. Choose what you feel like, and Muster finds a route.")
    choose(ada, "art", "park", "restaurant")
    ada.at("plan-chip").nth(2).get_by_test_id("plan-chip-up").focus()
    ada.page.keyboard.press("Enter")
    assert order(ada) == ["art", "restaurant", "park"]
    ada.page.keyboard.press("ArrowUp")
    assert order(ada) == ["restaurant", "art", "park"]
    assert ada.page.evaluate("document.activeElement.closest('li').dataset.category") == "restaurant"
    ada.at("plan-add-bar").click()
    ada.at("plan-pace-close").check()
    finds_nothing(ada, "the form of a plan")
    ada.at("plan-suggest").click()
    expect(suggested(ada).first).to_contain_text("on foot")
    expect(ada.at("plans-found")).to_have_text("Nothing near for: Bar.")
    expect(ada.at("plan-attribution")).not_to_be_empty()
    first = suggested(ada).first
    # No restaurant has a known price.
    expect(first.get_by_test_id("plan-figures")).to_contain_text("~")
    finds_nothing(ada, "plans that were suggested")
    first.get_by_test_id("plan-show").click()
    stops = ada.at("plan-stop")
    expect(stops).to_have_count(3)
    expect(stops.first).to_contain_text("(estimated)")
    expect(stops.first.get_by_test_id("map-links").get_by_role("link")).to_have_count(3)
    expect(ada.at("plan-attribution").last).not_to_be_empty()
    lines = ada.page.locator(".plan-line.estimated")
    expect(lines).to_have_count(3)
    assert all("6" in (line.get_attribute("stroke-dasharray") or "") for line in lines.all())
    expect(ada.page.locator(".plan-number")).to_have_count(3)
    assert nameless(ada) == [] and broken_references(ada) == []
    finds_nothing(ada, "a plan")


def test_a_plan_is_kept_proposed_and_answered_in_another_window(ada, window, town):
    ben = window()
    ben.open(ada.link).sign_up("Ben").at("join-confirm").click()
    expect(ben.at("group-switcher")).to_be_visible()
    choose(ada, "cafe", "park")
    keep(ada, "Saturday by the sea")
    ada.at("plan-propose").click()
    finds_nothing(ada, "proposing a plan")
    ada.at("plan-propose-group").click()
    expect(ada.at("plan-share")).to_contain_text("Sunday climbers")

    card = ben.at("group-plan")
    expect(card).to_contain_text("Saturday by the sea")
    expect(card).to_contain_text("Ada proposes")
    expect(ben.at("notice")).to_contain_text("Ada proposes Saturday by the sea")
    expect(card.get_by_test_id("group-plan-attribution")).to_have_text("geojson-town")
    finds_nothing(ben, "a plan that is proposed")
    ada.at("plan-unshare").focus()
    card.get_by_test_id("plan-answer-in").click()
    expect(card.get_by_test_id("plan-answer-in")).to_have_text("In 1")
    expect(card.get_by_test_id("plan-answer-in")).to_have_attribute("aria-pressed", "true")
    expect(ada.at("plan-answer-in")).to_have_text("In 1")
    expect(ada.at("plan-answer-in")).to_have_attribute("aria-pressed", "false")
    # Another member's change does not move the focus.
    assert ada.page.evaluate("document.activeElement.dataset.testid") == "plan-unshare"

    # Ada's starting point is private.
    ben.at("notice-open").click()
    expect(ben.at("plan-stop")).to_have_count(2)
    expect(ben.at("plan-detail")).to_contain_text("Proposed by Ada")
    expect(ben.page.locator(".plan-line")).to_have_count(1)
    expect(ada.page.locator(".plan-line")).to_have_count(2)
    finds_nothing(ben, "a plan of somebody else")
    ben.at("plan-share").get_by_test_id("plan-answer-maybe").click()
    expect(ada.at("plan-answer-maybe")).to_have_text("Maybe 1")
    expect(ada.at("plan-answer-in")).to_have_text("In")

    ben.visit("people")
    expect(card.get_by_test_id("plan-answer-maybe")).to_have_attribute("aria-pressed", "true")
    ben.visit("plans")
    expect(ben.at("plans-state")).to_have_text("No plans yet. Choose what you feel like, and Muster finds a route.")

    ada.at("plan-unshare").click()
    expect(card).to_have_count(0)
    ada.at("plan-delete").click()
    ada.at("plan-delete-confirm").click()
    expect(ada.at("plans-state")).to_have_text("No plans yet. Choose what you feel like, and Muster finds a route.")
    assert town.sql("SELECT count(*) FROM muster.plan_share;") == [("0",)]


def test_where_a_network_address_lets_guess_that_one_is_is_kept_nowhere(window, town, tmp_path):
    # The server guesses a position to a tenth of a degree.
    near = tmp_path / "guessed.geojson"
    place = {"type": "Feature", "id": "n90", "geometry": {"type": "Point", "coordinates": [24.903, 60.201]},
             "properties": {"name": "Hill Museum", "tourism": "museum"}}
    near.write_text(json.dumps({"type": "FeatureCollection", "features": [place]}), encoding="utf-8")
    town.import_places(near)
    ada = window()
    ada.open().sign_up("Ada")
    ada.create_group("Choir")
    ada.visit("plans")
    choose(ada, "art")
    ada.at("plan-suggest").click()
    ada.at("position-guess").click()
    suggested(ada).first.get_by_test_id("plan-show").click()
    expect(ada.page.locator(".plan-line")).to_have_count(1)
    ada.at("plan-save").click()
    ada.at("plan-name").fill("Up the hill")
    ada.at("plan-name-save").click()
    expect(ada.at("plan-propose")).to_be_visible()
    # The newest account is the one of this test.
    newest = "WHERE user_id = (SELECT max(id) FROM muster.account)"
    assert town.sql(f"SELECT plans #> '{{0,origin}}', plans #> '{{0,stops,0,leg}}' FROM muster.suggestion {newest};") == [("", "")]
    assert town.sql(f"SELECT body -> 'origin', body #> '{{stops,0,leg}}' FROM muster.plan {newest};") == [("", "")]


@pytest.mark.parametrize("ada", [PHONE], indirect=True)
def test_on_a_phone_too(ada):
    choose(ada, "art")
    keep(ada, "Art")
    ada.page.get_by_role("button", name="‹ Your plans").click()
    row = ada.at("plans").get_by_test_id("plan")
    expect(row).to_contain_text("Art")
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finds_nothing(ada, "plans on a phone")
