"""Chats: two windows talk over an outage, page upwards, jump to what is answered, and hear of each other's words."""

import re

from axe import finds_nothing
from playwright.sync_api import expect
from test_page import PHONE, broken_references, nameless
from window import until

#: The browser's errors for a connection to a server that is down.
#: What a browser says of a server that is gone, or that is not ready yet.
IN_VAIN = "ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|answered 503|status of 503"


def friends(window, **options):
    """Two people of one group, without a map to walk on."""
    ada, ben = window(**options), window()
    link = ada.open().sign_up("Ada").create_group("Sunday climbers")
    ben.open(link).sign_up("Ben").at("join-confirm").click()
    expect(ben.at("join-dialog")).to_have_count(0)
    return ada, ben


def say(window, text):
    window.at("chat-input").fill(text)
    window.at("chat-send").click()


def said(window, text):
    """The entry that says this."""
    return window.at("chat-entry").filter(has=window.page.get_by_test_id("chat-text").filter(has_text=re.compile(f"^{re.escape(text)}$")))


def test_two_people_talk_and_one_sees_what_is_unread(window):
    ada, ben = friends(window)
    ada.open_chat()
    expect(said(ada, "Ben joined.")).to_be_visible()
    say(ada, "Where are you?\nI am at the café")
    expect(said(ada, "Where are you?\nI am at the café")).to_be_visible()
    expect(ben.at("chats-unread")).to_have_text("1")
    ben.visit("chat")
    expect(ben.at("chat-last")).to_contain_text("Ada: Where are you?")
    expect(ben.at("chat-unread")).to_have_text("1")
    finds_nothing(ben, "the list of chats")
    ben.at("chats-search").filter(visible=True).click()
    expect(ben.at("chats-find")).to_be_focused()
    ben.at("chats-find").fill("choir")
    expect(ben.at("chats-panel")).to_contain_text("No chat has this name.")
    ben.at("chats-find").fill("climb")
    finds_nothing(ben, "a search in the chats")
    ben.page.get_by_test_id(re.compile(r"^chat-\d+$")).click()
    expect(ben.at("chat-new").filter(visible=True)).to_have_count(1)
    expect(ben.at("chats-unread")).to_be_hidden()
    ben.at("chat-input").press_sequentially("On my way")
    expect(ada.at("chat-typing")).to_have_text("Ben is writing…")
    ben.at("chat-input").press("Enter")
    reply = said(ada, "On my way")
    expect(reply).to_contain_text("Ben")
    expect(ada.page.locator("#murmur")).to_have_text("Ben: On my way")
    ada.act(reply, "chat-reply")
    expect(ada.at("chat-about")).to_contain_text("Reply to Ben")
    say(ada, "Good")
    expect(said(ben, "Good").get_by_test_id("chat-answered")).to_contain_text("You: On my way")
    own = said(ada, "Good")
    ada.act(own, "chat-edit")
    say(ada, "Very good")
    expect(said(ben, "Very good").get_by_test_id("chat-note")).to_have_text("edited")
    ada.act(said(ada, "Very good"), "chat-delete")
    expect(said(ben, "This message was deleted.")).to_be_visible()
    for each in (ada, ben):
        assert nameless(each) == []
        assert broken_references(each) == []
        finds_nothing(each, "a chat")


