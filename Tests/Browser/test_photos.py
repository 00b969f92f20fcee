"""Photos of spots: chosen, made small, sent, seen by others, and refused with a sentence."""

import os
import re
import shutil

import pytest
from axe import finds_nothing
from muster_server import MusterServer, binary
from photographs import photograph
from playwright.sync_api import expect
from test_new_spots import neighbours  # noqa: F401 a fixture
from test_page import PHONE, broken_references, nameless
from window import Window

#: The path of uploads.
UPLOADS = re.compile(r"/v1/photos$")


def open_form(window, name, more=""):
    """Opens the form of a new spot where one is, and fills in its words."""
    window.visit("places")
    window.at("spot-add-here").click()
    window.at("spot-name").fill(name)
    window.at("spot-more").fill(more)


def choose(window, file):
    window.at("photo-file").set_input_files(file)


def added(window):
    """Sends the form, and waits until the spot is there."""
    window.at("spot-add").click()
    expect(window.at("spot-dialog")).to_have_count(0, timeout=30_000)


def is_loaded(picture):
    """Waits until an `<img>` has come, and gives its size."""
    expect(picture).to_be_visible()
    return tuple(picture.evaluate("async (picture) => { await picture.decode(); return [picture.naturalWidth, picture.naturalHeight]; }"))


@pytest.mark.parametrize("neighbours", [{}, {**PHONE, "color_scheme": "dark"}], indirect=True, ids=["desktop", "phone"])
def test_a_spot_with_a_photo_here_or_where_one_points_is_seen_by_who_is_near(neighbours):  # noqa: F811
    ada, ben = neighbours
    # The space of the picture is reserved before the picture has loaded.
    held, is_let_through = [], False
    ada.page.route(re.compile(r"/v1/photos/\d+/thumb"), lambda route: route.continue_() if is_let_through else held.append(route))
    open_form(ben, "Dragon fountain", "The left head spits.")
    choose(ben, photograph(ben, 2400, 1200))
    assert ben.at("photo-preview").locator("canvas").evaluate("({ width, height }) => [width, height]") == [1600, 800]
    assert nameless(ben) == []
    assert broken_references(ben) == []
    finds_nothing(ben, "a form with a photo")
    added(ben)
    callout = ben.page.get_by_test_id(re.compile("^spot-callout-"))
    assert is_loaded(callout.get_by_test_id("spot-photo").locator("img")) == (320, 160)

    card = ada.at("new-spot")
    thumb = card.get_by_test_id("spot-photo").locator("img")
    expect(thumb).to_have_attribute("alt", "Photo of Dragon fountain: The left head spits.")
    expect(thumb).to_have_attribute("width", "1600")
    expect(thumb).to_have_attribute("height", "800")
    before = card.bounding_box()
    is_let_through = True
    for route in held:
        route.continue_()
    assert is_loaded(thumb) == (320, 160)
    assert card.bounding_box() == before, "the card jumps when its photo comes"
    finds_nothing(ada, "a new spot with a photo")
    card.get_by_test_id("new-spot-show").click()
    own = ada.page.get_by_test_id(re.compile("^spot-callout-")).get_by_test_id("spot-photo")
    assert is_loaded(own.locator("img")) == (320, 160)
    assert nameless(ada) == []
    finds_nothing(ada, "the callout of a spot with a photo")
    own.click()
    whole = ada.at("photo-whole")
    assert is_loaded(whole) == (1600, 800)
    expect(whole).to_have_attribute("alt", "Photo of Dragon fountain: The left head spits.")
    box, size = whole.bounding_box(), ada.page.viewport_size
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"] and box["y"] + box["height"] <= size["height"]
    assert abs(box["width"] / box["height"] - 2) < 0.02
    assert broken_references(ada) == []
    finds_nothing(ada, "the viewer of a photo")
    ada.page.keyboard.press("Escape")
    expect(ada.at("photo-dialog")).to_have_count(0)
    expect(own).to_be_focused()
    # The list uses the same data as the map. On a phone the card is in its place.
    ada.at("callout-close").filter(visible=True).click()
    assert is_loaded(ada.at("spots").get_by_test_id("spot-photo").locator("img")) == (320, 160)

    # The place is pointed at, and the photo stands upright.
    ben.visit("places")
    ben.at("spot-add-there").click()
    ben.at("point-here").click()
    choose(ben, photograph(ben, 800, 400, turned=True))
    preview = ben.at("photo-preview").locator("canvas")
    assert preview.evaluate("({ width, height }) => [width, height]") == [400, 800]
    ben.at("photo-remove").click()
    expect(preview).to_have_count(0)
    expect(ben.at("photo-choose")).to_be_focused()
    choose(ben, photograph(ben, 800, 400, turned=True))
    ben.at("spot-name").fill("Tower")
    added(ben)
    assert is_loaded(ada.at("new-spot").get_by_test_id("spot-photo").locator("img")) == (160, 320)


