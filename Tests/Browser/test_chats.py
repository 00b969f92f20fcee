"""Chats: two windows talk over an outage, page upwards, jump to what is answered, and hear of each other's words."""

import re

from axe import finds_nothing
from playwright.sync_api import expect
from test_page import PHONE, broken_references, nameless


def friends(window, **options):
    """Two people of one group, without a map to walk on."""
    ada, ben = window(**options), window()
    link = ada.open().sign_up("Ada").create_group("Sunday climbers")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    expect(ben.at("chat-open")).to_be_visible()
    return ada, ben


def say(window, text):
    window.at("chat-input").fill(text)
    window.at("chat-input").press("Enter")


def said(window, text):
    """The entry that says this."""
    return window.at("chat-entry").filter(has=window.page.get_by_text(text, exact=True))


def test_two_people_talk_and_one_sees_what_is_unread(window):
    ada, ben = friends(window)
    ada.at("chat-open").click()
    expect(said(ada, "Ben joined.")).to_be_visible()
    say(ada, "Where are you?\nI am at the café")
    expect(said(ada, "Where are you?\nI am at the café")).to_be_visible()
    expect(ben.at("chats-unread")).to_have_text("1")
    ben.at("chats-open").click()
    expect(ben.at("chat-last")).to_contain_text("Ada: Where are you?")
    expect(ben.at("chat-unread")).to_have_text("1")
    finds_nothing(ben, "the list of chats")
    ben.page.get_by_test_id(re.compile(r"^chat-\d+$")).click()
    expect(ben.at("chat-new").filter(visible=True)).to_have_count(1)
    expect(ben.at("chats-unread")).to_be_hidden()
    ben.at("chat-input").press_sequentially("On my way")
    expect(ada.at("chat-typing")).to_have_text("Ben is writing…")
    ben.at("chat-input").press("Enter")
    reply = said(ada, "On my way")
    expect(reply).to_contain_text("Ben")
    expect(ada.page.locator("#murmur")).to_have_text("Ben: On my way")
    reply.get_by_test_id("chat-reply").click()
    expect(ada.at("chat-about")).to_contain_text("Answering Ben")
    say(ada, "Good")
    expect(said(ben, "Good").get_by_test_id("chat-answered")).to_contain_text("You: On my way")
    own = said(ada, "Good")
    own.get_by_test_id("chat-edit").click()
    say(ada, "Very good")
    expect(said(ben, "Very good").get_by_test_id("chat-note")).to_have_text("edited")
    said(ada, "Very good").get_by_test_id("chat-delete").click()
    expect(said(ben, "This message was deleted.")).to_be_visible()
    for each in (ada, ben):
        assert nameless(each) == []
        assert broken_references(each) == []
        finds_nothing(each, "a chat")


def test_what_is_said_while_the_link_is_gone_is_sent_once_when_it_is_back(window, server):
    ada, ben = friends(window)
    for each in (ada, ben):
        each.at("chat-open").click()
    say(ada, "First")
    expect(said(ben, "First")).to_be_visible()
    ada.context.set_offline(True)
    for text in ("One", "Two", "Three"):
        say(ada, text)
        expect(said(ada, text).get_by_test_id("chat-note")).to_have_text("Sending…")
    say(ben, "Meanwhile")
    ada.context.set_offline(False)
    for each in (ada, ben):
        for text in ("Meanwhile", "One", "Two", "Three"):
            expect(said(each, text)).to_have_count(1, timeout=30_000)
        expect(each.at("chat-note").filter(has_text="Sending…")).to_have_count(0)
        texts = [text for text in each.at("chat-text").all_inner_texts() if text in ("One", "Two", "Three")]
        assert texts == ["One", "Two", "Three"]
    ada.complaints = [complaint for complaint in ada.complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]


def test_pages_come_upwards_without_a_jump_and_an_answer_leads_back(window, server):
    ada, ben = friends(window, **PHONE)
    room = server.sql("SELECT max(id) FROM muster.grp;")[0][0]
    server.sql(
        f"""WITH r AS (UPDATE muster.room SET last_seq = last_seq + 120, version = version + 120 WHERE id = {room} RETURNING *)
        INSERT INTO muster.message (room_id, seq, version, key, kind, author_id, at, text, reply_to)
        SELECT r.id, r.last_seq - 120 + n, r.version - 120 + n, 'old' || n, 'text', m.user_id, now(), 'Number ' || n,
            CASE WHEN n = 120 THEN r.last_seq - 119 END
        FROM r, generate_series(1, 120) n, muster.membership m WHERE m.group_id = r.id AND m.role = 'owner';"""
    )
    ada.page.reload()
    ada.at("chat-open").click()
    log = ada.at("chat-log")
    expect(said(ada, "Number 120")).to_be_visible()
    expect(ada.at("chat-entry")).to_have_count(50)
    first = said(ada, "Number 71")
    log.evaluate("(log) => (log.scrollTop = 0)")
    expect(ada.at("chat-entry")).to_have_count(100)
    box = log.bounding_box()
    shown = first.bounding_box()
    assert box["y"] - 5 <= shown["y"] <= box["y"] + box["height"], "the reader's place has jumped"
    said(ada, "Number 120").get_by_test_id("chat-answered").click()
    expect(said(ada, "Number 1")).to_be_focused()
    finds_nothing(ada, "a chat on a phone")
