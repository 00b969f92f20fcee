"""What the server tells of its own accord reaches every page at once: nobody asks, nobody reloads."""

import re

from playwright.sync_api import expect
from test_page import untold
from window import PASSWORD

#: The maximum delay of a push, in milliseconds.
SOON = 2000


def another_of(one, window):
    """A second browser of the same person."""
    other = window().open()
    other.name = one.name
    other.log_in(one.username, PASSWORD)
    other.is_live()
    return other


def test_how_long_one_pauses_is_shown_and_survives_a_reload(pair):
    ada, ben = pair
    ada.at("sharing").click()
    expect(ada.at("sharing-now")).to_contain_text("Live")
    expect(ada.at("sharing-until")).not_to_be_visible()
    ada.at("sharing-paused").check()
    options = ada.at("sharing-until").locator("option")
    expect(options).to_have_text([
        re.compile(r"^For 1 hour, until (\w+, )?\d\d:\d\d$"), re.compile(r"^For 8 hours, until (\w+, )?\d\d:\d\d$"),
        re.compile(r"^Until (this|tomorrow) morning, 08:00$"), "Until I change it"])
    ends = options.nth(1).inner_text().removeprefix("For 8 hours, ")
    ada.at("sharing-until").select_option(index=1)
    ada.at("sharing-save").click()
    expect(ben.row("Ada")).to_contain_text("Not sharing")
    for _ in range(2):
        expect(ada.at("sharing-line")).to_have_text(f"Paused {ends}: nobody sees you")
        ada.page.reload()
        ada.is_live()
    ada.at("sharing").click()
    expect(ada.at("sharing-now")).to_contain_text(f"Paused {ends}, then live")
    expect(ada.at("sharing-paused")).to_be_checked()
    expect(ada.at("sharing-until").locator("option:checked")).to_have_text(f"U{ends[1:]}, as it is")
    ada.at("sharing-until").select_option(label="Until I change it")
    ada.at("sharing-save").click()
    expect(ada.at("sharing-line")).to_have_text("Paused: nobody sees you")


def test_what_one_shares_is_shown_in_all_ones_windows(pair, window):
    ada, ben = pair
    other = another_of(ada, window)
    expect(other.at("group-switcher")).to_contain_text("Sunday climbers")
    ada.share("paused")
    expect(other.page.locator(".share-bar")).to_have_attribute("data-mode", "paused", timeout=SOON)
    expect(other.at("sharing-line")).to_have_text(re.compile(r"^Paused until (\w+, )?\d\d:\d\d: nobody sees you$"))
    modes = {each.name: [frame["mode"] for frame in each.received if frame["type"] == "sharing"] for each in (other, ben)}
    assert modes["Ada"] == ["paused"]
    assert "paused" not in modes["Ben"], "what one shares is told to oneself alone"


def test_a_new_name_of_the_group_reaches_the_others_at_once(pair):
    ada, ben = pair
    ada.at("group-menu").click()
    ada.at("group-rename").fill("Monday climbers")
    ada.at("group-save").click()
    expect(ada.at("group-switcher")).to_contain_text("Monday climbers")
    expect(ben.at("group-switcher")).to_contain_text("Monday climbers", timeout=SOON)
    ben.at("group-menu").click()
    expect(ben.at("group-dialog")).to_contain_text("About Monday climbers")


def test_new_rules_reach_the_others_at_once(pair):
    ada, ben = pair
    ada.set_rules(radius=250, maxAbsent=3)
    ben.at("group-menu").click()
    expect(ben.at("rule-radius")).to_have_text("People within 250 m of each other count as together.")
    expect(ben.at("rule-maxAbsent")).to_have_text("Those missing are told when they are at most 3.")


def test_a_group_joined_in_one_window_is_there_in_the_other(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open().sign_up("Ben")
    other = another_of(ben, window)
    expect(other.at("no-groups")).to_be_visible()
    ben.join(link)
    expect(other.at("group-switcher")).to_contain_text("Choir", timeout=SOON)
    expect(other.row("Ada")).to_be_visible()


def test_what_is_seen_in_one_window_is_gone_from_the_other(window, server):
    cleo = untold(window(), server)
    other = another_of(cleo, window)
    for each in (cleo, other):
        expect(each.at("alert")).to_have_count(3)
    for left in (2, 1, 0):
        cleo.at("alert-seen").last.click()
        expect(other.at("alert")).to_have_count(left, timeout=SOON)
    expect(other.page).to_have_title("People · Muster")
