"""What the page says of the connection, of others and of oneself is true, and soon."""

import re

from playwright.sync_api import expect
from test_chats import IN_VAIN
from test_page import SOON, shows_at


def says(window, state, timeout=SOON):
    expect(window.at("connection")).to_have_attribute("data-state", state, timeout=timeout)


def test_offline_a_drain_and_a_crash_are_said_at_once_and_what_was_missed_arrives(pair, server):
    ada, ben = pair
    ada.context.set_offline(True)
    says(ada, "offline")
    expect(ada.at("connection-why")).to_have_text(re.compile(r"^No connection\. Map as of \d\d:\d\d\.$"), timeout=SOON)
    expect(ada.at("sharing-line")).to_have_text("Waiting · for a connection")
    own = ada.step("ArrowUp", "ArrowUp")
    expect(ada.at("sharing-line")).to_have_text(re.compile(r"^Waiting · \d+ positions? kept$"))
    before = len(ada.complaints)
    ada.context.set_offline(False)
    ada.is_live()
    shows_at(ben, "Ada", own)
    expect(ada.at("sharing")).to_have_attribute("data-state", "live")
    expect(ada.at("connection")).not_to_be_visible()
    ada.complaints = [complaint for complaint in ada.complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]
    assert len(ada.complaints) <= before

    server.stop()
    for each in pair:
        says(each, "reconnecting")
    server.start()
    for each in pair:
        each.is_live(timeout=60_000)
        each.complaints = [complaint for complaint in each.complaints if not re.search(IN_VAIN, complaint)]

    before = ben.position("Ada")
    server.kill()
    for each in pair:
        says(each, "reconnecting")
    own = ada.step("ArrowUp", "ArrowUp", "ArrowRight")
    expect(ada.at("sharing-line")).to_contain_text("kept")
    assert ben.position("Ada") == before
    # Both have failed to connect at least once, on any machine.
    for each in pair:
        each.awaits_complaint(IN_VAIN)
    server.start()
    for each in pair:
        each.is_live(timeout=60_000)
        each.forgive(IN_VAIN)
    shows_at(ben, "Ada", own)
    expect(ada.at("sharing-line")).to_have_text("Live · 1 person sees you")
    for each in pair:
        expect(each.row("Ada")).to_be_visible()
        expect(each.row("Ben")).to_be_visible()
    # Updates continue.
    shows_at(ada, "Ben", ben.step("ArrowLeft"))


def test_a_reload_goes_on_with_what_was_on_or_says_that_it_is_off(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ada.follow_gps(48.2082, 16.3738)
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    ada.page.reload()
    ada.is_live()
    expect(ada.at("sharing-line")).to_have_text("Live · 1 person sees you")
    ada.go_to(48.2084, 16.3739)
    shows_at(ben, "Ada", (48.2084, 16.3739))
    # Another tab of the same user has reported nothing and does not start by itself.
    other = ada.context.new_page()
    other.goto(ada.url)
    expect(other.get_by_test_id("connection")).to_have_attribute("data-state", "live")
    assert other.evaluate("sessionStorage.getItem('muster.reporting')") is None
    other.close()
    # Without the permission it cannot go on.
    ada.page.goto("about:blank")
    ada.context.clear_permissions()
    ada.open()
    ada.is_live()
    expect(ada.at("sharing-line")).to_have_text(re.compile("^Stopped: location was off after the reload · last seen "))


def test_who_joins_or_shares_again_without_a_step_is_shown_at_once(window):
    ada, ben, cleo = window(), window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open().sign_up("Ben")
    ben.create_group("Book club")
    ben.follow_gps(48.2082, 16.3738)
    ben.join(link)
    shows_at(ada, "Ben", (48.2082, 16.3738))
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")
    ben.share("paused")
    expect(ada.row("Ben")).to_contain_text("Hidden")
    ben.share("live")
    shows_at(ada, "Ben", (48.2082, 16.3738))
    expect(ada.row("Ben")).to_have_attribute("data-freshness", "live")

    # Cleo shares a position that was found before she joined: browsers may return a cached one.
    cleo.page.add_init_script("""
        const follow = navigator.geolocation.watchPosition.bind(navigator.geolocation);
        navigator.geolocation.watchPosition = (found, ...rest) =>
          follow(({ coords, timestamp }) => found({ coords, timestamp: timestamp - 30_000 }), ...rest);""")
    cleo.open(link).sign_up("Cleo").at("join-confirm").click()
    expect(cleo.at("sharing")).to_be_visible()
    cleo.follow_gps(48.2092, 16.3748)
    shows_at(ada, "Cleo", (48.2092, 16.3748))
    expect(ada.row("Cleo")).to_have_attribute("data-freshness", "live")


def test_the_pill_says_live_only_while_others_see_one_and_a_toast_is_in_front_of_a_dialog(window):
    ada = window().open().sign_up("Ada")
    ada.create_group("Choir")
    bar = ada.at("sharing")
    expect(bar).to_have_attribute("data-state", "hidden")
    ada.context.grant_permissions(["geolocation"])
    # No position is known yet: Chromium waits until one is set.
    ada.share("live")
    expect(ada.at("sharing-line")).to_have_text("Finding you…")
    ada.go_to(48.2082, 16.3738)
    expect(bar).to_have_attribute("data-state", "live")
    ada.share("paused")
    expect(bar).to_have_attribute("data-state", "hidden")
    ada.share("approximate")
    expect(bar).to_have_attribute("data-state", "approximate")

    ada.in_groups("group-menu")
    ada.at("group-save").click()
    toast = ada.at("toasts").locator(".toast").filter(has_text="Saved.")
    expect(toast).to_be_visible()
    on_top = toast.evaluate("""(toast) => {
      const { x, y, width, height } = toast.getBoundingClientRect();
      document.getElementById("toasts").style.pointerEvents = "auto";
      return toast.contains(document.elementFromPoint(x + width / 2, y + height / 2)) && toast.closest("dialog") !== null;
    }""")
    assert on_top, "it hides behind the dialog, or is silent there"
    ada.close_dialog()
    expect(toast).to_be_visible()
