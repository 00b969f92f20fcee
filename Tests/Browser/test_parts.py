"""Bars for the sections of the page: the composer is always reachable, controls are large enough, axe finds nothing, and QR codes are read."""

import re

import pytest
import zxingcpp
from axe import finds_nothing_in_both_schemes
from playwright.sync_api import expect
from test_chats import friends, said, say
from test_events import make
from test_page import PHONE, untold
from test_pins import pins, post

#: The controls that are smaller than 44 by 44 pixels, or not wholly within the page's width. Only the credit of the map may be.
SMALL = """() => {
  const shown = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && each.getClientRects().length > 0;
  const controls = document.querySelectorAll("a[href], button, input, select, textarea, summary");
  return [...controls].filter((each) => shown(each) && !each.matches(".skip, .leaflet-control a, .foreign-link a")).map((each) => {
    const target = each.matches('input[type="radio"], input[type="checkbox"]') ? each.closest("label") : each;
    const { width, height, left, right } = target.getBoundingClientRect();
    return { name: each.dataset.testid ?? each.textContent, width: Math.round(width), height: Math.round(height), left, right };
  }).filter(({ width, height, left, right }) => width < 44 || height < 44 || (right > innerWidth + 1 && left < innerWidth)).map(({ name, width, height }) => `${name} ${width}x${height}`);
}"""

#: Whether an element is wholly on the page, and nothing lies over its middle.
FREE = """(each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && (each.contains(hit) || hit?.contains(each));
}"""

SIZES = [(390, 844), (1440, 900)]


def test_the_composer_and_the_last_messages_are_in_view_above_a_keyboard_and_below_an_alert(window, server):
    cleo = untold(window(**PHONE), server)
    cleo.open_chat()
    cleo.page.set_viewport_size({"width": 390, "height": 500})
    for text in ("First", "Second", "Third"):
        say(cleo, text)
        expect(said(cleo, text).get_by_test_id("chat-note")).to_have_text("")
    expect(cleo.at("alert-slot").get_by_test_id("alert")).to_be_visible()
    cleo.at("chat-input").focus()
    for each in (cleo.at("chat-input"), cleo.at("chat-send"), cleo.at("chat-add"), said(cleo, "Second"), said(cleo, "Third")):
        assert each.evaluate(FREE)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_controls_are_large_enough_and_axe_finds_nothing(window, server, width, height):
    server.sql("DELETE FROM muster.event; DELETE FROM muster.pin;")
    options = {**PHONE, "viewport": {"width": width, "height": height}} if width < 768 else {"viewport": {"width": width, "height": height}}
    ada, ben = friends(window, **options)
    small = {}

    def check(view):
        small[view] = ada.page.evaluate(SMALL)
        finds_nothing_in_both_schemes(ada, view)

    ada.open_chat()
    ben.open_chat()
    say(ben, "Hello @Ada")
    expect(said(ada, "Hello @Ada")).to_be_visible()
    ben.act(said(ben, "Hello @Ada"), "chat-reply")
    say(ben, "Are you there?")
    expect(said(ada, "Are you there?")).to_be_visible()
    check("a chat")
    said(ada, "Are you there?").focus()
    ada.page.keyboard.press("Shift+F10")
    check("the actions of a message")
    ada.page.keyboard.press("Escape")
    expect(said(ada, "Are you there?")).to_be_focused()
    ada.at("chat-input").press_sequentially("@b")
    expect(ada.at("chat-offer")).to_have_text("BBen")
    check("the offered members")
    ada.page.keyboard.press("Enter")
    expect(ada.at("chat-input")).to_have_value("@Ben ")
    ada.at("chat-input").fill("")
    ada.visit("chat")
    check("the chats")
    ada.visit("events")
    make(ada, "Climbing at six", place="The wall", text="Bring shoes")
    check("an event")
    ada.at("event-back").click()
    expect(ada.at("my-event")).to_have_count(1)
    check("events")
    ada.at("events-discover").click()
    expect(ada.at("event")).to_have_count(1)
    check("events nearby")
    pins(ada)
    post(ada, "A pin")
    check("a pin")
    ada.at("callout-close").filter(visible=True).click()
    check("pins")
    ada.visit("you")
    expect(ada.at("own-name")).to_have_text("Ada")
    check("you")
    ada.visit("people")
    ada.in_groups("group-menu")
    check("the settings of a group")
    ada.close_dialog()
    assert {view: found for view, found in small.items() if found} == {}


def test_a_spots_card_is_wholly_on_the_map_also_while_it_asks(window):
    ada = window(viewport={"width": 1440, "height": 900}).open().sign_up("Ada")
    ada.create_group("Choir")
    ada.follow_gps(48.3, 16.1)
    ada.visit("places")
    ada.at("spot-add-here").click()
    ada.at("spot-name").fill("Corner café")
    ada.at("spot-more").fill("The corner table has the socket. " * 10)
    ada.at("spot-add").click()
    card = ada.page.get_by_test_id(re.compile("^spot-callout-"))
    expect(card).to_contain_text("seen by everyone on this server")
    ada.at("spot-more-actions").click()
    ada.at("spot-delete").click()
    expect(card).to_contain_text("Delete this spot for everyone?")
    box, whole = card.bounding_box(), ada.at("map").bounding_box()
    assert whole["x"] < box["x"] and box["x"] + box["width"] < whole["x"] + whole["width"]
    assert whole["y"] < box["y"] and box["y"] + box["height"] < whole["y"] + whole["height"]
    card.get_by_role("button", name="Keep").click()
    expect(ada.at("spot-more-actions")).to_be_focused()


def decoded(rows):
    """What a scanner reads in the modules of a code."""
    scale, margin = 4, 4
    line = lambda row: bytes(0 if dark else 255 for dark in [False] * margin + row + [False] * margin for _ in range(scale))
    size = len(rows) + 2 * margin
    pixels = b"".join(line(row) * scale for row in [[False] * len(rows)] * margin + rows + [[False] * len(rows)] * margin)
    return [each.text for each in zxingcpp.read_barcodes(memoryview(pixels).cast("B", [size * scale, size * scale]))]


def test_a_scanner_reads_the_invite_link_and_texts_of_every_length(window):
    ada = window().open().sign_up("Ada")
    ada.at("group-name").fill("Choir")
    ada.at("group-create").click()
    link = ada.make_invite()
    drawing = ada.at("invite-qr")
    path = drawing.locator("path").get_attribute("d")
    size = int(drawing.get_attribute("viewBox").split()[2]) - 8
    dark = {(int(x) - 4, int(y) - 4) for x, y in re.findall(r"M(\d+) (\d+)h", path)}
    assert decoded([[(x, y) in dark for x in range(size)] for y in range(size)]) == [link]
    texts = ["x" * length for length in (1, 14, 15, 62, 106, 122, 123, 180, 181, 213)] + ["Grüße aus 日本"]
    for text in texts:
        rows = ada.page.evaluate("async (text) => (await import('/app/ui/qr.js')).qrCode(text)", text)
        assert decoded(rows) == [text]
    assert ada.page.evaluate("async () => (await import('/app/ui/qr.js')).qrCode('x'.repeat(214))") is None
