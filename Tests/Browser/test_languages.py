"""The page in another language: all that is seen or heard is of the tables, and has room on a small phone."""

import json
import re

import pytest
from muster_server import ROOT
from playwright.sync_api import expect
from test_page import PHONE

WORDS = ROOT / "public/app/words"
SMALL = {**PHONE, "viewport": {"width": 320, "height": 640}}

#: All texts that are seen or heard, each with a part of its element.
SHOWN = """() => {
  const found = [];
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true }) && each.closest("[aria-hidden=true]") === null;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (data.trim() !== "" && isShown(parentElement) && parentElement.closest("noscript, script, .avatar, .leaflet-control-attribution") === null) found.push(data.trim());
  }
  for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"]) {
    for (const each of document.querySelectorAll(`[${name}]`)) if (each.checkVisibility({ visibilityProperty: true }) && each.getAttribute(name).trim() !== "") found.push(each.getAttribute(name).trim());
  }
  found.push(document.title);
  return found;
}"""

#: What reaches over the edge of the page, and controls that cut their words off.
OVER = """() => [...document.querySelectorAll("#root *, dialog *, .menu *, .cards *")].filter((each) => {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.closest(".map, .edges, .hidden-visually, .skip, .faces, svg, .slot:empty")) return false;
    const { left, right, width } = each.getBoundingClientRect();
    if (width === 0) return false;
    if (right > innerWidth + 1 || left < -1) return true;
    const style = getComputedStyle(each);
    const isCut = each.matches("button, a, label, h1, h2, h3, legend, summary") && each.scrollWidth > each.clientWidth + 1 && style.display !== "inline";
    return isCut && style.textOverflow !== "ellipsis";
  }).map((each) => `${each.outerHTML.slice(0, 160)} ${Math.round(each.getBoundingClientRect().right)}`)"""


def table(language):
    """The texts of a language by key, each form of a plural by itself."""
    texts = {}
    for file in (f"{language}-short.js", f"{language}.js"):
        for line in (WORDS / file).read_text(encoding="utf-8").splitlines():
            if entry := re.match(r'  ("[\w.-]+"): (.*),$', line):
                texts[json.loads(entry[1])] = [json.loads(text) for text in re.findall(r'"(?:[^"\\]|\\.)*"', entry[2])]
    return texts


def pattern(text):
    """What a text looks like with any values of its placeholders; none for a text without words of its own."""
    if len(re.findall(r"[^\W\d_]", re.sub(r"\{\w+\}", "", text))) < 3:
        return None
    return re.compile(".+?".join(re.escape(part) for part in re.split(r"\{\w+\}", text.strip())), re.DOTALL)


def patterns(texts):
    return [made for text in texts for made in [pattern(text)] if made]