def test_what_is_said_while_the_link_or_the_server_is_gone_is_sent_once_when_it_is_back(window, server):
    ada, ben = friends(window)
    for each in (ada, ben):
        each.open_chat()
    say(ada, "First")
    expect(said(ben, "First")).to_be_visible()
    ada.context.set_offline(True)
    for text in ("One", "Two", "Three"):
        say(ada, text)
        expect(said(ada, text).get_by_test_id("chat-note")).to_have_text("Sends when you are back")
    say(ben, "Meanwhile")
    ada.context.set_offline(False)
    for each in (ada, ben):
        for text in ("Meanwhile", "One", "Two", "Three"):
            expect(said(each, text)).to_have_count(1, timeout=30_000)
        expect(each.at("chat-note").filter(has_text=re.compile("Send"))).to_have_count(0)
        texts = [text for text in each.at("chat-text").all_inner_texts() if text in ("One", "Two", "Three")]
        assert texts == ["One", "Two", "Three"]
    ada.complaints = [complaint for complaint in ada.complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]

    say(ada, "Before")
    expect(said(ben, "Before")).to_be_visible()
    # A message is in flight when the server dies. It appears exactly once, whether or not it was stored.
    say(ada, "On its way")
    server.kill()
    for each in (ada, ben):
        expect(each.at("connection")).to_have_attribute("data-state", "reconnecting")
    ada.context.set_offline(True)
    for text in ("Four", "Five", "Six"):
        say(ada, text)
        expect(said(ada, text).get_by_test_id("chat-note")).to_have_text("Sends when you are back")
    say(ben, "Is it gone?")
    ben.awaits_complaint(IN_VAIN)
    server.start()
    ben.is_live(timeout=60_000)
    expect(said(ben, "Is it gone?").get_by_test_id("chat-note")).to_have_text("", timeout=30_000)
    ada.context.set_offline(False)
    ada.is_live(timeout=60_000)
    say(ben, "After")
    spoken = ("Before", "On its way", "Four", "Five", "Six", "Is it gone?", "After")
    for each in (ada, ben):
        for text in spoken:
            expect(said(each, text)).to_have_count(1, timeout=30_000)
        expect(each.at("chat-note").filter(has_text=re.compile("Send"))).to_have_count(0)
        each.complaints = [complaint for complaint in each.complaints if not re.search(f"{IN_VAIN}|ERR_INTERNET_DISCONNECTED", complaint)]
    orders = [[text for text in each.at("chat-text").all_inner_texts() if text in spoken] for each in (ada, ben)]
    assert orders[0] == orders[1]
    assert [text for text in orders[0] if text in ("Four", "Five", "Six")] == ["Four", "Five", "Six"]
    # After a reload the page shows the server's messages in the server's order.
    ada.page.reload()
    expect(said(ada, "After")).to_be_visible()
    assert [text for text in ada.at("chat-text").all_inner_texts() if text in spoken] == orders[0]


def test_pages_come_upwards_without_a_jump_an_answer_leads_back_and_another_room_opens_meanwhile(window, server):
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
    ada.open_chat()
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

    # A room opens while an older page of another is read.
    ada.at("chat-back").click()
    ada.visit("people")
    ada.in_groups("group-new")
    dialog = ada.at("new-group-dialog")
    dialog.get_by_test_id("group-name").fill("Choir")
    dialog.get_by_test_id("group-create").click()
    expect(ada.at("group-switcher")).to_contain_text("Choir")
    ada.open_chat()
    say(ada, "Do re mi")
    expect(said(ada, "Do re mi")).to_be_visible()
    # The request for the older page is held back, so that it stays pending.
    ada.page.add_init_script("""
        const { send } = WebSocket.prototype;
        window.kept = [];
        WebSocket.prototype.send = function (text) {
          if (JSON.parse(text).before === undefined) send.call(this, text);
          else kept.push(() => send.call(this, text));
        };""")
    ada.page.reload()
    ada.visit("people")
    ada.visit("chat")
    ada.at(f"chat-{room}").click()
    expect(said(ada, "Number 120")).to_be_visible()
    ada.at("chat-log").evaluate("(log) => (log.scrollTop = 0)")
    ada.page.wait_for_function("() => kept.length === 1")
    ada.at("chat-back").click()
    ada.page.get_by_test_id(re.compile(r"^chat-\d+$")).filter(has_text="Choir").click()
    expect(said(ada, "Do re mi")).to_be_visible()
    expect(ada.at("chat-state")).to_have_text("")
    # The late answer arrives and does not change the view.
    ada.page.evaluate("kept.forEach((send) => send())")
    ada.at("chat-back").click()
    ada.at(f"chat-{room}").click()
    expect(ada.at("chat-entry")).to_have_count(100)


#: Whether the user has read all messages from others except blocked users.
READ = """
    SELECT b.read_seq >= (SELECT max(m.seq) FROM muster.message m WHERE m.room_id = b.room_id AND m.text = 'I leave')
    FROM muster.room_member b JOIN muster.account a ON a.id = b.user_id WHERE a.username = :'name';"""


