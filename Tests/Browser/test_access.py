"""Everybody can use it: axe-core finds nothing in any view, and what axe-core cannot see is held here."""

import re

import pytest
from axe import finds_nothing_in_both_schemes
from playwright.sync_api import expect
from test_page import PHONE
from window import edit_profile


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_axe_finds_nothing_in_any_view(window, kind):
    options = PHONE if kind == "phone" else {"viewport": {"width": 1280, "height": 800}}
    ada = window(reduced_motion="reduce", **options).open()
    finds_nothing_in_both_schemes(ada, "sign-up")
    ada.at("auth-mode-login").click()
    ada.at("auth-submit").click()
    finds_nothing_in_both_schemes(ada, "a wrong log-in")
    ada.at("auth-mode-signup").click()
    ada.sign_up("Ada")
    expect(ada.at("map")).to_be_visible()
    finds_nothing_in_both_schemes(ada, "no groups")
    link = ada.create_group("Sunday climbers")
    expect(ada.row("Ada")).to_be_visible()
    finds_nothing_in_both_schemes(ada, "nobody on the map")
    ada.walk()
    ben = window().open(link).sign_up("Ben")
    ben.at("join-confirm").click()
    ben.walk()
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")
    finds_nothing_in_both_schemes(ada, "a bubble")
    ada.row("Ben").click()
    expect(ada.page.get_by_test_id(re.compile("^callout-[0-9]"))).to_be_visible()
    finds_nothing_in_both_schemes(ada, "a person")
    ada.at("callout-more").click()
    finds_nothing_in_both_schemes(ada, "a menu")
    ada.page.keyboard.press("Escape")
    ada.page.go_back()
    ben.share("paused")
    expect(ada.row("Ben")).to_contain_text("Hidden")
    finds_nothing_in_both_schemes(ada, "somebody paused")
    for opener in ("group-menu", "group-invite", "group-new", "sharing"):
        ada.in_groups(opener) if opener in ("group-menu", "group-new") else ada.at(opener).click()
        expect(ada.page.locator("dialog")).to_be_visible()
        if opener == "group-invite":
            ada.make_invite()
        finds_nothing_in_both_schemes(ada, opener)
        ada.close_dialog()
    ada.at("inbox-open").click()
    finds_nothing_in_both_schemes(ada, "an empty inbox")
    ada.at("inbox-open").click()
    ada.at("gatherings-open").click()
    expect(ada.at("gatherings-state")).to_contain_text("No gatherings yet")
    finds_nothing_in_both_schemes(ada, "history")
    ada.visit("places")
    expect(ada.at("spots-state")).not_to_have_text("Loading…")
    finds_nothing_in_both_schemes(ada, "places")
    ada.at("spot-add-there").click()
    finds_nothing_in_both_schemes(ada, "pointing")
    ada.at("point-here").click()
    expect(ada.at("spot-dialog")).to_be_visible()
    finds_nothing_in_both_schemes(ada, "adding a spot")
    ada.close_dialog()
    edit_profile(ada)
    expect(ada.at("profile-name")).to_have_value("Ada")
    finds_nothing_in_both_schemes(ada, "you")


#: The last one is 1280 by 800 at 200 %.
SIZES = [(1280, 800), (390, 844), (320, 640), (768, 1024), (844, 390), (640, 400)]


def test_list_and_map_are_there_at_every_size_with_long_names_and_forced_colours(window):
    ada = window(viewport={"width": 1280, "height": 800}).open().sign_up("Ada")
    ada.create_group("The friends of the long walk along the river on Sundays")
    ada.follow_gps(48.2082, 16.3738)
    for width, height in SIZES:
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.reload()
        ada.is_live()
        row = ada.row("Ada")
        row.scroll_into_view_if_needed()
        expect(row).to_be_in_viewport(ratio=0.9)
        expect(ada.marker("Ada")).to_be_in_viewport()
        assert ada.at("map").bounding_box()["width"] >= 200 and ada.at("map").bounding_box()["height"] >= 150
        for section in ("places", "events", "you", "people"):
            ada.visit(section)
            scrolls = ada.page.evaluate("""() => [...document.querySelectorAll("body, body *")].filter((each) => {
              const style = getComputedStyle(each);
              const across = each.scrollWidth > each.clientWidth && ["auto", "scroll"].includes(style.overflowX);
              const nothing = style.overflowY === "scroll" && each.scrollHeight <= each.clientHeight;
              return (across || nothing) && each.clientWidth > 0;
            }).map((each) => each.outerHTML.slice(0, 100))""")
            assert scrolls == [], (width, section, scrolls)
            assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight")

    # A long name wraps, on a narrow screen too.
    ada.page.set_viewport_size({"width": 390, "height": 844})
    ada.visit("you")
    expect(ada.at("profile-name")).to_have_value("Ada")
    ada.at("profile-edit").click()
    ada.at("profile-name").fill("Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschafers")
    ada.at("profile-save").click()
    ada.visit("people")
    name = ada.page.locator(".member-name").first
    expect(name).to_contain_text("Wolfeschlegel")
    assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth && each.getBoundingClientRect().height > 30")
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 390

    # With forced colours, what is chosen stays visible.
    ada.page.set_viewport_size({"width": 1280, "height": 800})
    border = ada.page.locator(".rail a[aria-current]")
    ada.page.emulate_media(forced_colors="active")
    assert border.evaluate("(each) => getComputedStyle(each).borderTopWidth") == "2px"
