"""The map draws the server's own streets, asks no other host, and says whose data it shows."""

import pytest
import town
from axe import finds_nothing
from playwright.sync_api import expect
from window import until

VIEW = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def townsfolk(window):
    """Opens a window on the town, with the server's answers."""

    def look(**options):
        ada = window(**{**VIEW, "reduced_motion": "reduce", **options})
        ada.town = town.TownServer(ada)
        ada.open().sign_up("Ada")
        ada.create_group("Friends")
        ada.follow_gps(*town.at(-120, -100))
        return ada

    return look


def test_the_town_has_streets_and_names(townsfolk):
    ada = townsfolk()
    until(ada.page, lambda: len((ada.at("street-names").get_attribute("data-names") or "").split("|")) >= 10, "fewer than 10 names")
    expect(ada.page.locator(".street-tiles canvas[data-theme]").first).to_be_visible()
    finds_nothing(ada, "streets")
