"""One person's browser window, driven as that person would."""

import itertools
import json
import os
import re
import time
from pathlib import Path

from playwright.sync_api import expect

_numbers = itertools.count(1)

PASSWORD = "correct horse battery"

#: The delay of each HTTP answer and of each frame in milliseconds. 300 reveals code that relies on the order of answers, and
#: tests that do not wait for what the user sees. The test that limits an upload itself fails with it.
DELAY = int(os.environ.get("MUSTER_PAGE_DELAY", "0"))

#: Frames arrive late, and in order.
LATE_FRAMES = """((delay) => {
  for (const name of ["onmessage", "onclose"]) {
    const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, name);
    Object.defineProperty(WebSocket.prototype, name, { set(act) {
      set.call(this, (event) => setTimeout(() => act.call(this, event), delay));
    } });
  }
})(%d)"""


def until(page, condition, missing, timeout=30):
    """Waits until `condition()` gives something, while the page goes on, and gives it; `missing` says what did not come."""
    deadline = time.monotonic() + timeout
    while not (found := condition()):
        assert time.monotonic() < deadline, missing() if callable(missing) else missing
        page.wait_for_timeout(50)
    return found


def until_idle(most=60):
    """Waits until other programs leave the processors mostly idle for a second, but no longer than `most` seconds: for measurements of time."""

    def read():
        fields = [int(field) for field in Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    deadline = time.monotonic() + most
    while time.monotonic() < deadline:
        total, idle = read()
        time.sleep(1)
        after, idle_after = read()
        if idle_after - idle > 0.8 * (after - total):
            return


class Window:
    """A window of its own browser profile, which remembers everything that went wrong in it.

    Without `worker` it has no service worker, whose answers are not intercepted and whose requests are not counted.

    `complaints` holds what the console, the content security policy and the network said; `asked_elsewhere` the requests
    to other hosts, whose names the browser of the tests never finds.
    """

    def __init__(self, browser, url, worker=False, **options):
        self.url = url
        self.context = browser.new_context(**{"locale": "en-GB", "timezone_id": "Europe/Vienna", **options})
        self.context.set_default_timeout(20_000)
        self.complaints = []
        self.asked_elsewhere = []
        self.received = []
        self.context.add_init_script("""
            addEventListener("securitypolicyviolation", (event) =>
              console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));""")
        if not worker:
            self.context.add_init_script("Object.defineProperty(Navigator.prototype, 'serviceWorker', {value: undefined});")
        self.context.on("page", self._watch)
        if DELAY:
            self.context.add_init_script(LATE_FRAMES % DELAY)
        self.page = self.context.new_page()
        if DELAY:
            network = self.context.new_cdp_session(self.page)
            network.send("Network.enable")
            network.send("Network.emulateNetworkConditions", {"offline": False, "latency": DELAY, "downloadThroughput": -1, "uploadThroughput": -1})
        self.username = None
        self.name = None

    def _watch(self, page):
        page.on("request", self._asked)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda text: self.received.append(json.loads(text))))

    def _asked(self, request):
        if request.url.startswith("http") and not request.url.startswith(self.url):
            self.asked_elsewhere.append(request.url)

    def _heard(self, message):
        # On a busy machine Chromium reports that a preload is used late. Tests of their own find unused preloads.
        if "was preloaded using link preload but not used" in message.text:
            return
        if message.type in ("error", "warning"):
            self.complaints.append(f"console {message.type}: {message.text} ({(message.location or {}).get('url')})")

    def _failed(self, request):
        # Requests that are pending when a page is left are cancelled, which is no failure.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.method} {request.url} {request.failure}")

    def _answered(self, response):
        if response.status >= 400:
            self.complaints.append(f"answered {response.status}: {response.request.method} {response.url}")

    def awaits_complaint(self, pattern, timeout=30):
        """Waits until something that a test brings about on purpose has been complained of."""
        until(self.page, lambda: any(re.search(pattern, complaint) for complaint in self.complaints),
              lambda: f"nobody complained of {pattern}: {self.complaints}", timeout)

    def forgive(self, pattern):
        """Forgets the complaints that a test has brought about on purpose; there must be one."""
        kept = [complaint for complaint in self.complaints if not re.search(pattern, complaint)]
        assert len(kept) < len(self.complaints), f"nobody complained of {pattern}: {self.complaints}"
        self.complaints = kept

    # Parts of the page

    def at(self, testid):
        return self.page.get_by_test_id(testid)

    def row(self, name):
        """Somebody's row in the list."""
        return self.page.locator(f'.member-list [data-name="{name}"]')

    def marker(self, name):
        """What shows somebody on the map: a marker of their own, or the bubble that they are in."""
        return self.page.locator(f'.leaflet-marker-pane [data-people*="|{name}|"]')

    def position(self, name):
        """Where the page knows somebody to be, as `(lat, lon)`."""
        # Both in one evaluation, so that they belong to the same moment.
        return tuple(self.row(name).evaluate("({ dataset }) => [Number(dataset.lat), Number(dataset.lon)]"))

    # User actions

    def open(self, path="/"):
        self.page.goto(self.url + path if path.startswith("/") else path)
        return self

    def sign_up(self, name):
        """Fills the form in, on whatever page of the app is open."""
        self.name = name
        self.username = f"{name.lower()}-{next(_numbers)}"
        self.at("signup-name").fill(name)
        self.at("auth-username").fill(self.username)
        self.at("auth-password").fill(PASSWORD)
        self.at("auth-submit").click()
        self.is_live()
        return self

    def log_in(self, username, password):
        self.at("auth-mode-login").click()
        self.at("auth-username").fill(username)
        self.at("auth-password").fill(password)
        self.at("auth-submit").click()

    def is_live(self, timeout=20_000):
        expect(self.at("connection")).to_have_attribute("data-state", "live", timeout=timeout)

    def create_group(self, name):
        """Makes one's first group, and gives the invite link that the page then offers."""
        self.at("group-name").fill(name)
        self.at("group-create").click()
        return self.make_invite()

    def make_invite(self):
        """The link in the open dialog of invites, or in the list of who is alone in a group."""
        link = self.at("invite-url").last
        expect(link).not_to_have_value("")
        return link.input_value()

    def join(self, link):
        """Opens an invite link, signed in, and joins."""
        self.page.goto(link)
        self.at("join-confirm").click()
        expect(self.at("join-dialog")).to_have_count(0)

    def close_dialog(self):
        self.at("dialog-close").click()
        expect(self.page.locator("dialog")).to_have_count(0)

    def visit(self, section):
        """Goes to a section by its tab."""
        if section == "plans":
            self.visit("events")
        # A conversation on a phone has no tabs.
        back = self.at("chat-back")
        if back.is_visible() and not self.at("nav-chat").is_visible():
            back.click()
        self.at(f"nav-{section}").click()
        if section == "plans":
            return
        # On a wide page the chat is beside another section.
        expect(self.page).to_have_url(re.compile(f"/{section}(/|$)"))
        if section != "chat":
            expect(self.at(f"nav-{section}")).to_have_attribute("aria-current", "page")

    def group(self):
        """The number of the shown group."""
        return self.at("group-switcher").get_attribute("data-group")

    def in_groups(self, testid):
        """Presses something in the menu of groups: `group-new`, `group-menu`, or a group."""
        self.at("group-switcher").click()
        self.at(testid).click()

    def choose_group(self, name):
        """Shows another group."""
        self.at("group-switcher").click()
        self.at("groups").get_by_role("menuitemradio", name=name).click()
        expect(self.at("group-switcher")).to_contain_text(name)

    def open_chat(self, name=None):
        """Opens a chat by its name, or that of the shown group."""
        self.visit("chat")
        (self.page.get_by_test_id(re.compile(r"^chat-\d+$")).filter(has_text=name) if name else self.at(f"chat-{self.group()}")).click()
        expect(self.at("chat-input")).to_be_visible()

    def act(self, entry, action):
        """Chooses an action of a message in its menu, by the keyboard."""
        entry.focus()
        self.page.keyboard.press("Shift+F10")
        self.at(action).click()

    def walk(self):
        """Starts to walk by hand, from the middle of the map or from where one is known to be."""
        self.visit("you")
        if not self.at("share-walk").is_visible():
            self.at("demo-open").click()
        self.at("share-walk").click()
        expect(self.marker(self.name)).to_be_visible()
        self.visit("people")

    def step(self, *keys):
        """Moves one's marker by the keyboard; gives where it is then."""
        self.marker(self.name).focus()
        for key in keys:
            before = self.position(self.name)
            self.page.keyboard.press(key)
            after = self.moved(self.name, before)
        return after

    def moved(self, name, before):
        """Waits until somebody's marker is not any more where it was; gives where it is."""
        self.page.wait_for_function("""([name, lat, lon]) => {
            const { dataset } = document.querySelector(`.members [data-name="${name}"]`);
            return Number(dataset.lat) !== lat || Number(dataset.lon) !== lon;
          }""", arg=[name, *before], timeout=5000)
        return self.position(name)

    def drag_me(self, right, down):
        """Drags one's own marker by so many pixels, as a hand would: in steps. Gives where it is then."""
        before = self.position(self.name)
        box = self.marker(self.name).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right, y + down, steps=8)
        self.page.mouse.up()
        # The page draws a movement in the next frame, so the first difference may be an intermediate position.
        self.page.wait_for_function("() => !document.body.classList.contains('leaflet-dragging')", timeout=5000)
        self.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(drawn))")
        return self.moved(self.name, before)

    def go_to(self, lat, lon, accuracy=6):
        """Lets the browser's geolocation find oneself somewhere."""
        self.context.set_geolocation({"latitude": lat, "longitude": lon, "accuracy": accuracy})

    def follow_gps(self, lat, lon, accuracy=6):
        """Shares where the browser finds itself."""
        self.context.grant_permissions(["geolocation"])
        self.go_to(lat, lon, accuracy)
        self.share("live")
        expect(self.marker(self.name)).to_be_visible()

    def shares(self):
        """Whether the group sees one."""
        return self.at("sharing").get_attribute("data-state") in ("live", "approximate")

    def share(self, mode):
        """Chooses what the group sees, until it is chosen anew."""
        self.at("sharing").click()
        self.at(f"sharing-{mode}").check()
        self.at("until-none").check()
        self.at("sharing-save").click()
        expect(self.at("sharing-dialog")).to_have_count(0)
        expect(self.at("sharing")).to_have_attribute("data-mode", mode)

    def set_rules(self, **settings):
        """Changes the group's rules in its dialog."""
        self.in_groups("group-menu")
        for key, value in settings.items():
            self.at(f"setting-{key}").select_option(str(value))
        self.at("group-save").click()
        expect(self.at("toasts")).to_contain_text("Saved.")
        self.close_dialog()


# The user's own picture


def edit_profile(window):
    """Goes to one's own section, and shows the fields of one's name and picture."""
    window.visit("you")
    if not window.at("profile").is_visible():
        window.at("profile-edit").click()


def choose_face(window, file):
    """Chooses a file for one's own picture, which opens the frame."""
    edit_profile(window)
    window.at("face-file").set_input_files(file)


def keep_face(window):
    """Sends what the frame shows, and waits until it is one's own face."""
    window.at("crop-save").click()
    expect(window.at("crop-dialog")).to_have_count(0)
    expect(window.at("own-face").locator("img")).to_be_visible()
