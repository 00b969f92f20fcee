"""Where one is, for who does not let the browser tell: guessed after being asked, or pointed at. It is no fix."""

from axe import finds_nothing
from playwright.sync_api import expect
from test_page import PHONE, nameless
from test_pins import pins, place, write


def near(one, other):
    """Whether two places are the same but for a pixel of the map."""
    return all(abs(a - b) < 0.01 for a, b in zip(one, other, strict=True))


def begin(window, text):
    """Writes a pin and asks for one's own place."""
    write(window, text)
    window.at("pin-here").click()
    expect(window.at("position-dialog")).to_be_visible()


def test_a_position_that_the_browser_does_not_tell_is_guessed_after_asking_or_pointed_at(window, server):
    server.sql("DELETE FROM muster.pin;")
    ada = window(**PHONE)
    ada.open().sign_up("Ada")
    ada.create_group("Choir")
    pins(ada)
    begin(ada, "Somewhere here")
    # By keyboard: the first offer is selected.
    expect(ada.at("position-guess")).to_be_focused()
    assert nameless(ada) == []
    finds_nothing(ada, "the question for a position")
    ada.at("position-guess").press("Enter")
    expect(ada.at("pick-place")).to_be_visible()
    assert near(place(ada), (60.2, 24.9))
    ada.at("point-cancel").click()
    begin(ada, "Somewhere else")
    ada.at("position-point").click()
    ada.at("point-cancel").click()
    expect(ada.at("pick-place")).to_have_count(0)
    begin(ada, "Nowhere")
    ada.page.keyboard.press("Escape")
    expect(ada.at("position-dialog")).to_have_count(0)
    expect(ada.at("pick-place")).to_have_count(0)
    # With permission the browser finds the position without a question, and nothing was sent to the server.
    ada.context.grant_permissions(["geolocation"])
    ada.go_to(48.2082, 16.3738)
    write(ada, "By the satellites")
    ada.at("pin-here").click()
    expect(ada.at("pick-place")).to_be_visible()
    assert near(place(ada), (48.2082, 16.3738))
    # The newest account is the one of this test.
    assert server.sql("SELECT count(*) FROM muster.fix WHERE user_id = (SELECT max(id) FROM muster.account);") == [("0",)]