def walk_through(window, look):
    """Goes through the main screens of the page, and calls `look` with the name of each."""
    page = window.page
    window.open()
    expect(window.at("auth-form")).to_be_visible()
    look("sign up")
    window.at("auth-submit").click()
    look("sign up, with problems")
    window.at("auth-mode-login").click()
    look("log in")
    window.at("auth-mode-signup").click()
    window.sign_up("Zora")
    expect(window.at("no-groups")).to_be_visible()
    look("no group")
    window.at("invite-have").click()
    window.at("invite-open").click()
    look("no invite link")
    window.create_group("Zzz 7")
    expect(window.at("invite-qr")).to_be_visible()
    look("alone in a group")
    window.at("sharing").click()
    for mode in ("live", "approximate", "paused"):
        window.at(f"sharing-{mode}").check()
        look(f"sharing {mode}")
    window.close_dialog()
    window.at("group-switcher").click()
    look("groups")
    window.at("group-menu").click()
    window.at("group-leave").click()
    look("the rules of a group")
    window.close_dialog()
    window.at("inbox-open").click()
    look("notices")
    window.at("inbox-open").click()
    window.visit("chat")
    look("chats")
    window.open_chat()
    expect(window.at("chat-entry")).to_have_count(1)
    look("a chat")
    window.at("chat-input").fill("123")
    window.at("chat-send").click()
    entry = window.at("chat-entry").last
    expect(entry).to_contain_text("123")
    expect(entry).to_have_attribute("data-seq", re.compile(r"\d"))
    entry.focus()
    page.keyboard.press("Shift+F10")
    look("a message")
    window.at("chat-edit").click()
    look("a message that is edited")
    window.at("chat-input").fill("124")
    window.at("chat-send").click()
    expect(entry.get_by_test_id("chat-note")).not_to_have_text("")
    window.at("chat-add").click()
    look("an edited message, and what to add")
    window.at("chat-photo").click()
    look("a photo")
    window.close_dialog()
    window.at("chat-menu").click()
    look("settings of a chat")
    window.close_dialog()
    window.visit("events")
    look("events")
    window.at("event-new").click()
    look("a new event")
    window.at("event-submit").click()
    look("a new event, with problems")
    window.at("event-title").fill("456")
    window.at("event-submit").click()
    expect(window.at("pick-place")).to_be_visible()
    look("the place of an event")
    window.at("point-here").click()
    expect(window.at("event-view")).to_be_visible()
    look("an event")
    window.at("event-more").click()
    look("what to do with an event")
    page.keyboard.press("Escape")
    window.visit("events")
    window.at("events-discover").click()
    expect(window.at("events-count")).not_to_have_text("")
    look("events near")
    window.visit("plans")
    expect(window.at("plans-state")).not_to_have_text("")
    look("plans")
    window.at("plan-new").click()
    window.at("plan-suggest").click()
    look("a wish")
    window.visit("places")
    window.at("spot-add-there").click()
    window.at("point-here").click()
    window.at("spot-add").click()
    look("a new spot, with problems")
    window.at("spot-name").fill("789")
    window.at("spot-add").click()
    expect(window.page.get_by_test_id(re.compile(r"spot-callout-\d+"))).to_be_visible()
    look("a spot")
    window.at("spot-more-actions").click()
    window.at("spot-delete").click()
    look("a spot that is deleted")
    window.page.get_by_test_id(re.compile(r"spot-callout-\d+")).get_by_test_id("callout-close").click()
    look("spots")
    window.at("places-pins").click()
    look("pins")
    window.at("pin-new").click()
    window.at("pin-point").click()
    look("a new pin, with problems")
    window.close_dialog()
    window.visit("you")
    for part in ("profile-edit", "you-pictures", "you-blocked", "demo-open"):
        window.at(part).click()
    window.at("delete-account").click()
    look("you")
    window.at("share-walk").click()
    expect(window.marker("Zora")).to_be_visible()
    window.visit("people")
    look("people")
    window.row("Zora").click()
    look("a person")
    page.goto(f"{window.url}/watch.html")
    expect(window.at("watch-state")).to_have_attribute("data-state", "live")
    look("the watch")


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "320"])
def test_in_german_nothing_is_english_and_nothing_is_too_long(window, size):
    english, german = table("en"), table("de")
    assert english.keys() == german.keys() and len(english) > 800
    own = patterns(text for texts in german.values() for text in texts)
    foreign = [made for key, texts in english.items() for made in patterns(text for text in texts if text not in german[key])]
    zora = window(**{**size, "locale": "de-AT"})
    wrong = []

    def look(where):
        for shown in zora.page.evaluate(SHOWN):
            for part in {shown, *shown.split(" · ")}:
                if any(made.fullmatch(part) for made in foreign) and not any(made.fullmatch(part) for made in own):
                    wrong.append((where, "English", part))
        wrong.extend((where, "too long", each) for each in zora.page.evaluate(OVER))

    walk_through(zora, look)
    assert wrong == []
    assert zora.page.evaluate("() => [document.documentElement.lang, document.documentElement.dir]") == ["de", "ltr"]


def test_all_words_are_of_the_tables(window):
    zora = window(**PHONE)

    def marked(route):
        # Each text has a frame, so whatever has none is not of the tables.
        body = (WORDS / route.request.url.rsplit("/", 1)[1]).read_text(encoding="utf-8")
        route.fulfill(body=re.sub(r'(: (?:\{ )?|, \w+: |other: )"((?:[^"\\]|\\.)*)"', r'\1"⟦\2⟧"', body), content_type="text/javascript")

    zora.context.route(re.compile(r"/app/words/en(-short)?\.js$"), marked)
    known = re.compile(r"Zora|zora-\d+|Zzz|Muster|English|Deutsch|https?:\S+|\b[AP]M\b|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\w*", re.IGNORECASE)
    wrong = set()

    def look(where):
        for shown in zora.page.evaluate(SHOWN):
            left = shown
            while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", "", left)) != left:
                left = shorter
            if re.search(r"[^\W\d_]{2}", known.sub("", left)):
                wrong.add((where, shown))

    walk_through(zora, look)
    assert sorted(wrong) == []


def test_the_language_is_chosen_under_you_and_kept_after_a_logout(window):
    ada = window()
    ada.open().sign_up("Ada").create_group("Choir")
    ada.visit("you")
    html = ada.page.locator("html")
    expect(ada.at("locate")).to_be_visible()
    expect(html).to_have_attribute("lang", "en")
    ada.at("language").select_option("de")
    expect(html).to_have_attribute("lang", "de")
    expect(ada.at("log-out")).to_have_text("Abmelden")
    expect(ada.at("nav-people")).to_contain_text("Karte")
    expect(ada.at("locate")).to_be_visible()
    ada.at("log-out").click()
    expect(ada.at("auth-submit")).to_have_text("Anmelden")
    ada.page.reload()
    expect(ada.at("auth-submit")).to_have_text("Anmelden")
    ada.log_in(ada.username, "correct horse battery")
    ada.is_live()
    expect(ada.at("locate")).to_be_visible()
    ada.visit("you")
    ada.at("language").select_option("")
    expect(html).to_have_attribute("lang", "en")
    expect(ada.at("log-out")).to_have_text("Log out")
    expect(ada.at("locate")).to_be_visible()
