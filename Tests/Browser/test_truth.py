"""What the page says of sharing equals what another session receives, in random states."""

import os
import random
import re

import pytest
from conftest import served
from playwright.sync_api import expect
from test_page import APART
from window import until

#: The seed and the number of steps. Another seed finds other ways: `MUSTER_TRUTH_SEED=7 pytest Tests/Browser/test_truth.py`.
SEED = int(os.environ.get("MUSTER_TRUTH_SEED", "20261127"))
STEPS = 25

HOME = (48.2082, 16.3738)

#: Sets the mode as another device of the user does, for so many milliseconds.
BRIEFLY = """async ([mode, milliseconds]) => {
  const M = await import("/muster.js");
  const client = new M.Client({ url: location.origin, token: localStorage.getItem("muster.token"), device: { key: "other", kind: "browser" } });
  client.start();
  await client.request("sharing.set", { mode, until: client.now() + milliseconds, ...(mode === "live" && { then: "paused" }) });
  client.stop();
}"""


@pytest.fixture(scope="module")
def place():
    """A server of its own, so that it can restart."""
    yield from served("truth")


class Walk:
    """Ada's way through the states, with what her page must say; Ben is the other session."""

    def __init__(self, ada, ben, place):
        self.ada, self.ben, self.place = ada, ben, place
        self.mode, self.source = "live", "off"
        self.at = HOME
        self.done = []

    # Steps

    def share(self, mode, end="none"):
        self.ada.at("sharing").click()
        self.ada.at(f"sharing-{mode}").check()
        self.ada.at(f"until-{end}").check()
        self.ada.at("sharing-save").click()
        expect(self.ada.at("sharing-dialog")).to_have_count(0)
        self.mode = mode
        if mode == "paused" and end == "none":
            self.source = "off"
        elif mode != "paused" and self.source != "gps":
            self.source = "gps"
            self.ada.go_to(*self.at)

    def live(self):
        self.ada.context.grant_permissions(["geolocation"])
        self.share("live")

    def live_for_an_hour(self):
        self.ada.context.grant_permissions(["geolocation"])
        self.share("live", "hour")

    def approximate(self):
        self.ada.context.grant_permissions(["geolocation"])
        self.share("approximate")

    def hidden(self):
        self.share("paused")

    def hidden_for_an_hour(self):
        self.share("paused", "hour")

    def refused(self):
        self.share("paused")
        self.ada.context.clear_permissions()
        self.share("live")
        self.source = "refused"

    def step(self):
        self.at = (round(self.at[0] + 0.0003, 6), self.at[1])
        self.ada.go_to(*self.at)

    def jump(self):
        """A fix that the server holds, and one that shows it was wrong."""
        if self.source != "gps" or self.mode == "paused":
            return
        self.ada.go_to(self.at[0] + 0.4, self.at[1])
        self.agree("finding")
        # Positions that were measured less than a second apart count as one.
        self.ada.page.wait_for_timeout(APART)
        self.ada.go_to(*self.at)

    def reload(self):
        self.ada.page.reload()
        self.ada.is_live()
        if self.source == "refused":
            self.source = "off"

    def restart(self):
        assert self.place.stop() == 0
        self.place.start()
        for each in (self.ada, self.ben):
            each.is_live(60_000)

    def briefly_hidden(self):
        self.ada.page.evaluate(BRIEFLY, ["paused", 3000])
        self.mode = "paused"
        self.agree("hidden")
        self.mode = "live"

    # What must hold

    @property
    def expected(self):
        """The kinds of the pill that are right in this state."""
        if self.mode == "paused":
            return ("hidden",)
        return {"gps": (self.mode,), "refused": ("stopped",), "off": ("hidden", "last", "live", "approximate")}[self.source]

    def agree(self, *kinds):
        """Waits until the pill is right, and says the same as the row that Ben has."""
        kinds = kinds or self.expected
        seen = {}

        def look():
            seen.update(kind=self.ada.at("sharing").get_attribute("data-state"), words=self.ada.at("sharing-line").inner_text(),
                        **self.ben.row("Ada").evaluate("({ dataset, innerText }) => ({ ...dataset, line: innerText })"))
            return seen["kind"] in kinds and says_the_same(seen, self.at)

        until(self.ada.page, look, lambda: f"seed {SEED}: not {kinds} at {self.at} after {self.done}: {seen}", timeout=60)


def says_the_same(seen, where):
    """Whether the words of the pill are true of the row that the other session has."""
    kind, words, line = seen["kind"], seen["words"], seen["line"]
    has_position = seen["lat"] != ""
    off = max(abs(float(seen["lat"]) - where[0]), abs(float(seen["lon"]) - where[1])) if has_position else None
    if kind == "live":
        return has_position and seen["freshness"] == "live" and "Within 1 km" not in line and off < 0.001 and ("1 person sees you" in words)
    if kind == "approximate":
        return has_position and seen["freshness"] == "live" and "Within 1 km" in line and off < 0.03
    if kind == "finding":
        return not has_position or seen["freshness"] != "live" or off < 0.001
    if kind in ("last", "stopped"):
        return has_position == (re.search(r"last seen", words) is not None)
    return kind == "hidden" and not has_position and ("Hidden" in line or "No position yet" in line)


ALL = [Walk.live, Walk.live_for_an_hour, Walk.approximate, Walk.hidden, Walk.hidden_for_an_hour, Walk.refused, Walk.step, Walk.jump, Walk.reload, Walk.restart, Walk.briefly_hidden]
#: A restart takes longer than the others.
FREE = [act for act in ALL if act is not Walk.restart] + [Walk.step, Walk.jump]


def test_the_words_about_sharing_are_what_another_session_receives(window, place):
    dice = random.Random(SEED)
    steps = ALL + dice.choices(FREE, k=STEPS - len(ALL))
    dice.shuffle(steps)
    ada, ben = window(place), window(place)
    link = ada.open().sign_up("Ada").create_group("Choir")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    expect(ben.row("Ada")).to_be_visible()
    walk = Walk(ada, ben, place)
    walk.agree()
    for act in steps:
        walk.done.append(act.__name__)
        act(walk)
        walk.agree()
    # A restart cuts the connection.
    for each in (ada, ben):
        each.complaints.clear()
