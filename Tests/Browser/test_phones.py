"""A phone that reports by an app of its own: added under You, seen by friends, and removed."""

import base64
import json
import time
import urllib.error
import urllib.parse
import urllib.request

from axe import finds_nothing_in_both_schemes
from playwright.sync_api import expect
from test_page import shows_at


def post(url, token, message):
    """Posts as OwnTracks does, and gives status and answer."""
    basic = base64.b64encode(f"ada:{token}".encode()).decode()
    request = urllib.request.Request(
        url, data=json.dumps(message).encode(), headers={"Content-Type": "application/json", "Authorization": f"Basic {basic}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, None


def test_a_phone_is_added_reports_and_is_removed(window):
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    expect(ben.row("Ada")).to_be_visible()
    ada.visit("you")
    ada.at("you-phones").click()
    ada.at("phone-add").click()
    expect(ada.page.get_by_text("Enter a name.")).to_be_visible()
    ada.at("phone-app").select_option("owntracks")
    ada.at("phone-name").fill("Ada's phone")
    ada.at("phone-add").click()
    expect(ada.at("phone-qr")).to_be_visible()
    assert ada.at("phone-qr").evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
    address = ada.at("phone-link").inner_text()
    assert address.startswith("owntracks:///config?inline=")
    settings = json.loads(base64.b64decode(urllib.parse.unquote(address.split("inline=", 1)[1])))
    assert settings["_type"] == "configuration" and settings["mode"] == 3 and len(settings["encryptionKey"]) == 32
    expect(ada.at("phone-report")).to_have_text("No report yet")
    finds_nothing_in_both_schemes(ada, "a phone that was added")

    status, answer = post(settings["url"], settings["password"], {"_type": "location", "lat": 48.2082, "lon": 16.3738, "acc": 8, "tst": int(time.time()) + 2})
    assert status == 200 and isinstance(answer, list)
    shows_at(ben, "Ada", (48.2082, 16.3738))
    assert post(settings["url"], settings["password"], {"_type": "surprise"})[0] == 200
    ada.visit("people")
    ada.visit("you")
    expect(ada.at("phone-report")).to_contain_text("Last report")
    expect(ada.at("phone-problem")).to_contain_text("'surprise'")
    ada.at("phone-remove").click()
    ada.at("phone-remove-confirm").click()
    expect(ada.at("phone")).to_have_count(0)
    assert post(settings["url"], settings["password"], {"_type": "lwt", "tst": 1})[0] == 401
