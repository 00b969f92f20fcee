"""One's own picture: cut to a square, and seen where one's initials stood."""

import re

import pytest
from axe import finds_nothing
from photographs import is_near, middle, photograph
from playwright.sync_api import expect
from test_event_chats import event_id, said, say
from test_events import make
from test_page import PHONE, broken_references, nameless
from window import choose_face, edit_profile, keep_face

#: The fields of a test photograph, from the upper left.
RED, GREEN, BLUE, YELLOW = (208, 32, 32), (32, 160, 32), (32, 64, 208), (224, 192, 32)


def seen(window):
    """The colour in the middle of the frame."""
    return tuple(window.at("crop-stage").locator("canvas").evaluate(
        "(canvas) => [...canvas.getContext('2d').getImageData(256, 256, 1, 1).data.subarray(0, 3)]"))


def remove_face(window):
    edit_profile(window)
    window.at("face-remove").click()
    expect(window.at("own-face").locator("img")).to_have_count(0)


def test_a_face_is_chosen_with_the_keyboard_seen_by_a_friend_and_removed(pair):
    ada, ben = pair
    ben.page.route(re.compile(r"/v1/photos/\d+/thumb"), lambda route: route.abort())
    choose_face(ada, photograph(ada, 300, 300))
    keep_face(ada)
    ben.awaits_complaint(r"failed: GET .*/v1/photos/\d+/thumb")
    ben.forgive(r"/v1/photos/\d+/thumb")
    expect(ben.row("Ada").locator(".avatar")).to_have_text("A")
    expect(ben.row("Ada").locator(".avatar img")).to_have_count(0)
    ben.page.unroute_all(behavior="ignoreErrors")
    remove_face(ada)

    choose_face(ada, photograph(ada, 1200, 800))
    stage = ada.at("crop-stage")
    assert nameless(ada) == []
    assert broken_references(ada) == []
    finds_nothing(ada, "the frame for a face")
    ada.at("crop-zoom").focus()
    ada.page.keyboard.press("End")
    expect(ada.at("crop-zoom")).to_have_attribute("aria-valuetext", "400 %")
    stage.focus()
    for _ in range(6):
        ada.page.keyboard.press("Shift+ArrowLeft")
        ada.page.keyboard.press("ArrowDown")
        ada.page.keyboard.press("Shift+ArrowDown")
    assert is_near(seen(ada), GREEN), "moved left and down, the frame shows what was right and above"
    keep_face(ada)
    expect(ada.at("toasts")).to_contain_text("Your friends see your new picture.")
    assert is_near(middle(ada.at("own-face").locator("img")), GREEN)
    for place in (ben.row("Ada"), ben.marker("Ada")):
        face = place.locator(".avatar img")
        assert is_near(middle(face), GREEN)
        assert face.evaluate("({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]") == [96, 96]
        expect(face).to_have_attribute("alt", "")
    ben.row("Ada").click()
    callout = ben.page.get_by_test_id(re.compile("^callout-[0-9]"))
    expect(callout.locator(".avatar img")).to_be_visible()
    finds_nothing(ben, "people with a face")
    ada.page.reload()
    ada.is_live()
    ada.visit("you")
    expect(ada.at("own-face").locator("img")).to_be_visible()
    edit_profile(ada)
    expect(ada.at("face-choose")).to_have_text("Change picture")
    remove_face(ada)
    expect(ada.at("own-face")).to_have_text("A")
    expect(ada.at("face-choose")).to_be_focused()
    for place in (ben.row("Ada"), ben.marker("Ada"), callout):
        expect(place.locator(".avatar img")).to_have_count(0)


