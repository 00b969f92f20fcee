"""Share pictures: made from the group and from an alert, looked at without a login, taken back by who is on them."""

import urllib.error
import urllib.request

from axe import finds_nothing
from playwright.sync_api import expect
from test_page import PHONE, broken_references, nameless


def begin(window):
    """Opens the form of a picture, in the chat of the shown group."""
    if not window.at("chat-add").is_visible():
        window.open_chat()
    window.at("chat-add").click()
    window.at("picture-open").click()


def make(window, **wish):
    """Makes a picture in the open dialog, and gives its link."""
    for name, value in wish.items():
        window.at(f"picture-{name}").select_option(value)
    window.at("picture-make").click()
    expect(window.at("picture")).to_be_visible()
    return window.at("picture-link").input_value()


def drawn(window):
    """The size of the picture that is shown, once it is there."""
    return window.at("picture").evaluate("async (picture) => { await picture.decode(); return [picture.naturalWidth, picture.naturalHeight]; }")


def status(address):
    """What an address answers with."""
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_a_picture_is_made_seen_without_a_login_and_taken_back_and_who_is_not_on_it_is_told_why(pair, window):
    ada, ben = pair
    begin(ada)
    expect(ada.at("picture-on").locator("li")).to_have_text(["Ada (you)", "Ben"])
    finds_nothing(ada, "what the picture shall be")
    link = make(ada, length="300")
    assert drawn(ada) == [1200, 630]
    assert ada.page.evaluate("document.activeElement.textContent") == "The picture"
    assert ada.at("picture-sms").get_attribute("href").startswith("sms:?&body=Sunday%20climbers")
    expect(ada.at("picture-share")).to_have_count(0)
    finds_nothing(ada, "the picture")
    for each in (nameless(ada), broken_references(ada)):
        assert each == []
    ada.close_dialog()

    # A visitor with the link, without a login, and a messenger that fetches a preview.
    stranger = window()
    stranger.page.goto(link)
    expect(stranger.page.get_by_role("heading", name="Sunday climbers")).to_be_visible()
    picture = stranger.page.get_by_role("img")
    assert picture.evaluate("async (picture) => { await picture.decode(); return picture.naturalWidth; }") == 1200
    tags = stranger.page.evaluate("""Object.fromEntries([...document.querySelectorAll('meta[property^="og:"]')].map((tag) => [tag.getAttribute("property"), tag.content]))""")
    assert tags["og:title"] == "Sunday climbers"
    assert tags["og:url"] == link
    assert tags["og:image"] == f"{link}.png"
    assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
    assert stranger.page.locator("script").count() == 0
    assert "Ben" not in stranger.page.content()
    assert nameless(stranger) == []

    # Ben is on the picture, sees it in the chat, and withdraws it there.
    ben.open_chat()
    entry = ben.at("chat-entry").filter(has_text="Ada sent a map picture.")
    expect(entry).to_contain_text("It shows you.")
    finds_nothing(ben, "a picture in the chat")
    entry.get_by_test_id("chat-picture-see").click()
    assert drawn(ben) == [1200, 630]
    expect(ben.at("picture-who")).to_contain_text("Shows Ada and you")
    finds_nothing(ben, "somebody else's picture")
    ben.close_dialog()
    entry.get_by_test_id("chat-picture-take-back").click()
    expect(entry.get_by_test_id("chat-picture")).to_be_hidden()
    assert status(link) == 410
    assert status(f"{link}.png") == 410
    stranger.page.reload()
    expect(stranger.page.get_by_role("heading", name="This picture is no longer available")).to_be_visible()
    stranger.forgive("410")
    # In Ada's chat the entry stays until she opens the picture.
    ada.open_chat()
    see = ada.at("chat-entry").filter(has_text="You sent a map picture.").get_by_test_id("chat-picture-see")
    see.click()
    expect(see).to_be_hidden()

    # One's pictures are listed and revoked.
    begin(ada)
    link = make(ada)
    ada.close_dialog()
    ben.visit("you")
    expect(ben.at("own-picture")).to_contain_text("Sunday climbers, by Ada, it shows you")
    ben.at("you-pictures").click()
    finds_nothing(ben, "one's pictures")
    ada.visit("you")
    expect(ada.at("own-picture")).to_contain_text("by you")
    ada.at("you-pictures").click()
    ada.at("own-picture-take-back").focus()
    ada.page.keyboard.press("Enter")
    expect(ada.at("own-picture")).to_have_count(0)
    expect(ada.at("own-pictures-state")).to_contain_text("No picture")
    assert status(link) == 410

    # Who is not on a picture is told with the reason.
    for each in (ada, ben):
        each.visit("people")
    ben.at("sharing").click()
    ben.at("sharing-pictures").uncheck()
    ben.at("sharing-save").click()
    expect(ben.at("sharing-dialog")).to_have_count(0)
    begin(ada)
    make(ada, about="")
    expect(ada.at("picture-on").locator("li")).to_have_text(["Ada (you)"])
    expect(ada.at("picture-off").locator("li")).to_have_text(["Ben: chose not to be on pictures"])
    ada.at("picture-take-back").click()
    expect(ada.at("send-picture")).to_have_count(0)

    begin(ben)
    expect(ben.at("picture-off").locator("li")).to_have_text(["Ben (you): you chose not to be on pictures"])
    ben.close_dialog()
    # The choice is restored in a new window.
    ben.page.reload()
    ben.is_live()
    ben.at("sharing").click()
    expect(ben.at("sharing-pictures")).not_to_be_checked()
    ben.at("sharing-paused").check()
    ben.at("sharing-pictures").check()
    ben.at("sharing-save").click()
    expect(ben.at("sharing-dialog")).to_have_count(0)
    # The dialog is of the moment at which it opens.
    expect(ada.row("Ben")).to_contain_text("Hidden")
    begin(ada)
    expect(ada.at("picture-off")).to_have_text("Ben: hidden")


def test_on_a_phone_the_file_itself_is_handed_on_and_nobody_to_be_seen_is_said_before(window):
    ada = window(**PHONE)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    begin(ada)
    expect(ada.at("picture-off")).to_have_text("Ada (you): no position")
    expect(ada.at("picture-make")).to_be_disabled()
    ada.close_dialog()
    ada.visit("people")
    ada.follow_gps(48.2082, 16.3738)
    expect(ada.marker("Ada")).to_be_visible()
    # This Chromium has no system dialog for sharing: the stub records the shared data.
    ada.page.evaluate("""() => {
      navigator.canShare = () => true;
      navigator.share = async (data) => { window.handedOn = data; };
    }""")
    begin(ada)
    ada.at("picture-names-initials").check()
    link = make(ada)
    width = ada.page.evaluate("[document.documentElement.scrollWidth, innerWidth, document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth]")
    assert width[0] <= width[1] and width[2] <= 0, width
    ada.at("picture-share").click()
    given = ada.page.evaluate("({ name: handedOn.files[0].name, type: handedOn.files[0].type, size: handedOn.files[0].size, url: handedOn.url })")
    assert given["type"] == "image/png" and given["size"] > 1000 and given["url"] == link, given
    finds_nothing(ada, "the picture on a phone")