def listed(window, words):
    """The spot of the list that says this."""
    return window.at("spots").get_by_test_id("spot").filter(has_text=words)


def sent_as(body):
    """A route that replaces what is sent."""
    return lambda route: route.continue_(post_data=body)


def test_an_upload_that_is_cancelled_a_file_that_is_no_picture_and_what_the_server_refuses_keep_the_words(window):
    ben = window().open().sign_up("Ben")
    ben.create_group("The friends of Ben")
    # Where no other test is.
    ben.follow_gps(-41.3, 12.0)
    open_form(ben, "Slow mill", "Its wheel still turns.")
    choose(ben, photograph(ben, 1600, 1200, is_noise=True))
    line = ben.context.new_cdp_session(ben.page)
    line.send("Network.enable")
    limits = {"offline": False, "latency": 0, "downloadThroughput": -1}
    line.send("Network.emulateNetworkConditions", {**limits, "uploadThroughput": 100_000})
    ben.at("spot-add").click()
    progress = ben.at("photo-progress")
    expect(progress).to_be_visible()
    ben.page.wait_for_function("() => document.querySelector('[data-testid=photo-progress]').value > 0")
    assert progress.evaluate("({ value }) => value") < 1
    finds_nothing(ben, "a photo under way")
    ben.at("photo-cancel").click()
    expect(progress).to_be_hidden()
    expect(ben.at("spot-add")).to_be_focused()
    expect(ben.at("photo-problem")).to_be_hidden()
    expect(ben.at("spot-name")).to_have_value("Slow mill")
    expect(ben.at("spot-more")).to_have_value("Its wheel still turns.")
    expect(ben.at("photo-preview").locator("canvas")).to_be_visible()
    expect(ben.at("spots").get_by_test_id("spot")).to_have_count(0)
    line.send("Network.emulateNetworkConditions", {**limits, "uploadThroughput": -1})
    added(ben)
    expect(listed(ben, "Its wheel still turns.").get_by_test_id("spot-photo")).to_be_visible()

    open_form(ben, "Library", "Quiet.")
    choose(ben, {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": b"These are words and no picture."})
    expect(ben.at("photo-problem")).to_have_text("This file cannot be read as a picture. Choose another one, for example a JPEG, a PNG or a WebP.")
    finds_nothing(ben, "a form with a file that cannot be read")
    expect(ben.at("spot-name")).to_have_value("Library")
    # A PNG is accepted and clears the error.
    choose(ben, photograph(ben, 300, 300, kind="png"))
    expect(ben.at("photo-problem")).to_be_hidden()
    expect(ben.at("photo-preview").locator("canvas")).to_be_visible()
    ben.at("photo-remove").click()
    added(ben)
    expect(listed(ben, "Quiet.")).to_be_visible()
    expect(listed(ben, "Quiet.").get_by_test_id("spot-photo")).to_be_hidden()

    # The page sends only valid files, so the test replaces the body on the way.
    for body, status, sentence in (
        (b"no picture at all", 400, "This file cannot be used. Choose a JPEG, a PNG or a WebP."),
        (b"\xff\xd8" + bytes(9_000_000), 413, "This photo is too large. Choose a smaller one."),
    ):
        open_form(ben, "Bakery", f"From {status}.")
        choose(ben, photograph(ben, 300, 200))
        ben.page.route(UPLOADS, sent_as(body))
        ben.at("spot-add").click()
        expect(ben.at("photo-problem")).to_have_text(sentence, timeout=30_000)
        ben.page.unroute_all(behavior="ignoreErrors")
        ben.forgive(rf"answered {status}: POST .*/v1/photos|status of {status}")
        expect(ben.at("spot-name")).to_have_value("Bakery")
        expect(ben.at("spot-more")).to_have_value(f"From {status}.")
        added(ben)
        expect(listed(ben, f"From {status}.").get_by_test_id("spot-photo")).to_be_visible()


def test_a_server_that_takes_no_photos_says_so_and_the_spot_can_go_without(browser, tmp_path, monkeypatch):
    # An installation without the program that decodes pictures.
    alone = tmp_path / "muster"
    shutil.copy2(binary(), alone)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    monkeypatch.setitem(os.environ, "MUSTER_BINARY", str(alone))
    lonely = MusterServer()
    try:
        lonely.start()
        ada = Window(browser, lonely.url)
        ada.open().sign_up("Ada").create_group("Choir")
        ada.follow_gps(48.2, 16.3)
        open_form(ada, "Bridge", "Stone.")
        choose(ada, photograph(ada, 300, 200))
        ada.at("spot-add").click()
        expect(ada.at("photo-problem")).to_have_text("The server cannot store photos right now. Please try again in a moment.")
        expect(ada.at("spot-more")).to_have_value("Stone.")
        ada.at("photo-remove").click()
        added(ada)
        expect(ada.at("spots").get_by_test_id("spot")).to_contain_text("Stone.")
        ada.context.close()
        assert lonely.stop() == 0
    finally:
        lonely.remove()