def test_words_of_who_is_blocked_are_neither_heard_nor_quoted_nor_the_last_line(window, server):
    ada, ben = friends(window)
    cleo = window()
    ada.at("group-invite").click()
    link = ada.make_invite()
    ada.close_dialog()
    cleo.open(link).sign_up("Cleo").at("join-confirm").click()
    # On the map a person is blocked and unblocked, too.
    ben.follow_gps(48.2082, 16.3738)
    ada.row("Ben").click()
    ada.at("callout-more").click()
    ada.at("callout-block").click()
    ada.at("block-confirm").click()
    expect(ada.page.locator("dialog")).to_have_count(0)
    ada.at("callout-more").click()
    expect(ada.at("callout-block")).to_have_text("Unblock")
    ada.at("callout-block").click()
    expect(ada.at("toasts")).to_contain_text("Ben is not blocked any more.")
    ada.at("callout-more").click()
    expect(ada.at("callout-block")).to_have_text("Block…")
    ada.page.keyboard.press("Escape")
    ada.visit("you")
    expect(ada.at("blocked-state")).to_have_text("You block nobody.")
    ada.visit("people")
    for each in (ada, ben, cleo):
        each.open_chat()
    say(ben, "Insult")
    ada.act(said(ada, "Insult"), "chat-block")
    ada.at("block-confirm").click()
    expect(said(ada, "Insult")).to_have_count(0)
    cleo.act(said(cleo, "Insult"), "chat-reply")
    say(cleo, "Stop it")
    expect(said(ada, "Stop it").get_by_test_id("chat-answered")).to_have_text("A hidden message")
    expect(ada.page.locator("#murmur")).to_have_text("Cleo: Stop it")
    say(ben, "More of it")
    expect(said(cleo, "More of it")).to_be_visible()
    say(cleo, "I leave")
    expect(said(ada, "I leave")).to_be_visible()
    expect(ada.page.locator("#murmur")).to_have_text("Cleo: I leave")
    say(ben, "Last word")
    expect(said(cleo, "Last word")).to_be_visible()
    ada.at("chat-back").click()
    expect(ada.at("chat-last")).to_have_text("Cleo: I leave")
    # The read position is sent at most once a second.
    until(ada.page, lambda: server.sql(READ, name=ada.username) == [("t",)], "the server does not know what was read")
    ada.page.reload()
    expect(ada.at("chat-last")).not_to_have_text("")
    expect(ada.at("chat-last")).not_to_contain_text("Last word")
    expect(ada.at("chat-unread")).to_be_hidden()


def test_the_owner_slows_a_chat_down_and_others_are_told(window):
    ada, ben = friends(window, **PHONE)
    ada.open_chat()
    ada.at("chat-menu").click()
    expect(ada.at("chat-slow")).to_have_value("0")
    assert nameless(ada) == []
    assert broken_references(ada) == []
    finds_nothing(ada, "what one chooses about a chat")
    ada.at("chat-slow").select_option("30")
    expect(ada.at("toasts")).to_contain_text("Saved.")
    ada.at("chat-mute").select_option("mentions")
    ada.close_dialog()
    expect(ada.at("chat-slowness")).to_have_text("Slow mode: one message in 30 s.")
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finds_nothing(ada, "a slow chat on a phone")
    ben.page.reload()
    ben.open_chat()
    expect(ben.at("chat-slowness")).to_have_text("Slow mode: one message in 30 s.")
    ben.at("chat-menu").click()
    expect(ben.at("chat-mute")).to_have_value("none")
    expect(ben.at("chat-slow")).to_have_count(0)
    ben.close_dialog()
    say(ben, "One")
    expect(said(ben, "One").get_by_test_id("chat-note")).to_have_text("")
    say(ben, "Two")
    expect(said(ben, "Two").get_by_test_id("chat-note")).to_have_text("Sending…")
    ada.at("chat-menu").click()
    expect(ada.at("chat-mute")).to_have_value("mentions")
    ada.at("chat-slow").select_option("0")
    ada.close_dialog()
    expect(ada.at("chat-slowness")).to_be_hidden()
    # It is sent after the slow-mode interval.
    expect(said(ada, "Two")).to_be_visible(timeout=40_000)
    expect(said(ada, "One")).to_have_count(1)