def pinch(window, x, y):
    """Moves two fingers apart, to twice as far."""
    session = window.context.new_cdp_session(window.page)
    for kind, far in (("touchStart", 30), ("touchMove", 45), ("touchMove", 60), ("touchEnd", None)):
        points = [] if far is None else [{"x": x - far, "y": y, "id": 0}, {"x": x + far, "y": y, "id": 1}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_what_is_no_picture_is_refused_and_a_picture_is_moved_and_made_larger_by_hand(window, options):
    ada = window(**options).open().sign_up("Ada")
    ada.create_group("Choir")
    choose_face(ada, {"name": "face.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(ada.at("face-unread")).to_contain_text("cannot be read as a picture")
    expect(ada.at("crop-dialog")).to_have_count(0)
    choose_face(ada, photograph(ada, 300, 300))
    expect(ada.at("face-unread")).to_be_hidden()
    ada.page.route(re.compile(r"/v1/photos\?use=avatar$"), lambda route: route.continue_(post_data=b"no picture"))
    ada.at("crop-save").click()
    expect(ada.at("face-problem")).to_have_text("This file cannot be used. Choose a JPEG, a PNG or a WebP.")
    ada.page.unroute_all(behavior="ignoreErrors")
    ada.forgive(r"answered 400: POST|status of 400")
    keep_face(ada)
    remove_face(ada)

    choose_face(ada, photograph(ada, 800, 1200, kind="png"))
    ada.at("crop-zoom").fill("3")
    box = ada.at("crop-stage").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag():
        for _ in range(4):
            ada.page.mouse.move(x, y)
            ada.page.mouse.down()
            ada.page.mouse.move(x + box["width"] / 3, y - box["height"] / 3, steps=5)
            ada.page.mouse.up()

    drag()
    assert is_near(seen(ada), BLUE), "dragged right and up, the frame shows what was left and below"
    # The file input requests a camera on devices that have one; for a face the front camera.
    if options:
        expect(ada.at("face-camera-file")).to_have_attribute("capture", "user")
        pinch(ada, x, y)
        assert float(ada.at("crop-zoom").input_value()) == 4
    else:
        expect(ada.at("face-take")).to_have_count(0)
        ada.page.mouse.wheel(0, 5000)
        expect(ada.at("crop-zoom")).to_have_value("1")
        ada.page.mouse.wheel(0, -5000)
        expect(ada.at("crop-zoom")).to_have_value("4")
        drag()
    finds_nothing(ada, "the frame for a face")
    keep_face(ada)
    assert is_near(middle(ada.at("own-face").locator("img")), BLUE)
    finds_nothing(ada, "oneself with a face")


def test_a_face_stands_beside_messages_and_in_guest_lists_and_changes_there(window, server):
    server.sql("DELETE FROM muster.event;")
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    choose_face(ada, photograph(ada, 300, 300))
    keep_face(ada)
    ada.visit("events")
    make(ada, "Climbing at six")
    ada.at("event-chat").click()
    say(ada, "Who comes?")
    ada.open_chat("Choir")
    say(ada, "Hello")
    ben.page.goto(f"{ben.url}/#/events/{event_id(server)}")
    ben.at("rsvp-yes").check()
    ben.at("event-chat").click()
    other = ben.context.new_page()
    other.goto(f"{ben.url}/#/chat/{ben.group()}")
    places = [
        other.get_by_test_id("chat-entry").filter(has_text="Hello").locator(".face img"),
        said(ben, "Who comes?").locator(".face img"),
        ben.at("event-host").locator("img"),
    ]
    for face in places:
        expect(face).to_have_count(1)
    before = [face.get_attribute("src") for face in places]
    choose_face(ada, photograph(ada, 600, 300, kind="png"))
    keep_face(ada)
    for face, old in zip(places, before, strict=True):
        expect(face).not_to_have_attribute("src", old)
    # The host's guest list shows the guest's face too.
    ada.page.goto(f"{ada.url}/#/events/{event_id(server)}")
    guest = ada.at("guest").filter(has_text="Ben").locator("img")
    expect(ada.at("guest")).to_contain_text("Ben")
    expect(guest).to_have_count(0)
    other.close()
    choose_face(ben, photograph(ben, 300, 300))
    keep_face(ben)
    expect(guest).to_have_count(1)
    say(ada, "Nice face")
    finds_nothing(ada, "an event with faces")
