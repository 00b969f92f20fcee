"""What the browser tests share: one Chromium, one real server, and windows that complain when something is wrong.

Tests that run beside each other, in processes of their own (`pytest -n 3`), have a Chromium and a server each. Tests marked
`alone` measure time: `scripts/test` runs them afterwards, without others beside them.
"""

import os
import re
from pathlib import Path

import pytest
from muster_server import MusterServer
from playwright.sync_api import expect, sync_playwright
from window import Window

# The same engine as `chromium` without its windows, which takes a third less processor time.
CHROMIUM = os.environ.get("MUSTER_CHROMIUM", "/usr/bin/chromium-headless-shell")

#: Names of other hosts are never found. To intercept requests instead would take each of them through this process.
NOTHING_ELSEWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

OUTPUT = Path(__file__).resolve().parent / "output"

# Three Chromiums may share two processors with other programs. Tests that require speed set their own timeout.
expect.set_options(timeout=20_000)


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: measures time, so no other test runs beside it")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", NOTHING_ELSEWHERE])
        yield chromium
        chromium.close()


def served(name, *options, **settings):
    """Yields a running server with an empty database; it must end well. `name` is that of its log in the output."""
    running = MusterServer(*options, **settings)
    try:
        running.start()
        yield running
        status = running.stop()
        assert status == 0, f"the server ended with {status}; its log:\n{running.tail()}"
        assert running.problems() == []
    finally:
        OUTPUT.mkdir(exist_ok=True)
        worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        (OUTPUT / f"{name}-{worker}.log").write_text(running.log.read_text(encoding="utf-8"), encoding="utf-8")
        running.remove()


@pytest.fixture(scope="session")
def server():
    """The built server, as most tests need it."""
    yield from served("server")


@pytest.fixture
def window(browser, server, request):
    """Opens windows, each a browser profile of its own. At the end each is photographed, and none may have complained."""
    opened = []

    def open_window(at=server, **options):
        made = Window(browser, at.url, **options)
        opened.append(made)
        return made

    yield open_window
    OUTPUT.mkdir(exist_ok=True)
    test = re.sub(r"\W+", "_", request.node.name)
    for made in opened:
        photograph = OUTPUT / f"{test}-{(made.name or 'nobody').lower()}.png"
        made.page.screenshot(path=photograph)
        made.context.close()
    for made in opened:
        assert made.complaints == [], f"in the window of {made.name}"
        assert made.asked_elsewhere == [], "the page asked other hosts"


@pytest.fixture
def pair(window):
    """Two people in one group, both walking by hand from the middle of the map."""
    ada, ben = window(), window()
    link = ada.open().sign_up("Ada").create_group("Sunday climbers")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    for one, other in ((ada, ben), (ben, ada)):
        one.walk()
    for one, other in ((ada, ben), (ben, ada)):
        one.marker(other.name).wait_for()
    return ada, ben
