"""Notifications reach a closed page: turned on by a click that says what comes, shown by the worker, and their actions count."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from conftest import served
from playwright.sync_api import expect
from test_offline import kept
from window import until

STAND_IN = Path(__file__).resolve().parent.parent / "StandIns" / "push_service.py"

#: A browser without windows has no push service: its subscription is that of the stand-in.
SUBSCRIBED = """
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  let current = null;
  const subscribe = (applicationServerKey) => {
    const raw = Uint8Array.from(atob(applicationServerKey.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    return (current = { options: { applicationServerKey: raw.buffer }, toJSON: () => (%s), unsubscribe: async () => (current = null) });
  };
  // As in a browser, a subscription outlives a reload.
  const before = location.origin === "null" ? null : sessionStorage.getItem("subscribed");
  if (before !== null) subscribe(before);
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    window.asked = applicationServerKey;
    sessionStorage.setItem("subscribed", applicationServerKey);
    return subscribe(applicationServerKey);
  };
"""

#: What the worker shows, and the pages that it opens, are played.
WORKER = """
  self.shown = [];
  self.opened = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    self.shown = self.shown.filter((each) => each.tag !== options.tag);
    self.shown.push({ title, ...options });
  };
  ServiceWorkerRegistration.prototype.getNotifications = async () => [];
  clients.openWindow = async (address) => { self.opened.push(address); };
