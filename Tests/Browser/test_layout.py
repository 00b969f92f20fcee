"""What the page promises of its layout: room, names, colours, sizes, and one answer to who sees whom."""

import itertools
import re

import pytest
from axe import finds_nothing, finds_nothing_in_both_schemes
from crowd import gather
from playwright.sync_api import expect
from test_map import zoom_to
from test_page import JUDGED, PHONE, SOON, shows_at, stay_together, untold
from window import until

#: Controls that a finger cannot hit: less than 44 pixels high or wide. Links within a sentence and the map's credit are exempt.
SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=slider]")].filter((each) => {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(".leaflet-control-attribution, p, .skip")) return false;
    const box = (each.closest("label") ?? each).getBoundingClientRect();
    return box.width > 0 && (box.width < 43.5 || box.height < 43.5);
  }).map((each) => each.outerHTML.slice(0, 120))"""

#: The boxes of all labels of people on the map that are in sight.
LABELS = """() => {
  const map = document.querySelector(".map").getBoundingClientRect();
  return [...document.querySelectorAll(".who-label, .hull-chip .chip-words")].filter((each) => each.checkVisibility()).map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { words: each.textContent, size: getComputedStyle(each).fontSize, left, right, top, bottom };
  }).filter(({ left, right, top, bottom }) => right > map.left && left < map.right && bottom > map.top && top < map.bottom);
}"""


def overlap(one, other):
    return one["left"] < other["right"] - 0.5 and other["left"] < one["right"] - 0.5 and one["top"] < other["bottom"] - 0.5 and other["top"] < one["bottom"] - 0.5


def test_sixty_people_have_names_that_do_not_overlap(window, server):
    ada = window(reduced_motion="reduce", viewport={"width": 1440, "height": 900}).open().sign_up("Ada")
    ada.page.goto("about:blank")
    group = gather(server, ada.username, 60, seed=7)
    ada.open(f"/#/g/{group}/people")
    ada.is_live()
    expect(ada.page.locator(".members [data-lat]:not([data-lat=''])")).to_have_count(60)
    expect(ada.at("member-search")).to_have_attribute("placeholder", "Find one of 61 people")
    for zoom in (None, "+", "+", "-", "-", "-"):
        ada.at("fit").click() if zoom is None else ada.at("map").press(zoom)
        ada.page.wait_for_function("() => !document.querySelector('.leaflet-zoom-anim')")
        labels = ada.page.evaluate(LABELS)
        assert all(label["size"] == "12px" and label["words"].strip() for label in labels)
        assert [(one["words"], other["words"]) for one, other in itertools.combinations(labels, 2) if overlap(one, other)] == []
        assert ada.page.locator(".person").count() == ada.page.locator(".who-label").count()
    ada.at("member-search").fill("P017")
    expect(ada.page.locator(".member-list .member:visible")).to_have_count(1)


def test_at_half_the_map_and_three_rows_are_in_view_and_the_chat_keeps_its_last_messages_beside_an_alert(window, server):
    cleo = untold(window(**PHONE), server)
    expect(cleo.at("alert-slot").get_by_test_id("alert")).to_be_visible()
    expect(cleo.page.locator(".panel")).to_have_attribute("data-sheet", "half")
    until(cleo.page, lambda: cleo.page.locator(".panel").bounding_box()["y"] >= 380, "the sheet covers half of the page")
    finds_nothing_in_both_schemes(cleo, "an alert")
    cleo.open_chat()
    for text in ("One", "Two", "Three"):
        cleo.at("chat-input").fill(text)
        cleo.at("chat-send").click()
        expect(cleo.at("chat-text").last).to_have_text(text)
    cleo.page.set_viewport_size({"width": 390, "height": 500})
    cleo.at("chat-input").focus()
    band, composer = cleo.at("alert-slot").bounding_box(), cleo.at("chat-send").bounding_box()
    finds_nothing_in_both_schemes(cleo, "an alert above a chat")
    assert abs(band["height"] - 60) < 1 and composer["y"] + composer["height"] <= 500
    for index in (1, 2):
        text = cleo.at("chat-text").nth(-1 - (2 - index)).bounding_box()
        assert band["y"] + band["height"] <= text["y"] and text["y"] + text["height"] <= composer["y"], "a message is covered"
    expect(cleo.at("alert-wait")).to_be_in_viewport(ratio=1)


def test_one_person_has_one_colour_everywhere_and_each_control_is_as_large_as_a_finger(pair, window):
    ada, ben = pair
    ada.in_groups("group-new")
    ada.at("new-group-dialog").get_by_test_id("group-name").fill("Choir")
    ada.at("new-group-dialog").get_by_test_id("group-create").click()
    expect(ada.at("group-switcher")).to_contain_text("Choir")

    def colour(locator):
        return locator.evaluate("(each) => getComputedStyle(each).getPropertyValue('--hue').trim()")

    found = [colour(ada.row("Ada").locator(".avatar"))]
    ada.choose_group("Sunday climbers")
    found.append(colour(ada.row("Ada").locator(".avatar")))
    ben.step(*["ArrowUp"] * 8)
    for each in pair:
        expect(each.marker("Ada")).to_have_attribute("data-count", "1")
    found += [colour(each.marker("Ada").locator(".avatar")) for each in (ada, ben)] + [colour(ben.row("Ada").locator(".avatar"))]
    ada.open_chat()
    ada.at("chat-input").fill("Hello")
    ada.at("chat-send").click()
    ben.open_chat()
    face = ben.at("chats-panel").locator(".entry .avatar, .chat-entries .avatar").first
    expect(face).to_be_visible()
    found.append(colour(face))
    assert len(set(found)) == 1 and found[0].startswith("#"), found
    for size in ((390, 844), (768, 1024), (1440, 900)):
        ada.page.set_viewport_size(dict(zip(("width", "height"), size)))
        for section in ("people", "places", "events", "you", "chat"):
            ada.visit(section)
            ada.page.wait_for_timeout(50)
            assert ada.page.evaluate(SMALL) == [], (size, section)


def test_the_pill_says_what_another_browser_sees_in_each_state(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open(link).sign_up("Ben").at("join-confirm").click()

    def agree(line, row, timeout=SOON):
        expect(ben.row("Ada")).to_contain_text(row, timeout=timeout)
        expect(ada.at("sharing-line")).to_have_text(line, timeout=timeout)

    agree("Hidden", "No position yet")
    ada.follow_gps(48.2082, 16.3738)
    agree("Live · 1 person sees you", "Seen just now")
    expect(ben.row("Ada")).to_have_attribute("data-lat", "48.2082")
    ada.share("approximate")
    agree("Approximate · 1 person sees you", "Within 1 km")
    ada.share("paused")
    agree("Hidden", "Hidden")
    ada.share("live")
    agree("Live · 1 person sees you", "Seen just now")
    # Far away after a reload: the server holds the first fix as a jump, until the page repeats it.
    ada.page.goto("about:blank")
    ada.go_to(48.28, 16.3738)
    ada.open()
    ada.is_live()
    agree("Live · 1 person sees you", "Seen just now", timeout=20_000)
    shows_at(ben, "Ada", (48.28, 16.3738), timeout=SOON)
    # A refused permission is said where the position is.
    ada.share("paused")
    ada.context.clear_permissions()
    ada.share("live")
    expect(ada.at("sharing-line")).to_have_text("Stopped: location is blocked in the browser")


def test_the_dialog_of_ones_position_says_errors_itself_and_an_hour_begins_with_the_press(window):
    ada = window()
    ada.open().sign_up("Ada").create_group("Choir")
    ada.at("sharing").click()
    ada.at("sharing-approximate").check()
    expect(ada.at("until-hour")).to_be_checked()
    # Ten minutes pass while the dialog is open.
    ada.page.evaluate("() => { const { now } = Date; Date.now = () => now() + 600_000; }")
    ada.page.evaluate("""() => {
      window.sent = [];
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function (text) {
        window.sent.push(JSON.parse(text));
        send.call(this, text);
      };
    }""")
    ada.at("sharing-save").click()
    expect(ada.at("sharing-dialog")).to_have_count(0)
    [left] = ada.page.evaluate("window.sent.filter(({ type }) => type === 'sharing.set').map(({ until }) => until - Date.now())")
    assert abs(left - 3_600_000) < 60_000, left
    ada.at("sharing").click()
    ada.page.evaluate("() => { WebSocket.prototype.send = function () { this.close(); }; }")
    ada.at("sharing-save").click()
    expect(ada.at("sharing-dialog").get_by_role("alert")).to_have_text("The connection was lost. Please try again.")
    expect(ada.at("toasts").locator(".toast")).to_have_count(0)


def test_an_invite_survives_a_reload_and_asks_what_the_group_may_see(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.context.grant_permissions(["geolocation"])
    ben.go_to(48.2082, 16.3738)
    ben.open(link).sign_up("Ben")
    expect(ben.at("join-confirm")).to_have_text("Join and share live")
    ben.page.reload()
    expect(ben.at("join-preview")).to_contain_text("Ada invites you to Choir")
    ben.at("join-approximate").check()
    expect(ben.at("join-confirm")).to_have_text("Join and share approximately")
    ben.at("join-confirm").click()
    expect(ben.at("sharing-line")).to_have_text("Approximate · 1 person sees you")
    expect(ada.row("Ben")).to_contain_text("Within 1 km")
    ben.page.reload()
    ben.is_live()
    expect(ben.at("join-dialog")).to_have_count(0)


def test_the_line_around_who_is_together_follows_them_and_the_keyboard_reaches_all_of_it(pair, window):
    ada, ben = pair
    ada.set_rules(dwell=0)
    ben.step("ArrowRight", "ArrowRight", "ArrowRight")
    stay_together(ada, ben)
    expect(ada.at("gathering")).to_have_text("2 together", timeout=JUDGED)
    ada.at("gathering-show").click()
    zoom_to(ada, 18)
    expect(ada.page.locator("path.hull")).to_have_count(1)
    expect(ada.page.locator(".hull-chip")).to_have_text(re.compile("^Together"))
    for name in ("Ada", "Ben"):
        assert ada.page.evaluate("""(name) => {
          const face = document.querySelector(`.leaflet-marker-pane [data-people*="|${name}|"]`).getBoundingClientRect();
          const shape = document.querySelector("path.hull").getBoundingClientRect();
          const [x, y] = [face.x + face.width / 2, face.y + face.height / 2];
          return x > shape.left && x < shape.right && y > shape.top && y < shape.bottom;
        }""", name), name
    keyboard = ada.page.keyboard
    ada.row("Ben").focus()
    keyboard.press("Enter")
    expect(ada.page.get_by_test_id(re.compile("^callout-[0-9]"))).to_be_visible()
    ada.at("callout-more").focus()
    keyboard.press("Enter")
    expect(ada.page.get_by_role("menuitem", name="Ask where")).to_be_focused()
    keyboard.press("End")
    expect(ada.at("callout-block")).to_be_focused()
    keyboard.press("Escape")
    expect(ada.at("callout-more")).to_be_focused()
    keyboard.press("Escape")
    expect(ada.at("member-list")).to_be_visible()
    ada.at("group-switcher").focus()
    keyboard.press("Enter")
    expect(ada.page.get_by_role("menuitemradio")).to_be_focused()
    keyboard.press("Escape")
    expect(ada.at("group-switcher")).to_be_focused()
    ada.at("sharing").focus()
    keyboard.press("Enter")
    expect(ada.at("sharing-dialog")).to_be_visible()
    keyboard.press("Escape")
    expect(ada.at("sharing")).to_be_focused()
    keyboard.press("F6")
    expect(ada.at("map")).to_be_focused()
    keyboard.press("F6")
    expect(ada.page.locator("#heading")).to_be_focused()


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (768, 1024), (1440, 900)])
def test_axe_finds_nothing_with_more_contrast(window, size):
    ada = window(reduced_motion="reduce", contrast="more", viewport=dict(zip(("width", "height"), size))).open().sign_up("Ada")
    ada.create_group("Sunday climbers")
    ada.follow_gps(48.2082, 16.3738)
    for section in ("people", "chat", "events", "places", "you"):
        ada.visit(section)
        for scheme in ("light", "dark"):
            ada.page.emulate_media(color_scheme=scheme)
            finds_nothing(ada, (section, scheme))
        assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), section


def test_a_section_that_cannot_be_loaded_says_so_and_comes_with_the_connection(window):
    ada = window().open().sign_up("Ada")
    ada.create_group("Choir")
    ada.page.route("**/app/events/*.js", lambda route: route.abort())
    ada.at("nav-events").click()
    expect(ada.at("needs-connection")).to_contain_text("Needs a connection")
    ada.page.unroute("**/app/events/*.js")
    ada.forgive("events")
    ada.at("section-retry").click()
    expect(ada.at("needs-connection")).not_to_be_visible()
    expect(ada.page.locator("#heading")).to_have_text("Events")
    until(ada.page, lambda: ada.at("event-new").is_visible(), "the events are not shown")
    # A section with an error needs no connection: a reload helps.
    ada.page.route("**/app/places/places.js", lambda route: route.fulfill(content_type="text/javascript", body="throw new Error('broken')"))
    ada.at("nav-places").click()
    expect(ada.at("needs-connection")).to_contain_text("Something went wrong")
    expect(ada.at("section-retry")).not_to_be_visible()
    ada.page.unroute("**/app/places/places.js")
    ada.forgive("broken")
    ada.at("section-reload").click()
    expect(ada.page.locator("#heading")).to_have_text("Places")
