"""Alerts are shown as notifications while the page is open and hidden, if the user wants that."""

import itertools
import json

import pytest
from playwright.sync_api import expect
from test_offline import kept
from window import until

_numbers = itertools.count(1)

#: A browser without windows has no notifications: the permission and what is shown are played. `%s` answers the question.
PLAYED = """
  let permission = "default";
  Object.defineProperty(Notification, "permission", { get: () => permission });
  Notification.requestPermission = async () => (permission = "%s");
  window.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async function (title, { body, tag, data }) {
    if (this.active === null || permission !== "granted") throw new TypeError("not permitted");
    const close = () => (window.shown = window.shown.filter((each) => each.tag !== tag));
    close();
    window.shown.push({ title, body, tag, address: data.address, close });
  };
  ServiceWorkerRegistration.prototype.getNotifications = async () => window.shown;
"""


def alerted(window, answer):
    """A window in which a test can let alerts arrive: gives it, what does that, and what lets one be seen elsewhere."""
    sockets = []

    def pass_on(socket):
        socket.connect_to_server()
        sockets.append(socket)

    ada = window(worker=True)
    ada.context.add_init_script(PLAYED % answer)
    ada.page.route_web_socket("**/v1/ws", pass_on)
    ada.open().sign_up("Ada").create_group("Sunday climbers")
    kept(ada)
    group = ada.page.evaluate("localStorage.getItem('muster.group')")

    def alert():
        now, number = ada.page.evaluate("Date.now()"), next(_numbers)
        sockets[-1].send(json.dumps({
            "type": "left_without_you", "notification": number, "group": group, "groupName": "Sunday climbers", "variant": "elsewhere",
            "place": {"lat": 48.2, "lon": 16.4, "name": "Café Central"}, "since": now, "at": now, "distance": 2700,
            "together": [{"id": "998", "name": "Ben"}, {"id": "999", "name": "Nora"}]}))
        return number

    def see(number):
        sockets[-1].send(json.dumps({"type": "seen", "notifications": [number]}))

    return ada, alert, see


def shown(window):
    return window.page.evaluate("window.shown.map(({ title, body, address }) => [title, body, address])")


def hide(window, is_hidden=True):
    window.page.evaluate("""(isHidden) => {
      Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""", is_hidden)


def test_the_first_alert_offers_notifications_and_later_ones_are_shown_by_the_worker(window):
    ada, alert, see = alerted(window, "granted")
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
    # Whoever returns to the page sees the card.
    hide(ada, False)
    until(ada.page, lambda: shown(ada) == [], "the notification stays")
    hide(ada)
    number = alert()
    until(ada.page, lambda: shown(ada), "no second notification")
    see(number)
    until(ada.page, lambda: shown(ada) == [], "it stays although it was seen on another device")


@pytest.mark.parametrize("answer", ["no", "denied", "default"])
def test_without_permission_nothing_is_shown_and_the_page_says_why(window, answer):
    ada, alert, _ = alerted(window, answer)
    alert()
    ada.at("notify-no" if answer == "no" else "notify-yes").click()
    if answer == "denied":
        expect(ada.at("notify-offer")).to_contain_text("blocks notifications")
        ada.at("notify-offer-dismiss").click()
    if answer == "default":
        # Whoever closes the browser's question may be asked again, on a press.
        expect(ada.at("notify-yes")).not_to_have_attribute("aria-busy", "true")
        expect(ada.at("notify-yes")).to_be_visible()
        assert ada.page.evaluate("localStorage.getItem('muster.notify')") is None
        ada.at("notify-offer-dismiss").click()
    hide(ada)
    alert()
    expect(ada.at("alerts-more")).to_be_visible()
    assert shown(ada) == []
    expect(ada.at("notify-offer")).to_have_count(0)
