"""What the page says of the connection, of others and of oneself is true, and soon."""

import re

from playwright.sync_api import expect
from test_page import PHONE, shows_at, untold

#: The maximum delay of a status change on the page, in milliseconds.
SOON = 2000


def says(window, state, timeout=SOON):
    expect(window.at("connection")).to_have_attribute("data-state", state, timeout=timeout)


def test_offline_is_said_at_once_and_what_was_missed_arrives(pair):
    ada, ben = pair
    ada.context.set_offline(True)
    says(ada, "offline")
    expect(ada.at("connection-why")).to_have_text("You are offline. Your moves are kept and sent later.", timeout=SOON)
    expect(ada.page.locator(".share-bar")).to_have_attribute("data-state", "waiting")
    own = ada.step("ArrowUp", "ArrowUp")
    expect(ada.at("position-hint")).to_contain_text("to be sent")
    before = len(ada.complaints)
    ada.context.set_offline(False)
    ada.is_live()
    shows_at(ben, "Ada", own)
    expect(ada.page.locator(".share-bar")).to_have_attribute("data-state", "live")
    ada.complaints = [complaint for complaint in ada.complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]
    assert len(ada.complaints) <= before


def test_a_drain_and_a_kill_are_said(pair, server):
    ada, ben = pair
    in_vain = "ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|503"
    for end in (server.stop, server.kill):
        for each in pair:
            each.is_live(timeout=60_000)
        end()
        for each in pair:
            says(each, "reconnecting")
        server.start()
    for each in pair:
        each.is_live(timeout=60_000)
        each.complaints = [complaint for complaint in each.complaints if not re.search(in_vain, complaint)]


def test_a_dead_login_leads_to_the_door(window):
    ada = window().open().sign_up("Ada")
    token = ada.page.evaluate("localStorage.getItem('muster.token')")
    ada.page.request.delete(f"{ada.url}/v1/sessions/current", headers={"Authorization": f"Bearer {token}"})
    expect(ada.at("auth-form")).to_be_visible(timeout=SOON)
    expect(ada.page.get_by_text("You were logged out.")).to_be_visible()


def test_a_reload_goes_on_with_what_was_on(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ada.follow_gps(48.2082, 16.3738)
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ada.page.reload()
    ada.is_live()
    expect(ada.at("share-gps")).to_have_attribute("aria-checked", "true")
    ada.go_to(48.2084, 16.3739)
    shows_at(ben, "Ada", (48.2084, 16.3739))
    # Another tab of the same user has reported nothing and does not start by itself.
    other = ada.context.new_page()
    other.goto(ada.url)
    expect(other.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    expect(other.get_by_test_id("share-gps")).to_have_attribute("aria-checked", "false")
    other.close()


def test_what_cannot_go_on_after_a_reload_says_that_it_is_off(window):
    ada = window().open().sign_up("Ada")
    ada.create_group("Choir")
    ada.follow_gps(48.2082, 16.3738)
    ada.page.goto("about:blank")
    ada.context.clear_permissions()
    ada.open()
    ada.is_live()
    expect(ada.at("toasts")).to_contain_text("Your location is off since the page was reloaded.")
    expect(ada.at("share-gps")).to_have_attribute("aria-checked", "false")
    expect(ada.at("sharing-line")).to_contain_text("Off")


def test_who_comes_standing_still_is_shown_at_once(window):
    """Joining, and taking sharing up again, without a step."""
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open().sign_up("Ben")
    ben.create_group("Book club")
    ben.follow_gps(48.2082, 16.3738)
    ben.join(link)
    shows_at(ada, "Ben", (48.2082, 16.3738))
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")
    ben.share("paused")
    expect(ada.row("Ben")).to_contain_text("Not sharing")
    ben.share("live")
    shows_at(ada, "Ben", (48.2082, 16.3738))
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")


def test_a_position_found_before_one_joined_shows_at_once(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    # Browsers may return a cached position.
    ben.page.add_init_script("""
        const follow = navigator.geolocation.watchPosition.bind(navigator.geolocation);
        navigator.geolocation.watchPosition = (found, ...rest) =>
          follow(({ coords, timestamp }) => found({ coords, timestamp: timestamp - 30_000 }), ...rest);""")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    expect(ben.page.locator(".share-bar")).to_be_visible()
    ben.follow_gps(48.2082, 16.3738)
    shows_at(ada, "Ben", (48.2082, 16.3738))
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")


def test_live_is_green_only_while_fixes_go_out(window):
    ada = window().open().sign_up("Ada")
    ada.create_group("Choir")
    bar = ada.page.locator(".share-bar")
    expect(bar).to_have_attribute("data-state", "off")
    ada.context.grant_permissions(["geolocation"])
    # No position is known yet: Chromium waits until one is set.
    ada.at("share-gps").click()
    expect(bar).to_have_attribute("data-state", "waiting")
    expect(ada.at("position-hint")).to_have_text("Looking for your position…")
    ada.go_to(48.2082, 16.3738)
    expect(bar).to_have_attribute("data-state", "live")
    ada.share("paused")
    expect(bar).to_have_attribute("data-state", "off")
    ada.share("approximate")
    expect(bar).to_have_attribute("data-state", "approximate")


def test_alerts_wait_in_an_inbox_that_never_covers_the_map(window, server):
    cleo = untold(window(**PHONE), server)
    expect(cleo.at("alert")).to_have_count(3)
    expect(cleo.page).to_have_title("(3) People · Muster")
    expect(cleo.at("inbox-open")).to_have_attribute("aria-label", "Inbox, 3 new")
    inbox, stage, panel = (cleo.page.locator(name).bounding_box() for name in (".inbox", ".map", ".panel"))
    assert inbox["y"] >= panel["y"], "the inbox lies over the map"
    assert panel["y"] + 17 >= stage["y"] + stage["height"], "the sheet lies over the map"
    cleo.at("inbox-open").tap()
    expect(cleo.at("alerts")).not_to_be_visible()
    cleo.at("inbox-open").tap()
    for left in (2, 1, 0):
        cleo.at("alert-seen").first.tap()
        expect(cleo.at("alert")).to_have_count(left)
        assert cleo.page.evaluate("document.activeElement !== document.body"), "the focus is lost"
    expect(cleo.page).to_have_title("People · Muster")


def test_a_toast_is_seen_and_heard_in_front_of_a_dialog(window):
    ada = window().open().sign_up("Ada")
    ada.create_group("Choir")
    ada.at("group-menu").click()
    ada.at("group-save").click()
    toast = ada.at("toasts").locator(".toast")
    expect(toast).to_contain_text("Saved.")
    on_top = toast.evaluate("""(toast) => {
      const { x, y, width, height } = toast.getBoundingClientRect();
      document.getElementById("toasts").style.pointerEvents = "auto";
      return toast.contains(document.elementFromPoint(x + width / 2, y + height / 2)) && toast.closest("dialog") !== null;
    }""")
    assert on_top, "it hides behind the dialog, or is silent there"
    ada.close_dialog()
    expect(toast).to_be_visible()
