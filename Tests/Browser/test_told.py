"""What the server sends unasked reaches every page at once: nobody asks, nobody reloads."""

import re

from playwright.sync_api import expect
from test_page import PHONE, SOON, shows_at, untold
from window import PASSWORD


def another_of(one, window, **options):
    """A second browser of the same person."""
    other = window(**options).open()
    other.name = one.name
    other.log_in(one.username, PASSWORD)
    other.is_live()
    return other


def test_who_pauses_disappears_and_who_approximates_is_somewhere_near(pair):
    ada, ben = pair
    exact = ben.position("Ada")
    ada.share("approximate")
    lat, lon = round(exact[0], 2), round(exact[1], 2)
    shows_at(ben, "Ada", (lat, lon))
    expect(ben.row("Ada")).to_contain_text("About here")
    # An area of about a kilometre.
    expect(ben.page.locator("path.cell")).to_have_count(1)
    ben.row("Ada").click()
    callout = ben.page.get_by_test_id(re.compile("^callout-[0-9]"))
    expect(callout).to_contain_text("within about a kilometre")
    expect(callout).not_to_contain_text("±")
    expect(ben.marker("Ada").locator(".pin")).to_have_class(re.compile("area"))
    expect(ada.page.locator("path.cell")).to_have_count(0)
    ben.page.go_back()
    assert ada.position("Ada") == exact, "one's own window shows where one is"

    ada.share("paused")
    expect(ben.marker("Ada")).to_have_count(0)
    expect(ben.row("Ada")).to_contain_text("Not sharing")
    ada.step("ArrowUp")
    expect(ben.marker("Ada")).to_have_count(0)
    ada.share("live")
    shows_at(ben, "Ada", ada.step("ArrowRight"))
    # What came between the two changes of sharing has no position.
    user = ben.row("Ada").get_attribute("data-testid").removeprefix("member-")
    changes = [member for frame in ben.received if frame["type"] == "update" for member in frame["members"] if member["user"] == user]
    modes = [change.get("sharing") for change in changes]
    paused, live = modes.index("paused"), len(modes) - 1 - modes[::-1].index("live")
    assert paused < live
    assert all(change.get("lat") is None for change in changes[paused:live]), changes[paused:live]


def test_one_pauses_for_one_group_or_for_all_and_for_how_long_survives_a_reload(pair):
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
    ada.share("live")

    ada.at("group-new").click()
    ada.at("new-group-dialog").get_by_test_id("group-name").fill("Choir")
    ada.at("new-group-dialog").get_by_test_id("group-create").click()
    expect(ada.at("group-switcher").locator("option:checked")).to_have_text("Choir")

    def shares(group, mode, words):
        ada.at("group-switcher").select_option(label=group)
        expect(ada.page.locator(".share-bar")).to_have_attribute("data-mode", mode)
        expect(ada.at("sharing-line")).to_have_text(words)

    ada.share("approximate")
    shares("Choir", "approximate", "Nobody else is in this group yet")
    shares("Sunday climbers", "live", "1 friend sees you exactly")
    ada.at("sharing").click()
    ada.at("sharing-paused").check()
    ada.at("sharing-everywhere").check()
    ada.at("sharing-until").select_option(label="Until I change it")
    ada.at("sharing-save").click()
    expect(ben.row("Ada")).to_contain_text("Not sharing")
    shares("Choir", "paused", "Paused: nobody sees you")
    shares("Sunday climbers", "paused", "Paused: nobody sees you")


def test_a_group_joined_and_what_one_shares_are_shown_in_all_ones_windows(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open().sign_up("Ben")
    other = another_of(ben, window)
    expect(other.at("no-groups")).to_be_visible()
    ben.join(link)
    expect(other.at("group-switcher")).to_contain_text("Choir", timeout=SOON)
    expect(other.row("Ada")).to_be_visible()
    before = len(other.received)
    ben.share("paused")
    expect(other.page.locator(".share-bar")).to_have_attribute("data-mode", "paused", timeout=SOON)
    expect(other.at("sharing-line")).to_have_text(re.compile(r"^Paused until (\w+, )?\d\d:\d\d: nobody sees you$"))
    expect(ada.row("Ben")).to_contain_text("Not sharing")
    assert [frame["mode"] for frame in other.received[before:] if frame["type"] == "sharing"] == ["paused"]
    assert "paused" not in [frame["mode"] for frame in ada.received if frame["type"] == "sharing"], "what one shares is told to oneself alone"


def test_a_departure_is_called_out_late_news_wait_below_and_what_is_seen_in_one_window_is_gone_from_the_other(window, server):
    cleo = untold(window(), server)
    cards = cleo.at("alert")
    expect(cards).to_have_count(3)
    now, gathered, departed = (cards.nth(index) for index in range(3))
    expect(now.locator("h2")).to_have_text("Choir left without you")
    expect(now.get_by_test_id("alert-text")).to_have_text("Ada and Ben went on, and are 2.1 km from you, near Blue Bottle.")
    expect(now.get_by_test_id("alert-late")).to_have_count(0)
    expect(cleo.page.locator("#announcer")).to_contain_text("Choir left without you")
    expect(gathered.locator("h2")).to_have_text("Choir met without you")
    expect(gathered.get_by_test_id("alert-text")).to_have_text(
        re.compile(r"^Ada and Ben were together at Blue Bottle since (\w+, )?\d\d:\d\d, 2\.1 km from where you were\.$"))
    expect(departed.get_by_test_id("alert-text")).to_have_text("Ada and Ben went on, and were 2.1 km from where you were, near Blue Bottle.")
    for late in (gathered, departed):
        expect(late).to_have_class(re.compile("late"))
        expect(late.get_by_test_id("alert-late")).to_have_text("Reaches you late: this was 1 h ago")

    # On her phone the inbox never covers the map.
    phone = another_of(cleo, window, **PHONE)
    expect(phone.at("alert")).to_have_count(3)
    expect(phone.page).to_have_title("(3) People · Muster")
    expect(phone.at("inbox-open")).to_have_attribute("aria-label", "Inbox, 3 new")
    inbox, stage, panel = (phone.page.locator(name).bounding_box() for name in (".inbox", ".map", ".panel"))
    assert inbox["y"] >= panel["y"], "the inbox lies over the map"
    assert panel["y"] + 17 >= stage["y"] + stage["height"], "the sheet lies over the map"
    phone.at("inbox-open").tap()
    expect(phone.at("alerts")).not_to_be_visible()
    phone.at("inbox-open").tap()
    cleo.at("alert-seen").last.click()
    expect(phone.at("alert")).to_have_count(2, timeout=SOON)
    for left in (1, 0):
        phone.at("alert-seen").first.tap()
        expect(phone.at("alert")).to_have_count(left)
        assert phone.page.evaluate("document.activeElement !== document.body"), "the focus is lost"
        expect(cleo.at("alert")).to_have_count(left, timeout=SOON)
    for each in (cleo, phone):
        expect(each.page).to_have_title("People · Muster")