"""

CLICK = """([tag, action]) => {
  const shown = self.shown.find((each) => each.tag === tag);
  self.shown = self.shown.filter((each) => each !== shown);
  dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { action, notification: { ...shown, close() {} } }));
}"""


@pytest.fixture(scope="module")
def pushing():
    yield from served("push", "--contact", "mailto:operator@muster.example", "--outbound-allow", "127.0.0.0/8")


@pytest.fixture(scope="module")
def service():
    with subprocess.Popen([sys.executable, STAND_IN], stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()

        def ask(path):
            with urllib.request.urlopen(address + path, timeout=20) as answer:
                return json.load(answer)

        yield ask
        process.kill()


def subscribed(window, pushing, service, name, says="together without you", **options):
    """A window with notifications turned on, by its own controls, whose dialog says what comes."""
    ada = window(pushing, worker=True, **options)
    ada.context.add_init_script(SUBSCRIBED % json.dumps(service(f"/subscribe/{name}")))
    ada.open().sign_up(name).create_group("Sunday climbers")
    kept(ada)
    ada.visit("you")
    expect(ada.at("push")).not_to_be_checked()
    ada.at("push").click()
    expect(ada.at("push-dialog")).to_contain_text(says)
    ada.at("push-yes").click()
    expect(ada.at("push")).to_be_checked()
    assert ada.page.evaluate("window.asked.length") == 87
    return ada


def test_a_click_says_what_comes_and_a_test_reaches_the_page(window, pushing, service):
    ada = subscribed(window, pushing, service, "Ada")
    ada.at("push-more").locator("summary").click()
    expect(ada.at("push-targets")).to_contain_text("this browser")
    ada.at("push-test").click()
    [push] = until(ada.page, lambda: service("/received/Ada"), "no push")
    assert "problem" not in push, push
    assert push["message"]["kind"] == "test"
    deliver(ada, ada.page, push["message"])
    # A visible page gets the message instead of a notification.
    expect(ada.page.get_by_text("This is a test.")).to_be_visible()
    ada.at("push-kind-mention").click()
    until(ada.page, lambda: pushing.sql("SELECT kinds ->> 'mention' FROM muster.push_setting") == [("false",)], "the choice is not stored")
    ada.at("push-remove").click()
    expect(ada.at("push")).not_to_be_checked()


def deliver(ada, page, message):
    """Lets the browser deliver a push to the worker."""
    session = ada.context.new_cdp_session(page)
    found = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    [registration] = [each for each in until(page, lambda: found, "no registration") if each["scopeURL"].startswith(ada.url)][:1]
    session.send("ServiceWorker.deliverPushMessage", {"origin": ada.url, "registrationId": registration["registrationId"], "data": json.dumps(message)})
    session.detach()


def test_a_closed_page_is_shown_notifications_whose_actions_count(window, pushing, service):
    ada = subscribed(window, pushing, service, "Bea")
    [(user, group)] = pushing.sql("SELECT m.user_id, m.group_id FROM muster.membership m JOIN muster.account a ON a.id = m.user_id WHERE a.name = 'Bea'")
    [worker] = ada.context.service_workers
    worker.evaluate(f"() => {{ {WORKER} }}")
    ada.page.goto("about:blank")

    def notify(kind, number, payload):
        pushing.sql("""SELECT muster.notify(ARRAY[:user::bigint], ARRAY[:'kind'], ARRAY[:group::bigint], ARRAY[NULL::bigint], ARRAY[:'number'],
            ARRAY[now()], ARRAY[:'payload'::jsonb])""", user=user, kind=kind, group=group, number=number, payload=json.dumps(payload))
        pushing.sql("DELETE FROM muster.presence")
        until(ada.page, lambda: pushing.sql("UPDATE muster.push_delivery SET due_at = now() RETURNING 1"), "nothing is planned")
        return until(ada.page, lambda: [each["message"] for each in service("/received/Bea") if each["message"]["notification"] == number], "no push")[0]

    first = notify("left_without_you", 1, {"variant": "gathered", "gathering": "6001", "distance": 2140})
    second = notify("left_without_you", 2, {"variant": "departed", "gathering": "6001", "distance": 900})
    for message in (first, second):
        deliver(ada, ada.page, message)
    shown = until(ada.page, lambda: [each for each in worker.evaluate("self.shown") if "left" in each["body"]], "not shown")
    assert [each["tag"] for each in worker.evaluate("self.shown")] == [f"left_without_you:{group}"], "the newer replaces the older"
    assert [each["action"] for each in shown[0]["actions"]] == ["wait", "locate"]
    worker.evaluate(CLICK, [second["tag"], "locate"])
    until(ada.page, lambda: worker.evaluate("self.opened") == [f"/#/g/{group}/people"], "the page is not opened")

    third = notify("wait_for_me", 3, {"room": "1", "from": {"id": "1", "name": "Cy"}, "eta": 600})
    deliver(ada, ada.page, third)
    until(ada.page, lambda: [each for each in worker.evaluate("self.shown") if each["tag"] == third["tag"]], "not shown")
    worker.evaluate(CLICK, [third["tag"], "seen"])
    until(ada.page, lambda: pushing.sql("SELECT number FROM muster.notification WHERE seen_at IS NOT NULL") == [("3",)], "the action does not count")
    assert worker.evaluate("self.shown") == []
    # An action of a notification that is gone says so.
    pushing.sql("DELETE FROM muster.notification WHERE number = 3")
    deliver(ada, ada.page, third)
    until(ada.page, lambda: worker.evaluate("self.shown.length") == 1, "not shown")
    worker.evaluate(CLICK, [third["tag"], "seen"])
    until(ada.page, lambda: [each["body"] for each in worker.evaluate("self.shown")] == ["It is too late for this."], "it does not say so")


def test_notifications_and_their_failures_are_in_the_language_of_the_page(window, pushing, service):
    eva = subscribed(window, pushing, service, "Eva", says="ohne dich", locale="de-AT")
    languages = lambda: pushing.sql("SELECT t.language FROM muster.push_target t JOIN muster.account a ON a.id = t.user_id WHERE a.name = 'Eva'")
    assert languages() == [("de",)]
    eva.at("push-more").locator("summary").click()
    eva.at("push-test").click()
    [push] = until(eva.page, lambda: service("/received/Eva"), "no push")
    deliver(eva, eva.page, push["message"])
    expect(eva.page.get_by_text("Das ist ein Test.")).to_be_visible()

    [worker] = eva.context.service_workers
    worker.evaluate(f"() => {{ {WORKER} }}")
    fail = """async ([outcome, status]) => {
      self.fetch = async () => {
        if (status === null) throw new TypeError("Failed to fetch");
        return new Response(null, { status });
      };
      const data = { act: "1", actions: [{ action: "seen", title: "Gelesen" }], opens: [] };
      dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { action: "seen", notification: { title: outcome, tag: outcome, data, close() {} } }));
    }"""
    for outcome, status, words in [("late", 410, "Dafür ist es zu spät."), ("refused", 400, "Das ging nicht. Öffne Muster."), ("unreachable", None, "Der Server ist nicht erreichbar. Versuche es noch einmal.")]:
        worker.evaluate(fail, [outcome, status])
        until(eva.page, lambda: [each["body"] for each in worker.evaluate("self.shown") if each["tag"] == outcome] == [words], lambda: f"{worker.evaluate('self.shown')}")

    # Another language of the page is that of its notifications, too.
    eva.at("language").select_option("en")
    eva.is_live()
    eva.visit("you")
    until(eva.page, lambda: languages() == [("en",)], lambda: f"{languages()}")
