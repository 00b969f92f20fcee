"""People sign in by another provider, django-oauth-toolkit, link it, unlink it, and set a password."""

import json
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from muster_server import MusterServer
from playwright.sync_api import expect
from window import PASSWORD, until

STAND_IN = Path(__file__).resolve().parent.parent / "StandIns" / "toolkit.py"
NEW_PASSWORD = "battery staple horse"


def free_port():
    """The provider must know where it leads back to before the server starts."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture
def provided():
    """A server that lets people in by a provider, too."""
    port = free_port()
    home = f"http://127.0.0.1:{port}"
    provider = subprocess.Popen([sys.executable, STAND_IN, f"{home}/v1/auth/toolkit/callback", f"{home}/"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    running = None
    try:
        issuer = provider.stdout.readline().strip()
        running = MusterServer("--auth-config", "auth.json", "--public-url", home)
        running._listen = f"127.0.0.1:{port}"
        (running.folder / "auth.json").write_text(json.dumps({"providers": [{
            "id": "toolkit", "name": "Toolkit <i>", "issuer": issuer, "client_id": "muster", "client_secret": "a secret",
            "insecure_loopback": True, "endpoints": {"revocation": f"{issuer}/revoke_token/"},
        }]}), encoding="utf-8")
        running.start()
        running.valid = issuer.removesuffix("/o") + "/valid"
        yield running
        assert running.stop() == 0, running.tail()
        assert running.problems() == []
    finally:
        provider.kill()
        provider.wait()
        if running is not None:
            running.remove()


def valid_tokens(server):
    """How many tokens of the provider are not revoked."""
    with urllib.request.urlopen(server.valid, timeout=30) as answer:
        return int(answer.read())


def leaves(window):
    """The provider's page is another host's: the browser is meant to go there."""
    window.asked_elsewhere.clear()


def ways(window):
    window.visit("you")
    window.at("you-ways-to-log-in").click()


def test_somebody_signs_in_sets_a_password_and_unlinks_the_provider(provided, window):
    ada = window(at=provided)
    ada.open()
    expect(ada.at("provider-toolkit")).to_contain_text("Continue with Toolkit <i>")
    ada.at("provider-toolkit").click()
    ada.is_live()
    leaves(ada)
    assert "ticket" not in ada.page.url
    ways(ada)
    expect(ada.at("own-name")).to_have_text("Ada Lovelace")
    expect(ada.at("login-ways")).to_contain_text("Toolkit <i>")
    ada.at("password-open").click()
    ada.at("password-new").fill("short")
    ada.at("password-save").click()
    expect(ada.at("password-new-problem")).to_contain_text("8 characters")
    ada.at("password-new").fill(NEW_PASSWORD)
    ada.at("password-save").click()
    expect(ada.at("password-open")).to_have_text("Change password")
    assert valid_tokens(provided) > 0
    # By way of the provider, which ends its own session: the form is there before, too.
    with ada.page.expect_event("domcontentloaded"):
        ada.at("log-out").click()
    ada.at("auth-form").wait_for()
    leaves(ada)
    assert ada.page.evaluate("sessionStorage.getItem('muster.logged-out')") == "1", "the next sign-in asks for no new login"
    ada.at("auth-mode-login").click()
    ada.at("auth-username").fill("ada")
    ada.at("auth-password").fill(NEW_PASSWORD)
    ada.at("auth-submit").click()
    ada.is_live()
    until(ada.page, lambda: valid_tokens(provided) == 0, "the provider's tokens are not revoked after the logout", timeout=60)


def test_an_account_links_a_provider_after_it_has_shown_who_it_is(provided, window):
    ben = window(at=provided)
    ben.open().sign_up("Ben")
    provided.sql("UPDATE muster.session_token SET authenticated_at = now() - interval '11 minutes'")
    ways(ben)
    ben.at("link-toolkit").click()
    ben.at("confirm-password").fill("not this one")
    ben.at("confirm-submit").click()
    expect(ben.at("confirm-password-problem")).to_be_visible()
    ben.forgive("401")
    ben.at("confirm-password").fill(PASSWORD)
    ben.at("confirm-submit").click()
    # The provider leads back at once, to where the page was.
    expect(ben.at("unlink-toolkit")).to_have_count(1)
    ben.is_live()
    leaves(ben)
    assert provided.sql("SELECT count(*) FROM muster.identity") == [("1",)]


def test_a_sign_in_that_is_over_is_explained(provided, window):
    ada = window(at=provided)
    ada.open("/#auth_error=gone")
    expect(ada.page.locator(".notice")).to_contain_text("took too long")
    assert ada.page.url.endswith("/")
    # A provider leads back to a page that is loaded anew.
    ada.page.goto("about:blank")
    ada.open("/#ticket=unknown")
    expect(ada.page.locator(".notice")).to_contain_text("took too long")
