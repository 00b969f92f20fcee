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
    expect(ben.row("Ada")).to_contain_text("Within 1 km")
    # An area of about a kilometre.
    expect(ben.page.locator("path.about")).to_have_count(1)
    ben.row("Ada").click()
    callout = ben.page.get_by_test_id(re.compile("^callout-[0-9]"))
    expect(callout).to_contain_text("Within 1 km")
    expect(callout).not_to_contain_text("±")
    expect(ben.marker("Ada").locator(".who")).to_have_class(re.compile("area"))
    expect(ada.page.locator("path.about")).to_have_count(0)
    ben.page.go_back()
    assert ada.position("Ada") == exact, "one's own window shows where one is"

    ada.share("paused")
    expect(ben.marker("Ada")).to_have_count(0)
    expect(ben.row("Ada")).to_contain_text("Hidden")
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


def test_one_hides_for_one_group_or_for_all_and_for_how_long_survives_a_reload(pair):
    ada, ben = pair
    ada.at("sharing").click()
    expect(ada.at("sharing-live")).to_be_checked()
    expect(ada.at("sharing-now")).to_have_text("Live until you change it.")
    expect(ada.at("sharing-save")).to_have_text("Share live")
    ada.at("until-hour").check()
    expect(ada.at("sharing-now")).to_have_text(re.compile(r"^Live until (\w+, )?\d\d:\d\d, then hidden\.$"))
    ada.at("sharing-paused").check()
    expect(ada.at("sharing-save")).to_have_text("Hide me")
    follows = ada.at("sharing-now").inner_text()
    ends = re.fullmatch(r"Hidden (until (\w+, )?\d\d:\d\d), then live again\.", follows)[1]
    ada.at("sharing-save").click()
    expect(ben.row("Ada")).to_contain_text("Hidden")
    for _ in range(2):
        expect(ada.at("sharing-line")).to_have_text(f"Hidden · {ends}")
        ada.page.reload()
        ada.is_live()
    ada.at("sharing").click()
    expect(ada.at("sharing-paused")).to_be_checked()
    expect(ada.at("until-kept")).to_be_checked()
    expect(ada.at("sharing-now")).to_have_text(follows)
    ada.at("until-none").check()
    ada.at("sharing-save").click()
    expect(ada.at("sharing-line")).to_have_text("Hidden")
    ada.share("live")

    ada.in_groups("group-new")
    ada.at("new-group-dialog").get_by_test_id("group-name").fill("Choir")
    ada.at("new-group-dialog").get_by_test_id("group-create").click()
    expect(ada.at("group-switcher")).to_contain_text("Choir")

    def shares(group, mode):
        ada.choose_group(group)
        expect(ada.at("sharing")).to_have_attribute("data-mode", mode)

    ada.share("approximate")
    shares("Choir", "approximate")
    shares("Sunday climbers", "live")
    ada.at("sharing").click()
    ada.at("sharing-paused").check()
    ada.at("sharing-everywhere").check()
    ada.at("until-none").check()
    ada.at("sharing-save").click()
    expect(ben.row("Ada")).to_contain_text("Hidden")
    for group in ("Choir", "Sunday climbers"):
        shares(group, "paused")
        expect(ada.at("sharing-line")).to_have_text("Hidden")


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
    expect(other.at("sharing")).to_have_attribute("data-mode", "paused", timeout=SOON)
    expect(other.at("sharing-line")).to_have_text("Hidden")
    expect(ada.row("Ben")).to_contain_text("Hidden")
    assert [frame["mode"] for frame in other.received[before:] if frame["type"] == "sharing"] == ["paused"]
    assert "paused" not in [frame["mode"] for frame in ada.received if frame["type"] == "sharing"], "what one shares is told to oneself alone"


def test_a_departure_is_called_out_late_news_wait_in_the_bell_and_what_is_seen_in_one_window_is_gone_from_the_other(window, server):
    cleo = untold(window(), server)
    cards = cleo.at("alert")
    expect(cards).to_have_count(3)
    now = cleo.at("alert-slot").get_by_test_id("alert")
    expect(now.locator("h2")).to_have_text("Choir left without you")
    expect(now.get_by_test_id("alert-text")).to_have_text("Ada and Ben went on, 2.1 km away, near Blue Bottle")
    expect(now.get_by_test_id("alert-late")).to_have_count(0)
    expect(now.get_by_test_id("alert-wait")).to_have_text("I’m coming · 30 min")
    expect(now.get_by_test_id("alerts-more")).to_have_text("2 more")
    expect(cleo.page.locator("#announcer")).to_contain_text("Choir left without you")
    now.get_by_test_id("alerts-more").click()
    gathered, departed = (cards.nth(index) for index in (1, 2))
    expect(gathered.locator("h2")).to_have_text("Choir met without you")
    expect(gathered.get_by_test_id("alert-text")).to_have_text(
        re.compile(r"^Ada and Ben were together at Blue Bottle since (\w+, )?\d\d:\d\d, 2\.1 km from where you were$"))
    expect(departed.get_by_test_id("alert-text")).to_have_text("Ada and Ben went on, 2.1 km from where you were, near Blue Bottle")
    for late in (gathered, departed):
        expect(late).to_have_class(re.compile("late"))
        expect(late.get_by_test_id("alert-late")).to_have_text("Reaches you late: this was 1 h ago")

    # On her phone the card lies over the map, and never over the sheet.
    phone = another_of(cleo, window, **PHONE)
    expect(phone.at("alert")).to_have_count(3)
    expect(phone.page).to_have_title("(3) Map · Muster")
    expect(phone.at("inbox-open")).to_have_attribute("aria-label", "Notices, 3 new")
    card, panel = phone.at("alert-slot").bounding_box(), phone.page.locator(".panel").bounding_box()
    assert card["height"] <= 128, card
    assert card["y"] + card["height"] <= panel["y"], "the card lies over the sheet"
    phone.at("inbox-open").tap()
    expect(phone.at("alerts").get_by_test_id("alert")).to_have_count(3)
    cleo.at("alert-seen").last.click()
    expect(phone.at("alert")).to_have_count(2, timeout=SOON)
    for left in (1, 0):
        phone.at("alert-seen").first.tap()
        expect(phone.at("alert")).to_have_count(left)
        assert phone.page.evaluate("document.activeElement !== document.body"), "the focus is lost"
        expect(cleo.at("alert")).to_have_count(left, timeout=SOON)
    for each in (cleo, phone):
        expect(each.page).to_have_title("Map · Muster")
    # The bell keeps for a day what was seen here, also after a reload.
    phone.page.reload()
    phone.is_live()
    phone.at("inbox-open").tap()
    expect(phone.at("inbox-past").locator("li")).to_have_count(2)
