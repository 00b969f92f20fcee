"""Alerts are shown as notifications while the page is open and hidden, if the user wants that."""

import itertools
import json

import pytest
from playwright.sync_api import expect
from test_offline import kept
from window import until

_numbers = itertools.count(1)


def alerted(window):
    """A window in which a test can let alerts arrive: gives it, and what does that."""
    sockets = []

    def pass_on(socket):
        socket.connect_to_server()
        sockets.append(socket)

    ada = window(worker=True)
    ada.page.route_web_socket("**/v1/ws", pass_on)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    kept(ada)
    group = ada.page.evaluate("localStorage.getItem('muster.group')")

    def alert():
        now = ada.page.evaluate("Date.now()")
        sockets[-1].send(json.dumps({
            "type": "left_without_you", "notification": next(_numbers), "group": group, "groupName": "Sunday climbers", "variant": "elsewhere",
            "place": {"lat": 48.2, "lon": 16.4, "name": "Café Central"}, "since": now, "at": now, "distance": 2700,
            "together": [{"id": "998", "name": "Ben"}, {"id": "999", "name": "Nora"}]}))

    return ada, alert


def shown(window):
    return window.page.evaluate("""async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return (await registration.getNotifications()).map(({ title, body, data }) => [title, body, data.address]);
    }""")


def hide(window):
    window.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")


def test_the_first_alert_offers_notifications_and_later_ones_are_shown_by_the_worker(window):
    ada, alert = alerted(window)
    ada.context.grant_permissions(["notifications"])
    alert()
    expect(ada.at("alert")).to_be_visible()
    ada.at("notify-yes").click()
    expect(ada.at("notify-offer")).to_have_count(0)
    assert shown(ada) == [], "the page was visible"
    hide(ada)
    alert()
    [[title, body, address]] = until(ada.page, lambda: shown(ada), "no notification")
    assert title == "Ben and Nora are together" and "Café Central" in body
    assert address.startswith("/#/g/")


@pytest.mark.parametrize("answer", ["no", "refused"])
def test_without_permission_nothing_is_shown_and_the_page_says_why(window, answer):
    ada, alert = alerted(window)
    alert()
    ada.at("notify-no" if answer == "no" else "notify-yes").click()
    if answer == "refused":
        expect(ada.at("notify-offer")).to_contain_text("blocks notifications")
        ada.at("notify-offer-dismiss").click()
    hide(ada)
    alert()
    expect(ada.at("alerts-more")).to_be_visible()
    assert shown(ada) == []
    expect(ada.at("notify-offer")).to_have_count(0)
