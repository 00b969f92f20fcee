"""Chats of events: guests talk beside the event, badges and notices lead there; people are blocked and unblocked."""

import re

import pytest
from axe import finds_nothing
from playwright.sync_api import expect
from test_events import choose, make
from test_page import PHONE, broken_references, nameless


@pytest.fixture
def two(window, request, server):
    """Two people who share no group; Ada hosts the only event, and Ben looks at it."""
    server.sql("DELETE FROM muster.event;")
    ada, ben = window(**getattr(request, "param", {})), window(**getattr(request, "param", {}))
    for each, name in ((ada, "Ada"), (ben, "Ben")):
        each.open().sign_up(name)
        each.create_group(f"The friends of {name}")
    ada.visit("events")
    make(ada, "Climbing at six")
    ben.page.goto(ben.url + f"/#/events/{event_id(server)}")
    expect(ben.at("event-view")).to_contain_text("Climbing at six")
    return ada, ben


def event_id(server):
    return server.sql("SELECT max(id) FROM muster.event;")[0][0]


def chat(window):
    """The conversation that is seen."""
    return window.at("conversation").filter(visible=True)


def say(window, text):
    box = chat(window).get_by_test_id("chat-input")
    box.fill(text)
    chat(window).get_by_test_id("chat-send").click()


def said(window, text):
    """The entry that says this."""
    return chat(window).get_by_test_id("chat-entry").filter(has=window.page.get_by_test_id("chat-text").filter(has_text=re.compile(f"^{re.escape(text)}$")))


def test_guests_talk_beside_the_event_and_are_led_there_in_a_group_or_in_none(two, window, server):
    ada, ben = two
    ada.at("event-chat").click()
    say(ada, "Who brings a rope?")
    expect(said(ada, "Who brings a rope?")).to_be_visible()
    expect(ben.at("event-chat")).to_be_hidden()
    ben.at("rsvp-maybe").check()
    # A guest can read earlier messages.
    ben.at("event-chat").click()
    expect(said(ben, "Who brings a rope?")).to_be_visible()
    finds_nothing(ben, "an event with its chat")

    # Ada views another page: badges count, and the notice leads back.
    ada.at("chat-close").click()
    ada.visit("people")
    say(ben, "I do, @Ada")
    expect(ada.at("chats-unread")).to_have_text("1")
    notice = ada.at("notice").filter(has_text="mentions you")
    expect(notice).to_contain_text("Ben mentions you in Climbing at six")
    finds_nothing(ada, "a mention in an event")
    ada.visit("chat")
    row = ada.at(f"chat-{event_id(server)}")
    expect(row).to_contain_text("Climbing at six")
    expect(row.get_by_test_id("chat-kind")).to_have_text("event")
    expect(row.get_by_test_id("chat-last")).to_have_text("Ben: I do, @Ada")
    expect(row.get_by_test_id("chat-unread")).to_have_text("@ 1")
    finds_nothing(ada, "the list of chats with an event's")
    notice.get_by_test_id("notice-open").click()
    expect(said(ada, "I do, @Ada")).to_be_in_viewport()
    expect(ada.at("chats-unread")).to_be_hidden()
    ada.visit("chat")
    ada.at(f"chat-{event_id(server)}").click()
    expect(said(ada, "I do, @Ada")).to_be_visible()
    chat(ada).get_by_test_id("chat-input").press_sequentially("Fine, I bring another", delay=200)
    expect(chat(ben).get_by_test_id("chat-typing")).to_have_text("Ada is writing…")
    chat(ada).get_by_test_id("chat-input").press("Enter")
    expect(said(ben, "Fine, I bring another")).to_be_visible()

    # The host may delete messages of others. Changes of the event are posted, and the chat has the event's name.
    ada.act(said(ada, "I do, @Ada"), "chat-delete")
    expect(said(ben, "This message was deleted.")).to_be_visible()
    ada.at("chat-event").click()
    choose(ada, "event-more", "event-edit")
    ada.at("event-title").fill("Bouldering")
    ada.at("event-submit").click()
    expect(said(ben, "Bouldering has another name.")).to_be_visible()
    ada.visit("chat")
    expect(ada.at(f"chat-{event_id(server)}")).to_contain_text("Bouldering")

    # A user who declines has no chat, neither on the event page nor in the list.
    ben.at("rsvp-no").check()
    expect(ben.at("event-chat")).to_be_hidden()
    ben.visit("chat")
    expect(ben.at(f"chat-{event_id(server)}")).to_have_count(0)
    for each in two:
        assert nameless(each) == []
        assert broken_references(each) == []

    # Who is in no group has chats of events all the same.
    cy = window()
    cy.open(f"/#/events/{event_id(server)}").sign_up("Cy")
    cy.page.goto(cy.url + f"/#/events/{event_id(server)}")
    cy.at("rsvp-yes").check()
    cy.at("event-chat").click()
    ada.at(f"chat-{event_id(server)}").click()
    say(ada, "Welcome")
    expect(said(cy, "Welcome")).to_be_visible()
    cy.visit("people")
    expect(cy.at("no-groups")).to_be_visible()
    finds_nothing(cy, "no group, and chats")
    cy.visit("chat")
    cy.at(f"chat-{event_id(server)}").click()
    expect(said(cy, "Welcome")).to_be_visible()


@pytest.mark.parametrize("two", [PHONE], indirect=True)
def test_on_a_phone_people_are_blocked_from_message_and_guest_list_and_unblocked(two):
    ada, ben = two
    ben.at("rsvp-yes").check()
    for each in two:
        each.at("event-chat").click()
    say(ben, "Hello Ada")
    expect(said(ada, "Hello Ada")).to_be_visible()
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finds_nothing(ada, "an event with its chat on a phone")
    ada.act(said(ada, "Hello Ada"), "chat-block")
    finds_nothing(ada, "the question whether to block")
    ada.at("block-confirm").click()
    expect(said(ada, "Hello Ada")).to_have_count(0)
    say(ben, "Are you there, @Ada?")
    expect(said(ben, "Are you there, @Ada?").get_by_test_id("chat-note")).to_have_text("")
    ada.visit("you")
    expect(ada.at("blocked")).to_contain_text("Ben")
    finds_nothing(ada, "the blocked people on a phone")
    # The block survives a reload, and a blocked user's message causes no notice.
    ada.page.reload()
    ada.is_live()
    expect(ada.at("blocked")).to_contain_text("Ben")
    expect(ada.at("notice")).to_have_count(0)
    ada.at("you-blocked").click()
    ada.at("unblock").click()
    expect(ada.at("blocked-state")).to_have_text("You block nobody.")
    finds_nothing(ada, "nobody blocked")
    ada.visit("events")
    ada.at("events-mine").click()
    ada.at("my-event").get_by_role("button").click()
    ada.at("event-chat").click()
    expect(said(ada, "Are you there, @Ada?")).to_be_visible()
    ada.at("chat-event").click()
    ada.at("guest-more").click()
    finds_nothing(ada, "the actions of a guest")
    ada.at("guest-block").click()
    ada.at("block-confirm").click()
    ada.at("guest-more").click()
    expect(ada.at("guest-block")).to_have_text("Unblock Ben")
    ada.page.keyboard.press("Escape")
    expect(ada.at("guest-more")).to_be_focused()
    ada.at("event-chat").click()
    expect(said(ada, "Are you there, @Ada?")).to_have_count(0)
    ada.at("chat-event").click()
    choose(ada, "guest-more", "guest-block")
    # The answer draws the guests anew, and would close a menu.
    expect(ada.at("toasts")).to_contain_text("Ben is not blocked any more.")
    # A message to a guest begins in the chat, with their name.
    choose(ada, "guest-more", "guest-message")
    expect(ada.at("chat-input")).to_have_value("@Ben ")
    expect(said(ada, "Hello Ada")).to_be_visible()


def test_what_is_said_first_is_seen_at_once_new_names_follow_and_many_guests_are_paged(two, server):
    ada, ben = two
    ben.at("rsvp-yes").check()
    for each in two:
        each.at("event-chat").click()
        expect(chat(each).get_by_test_id("chat-state")).to_have_text("Nobody has written yet. Say hello.")
    say(ada, "First")
    for each in two:
        expect(said(each, "First")).to_be_visible()
        expect(chat(each).get_by_test_id("chat-state")).to_have_text("")
    expect(ben.at("chats-unread")).to_be_hidden()
    say(ben, "Hello")
    say(ada, "Welcome")
    expect(said(ada, "Hello")).to_contain_text("Ben")
    expect(ada.at("event-guests")).to_contain_text("Ben")
    expect(said(ben, "Welcome")).to_contain_text("Ada")
    server.sql("UPDATE muster.account SET name = 'Benjamin' WHERE name = 'Ben';")
    server.sql("UPDATE muster.account SET name = 'Adele' WHERE name = 'Ada';")
    expect(said(ada, "Hello")).to_contain_text("Benjamin")
    expect(ada.at("event-guests")).to_contain_text("Benjamin")
    expect(said(ben, "Welcome")).to_contain_text("Adele")

    # Many guests come in pages.
    server.sql(
        """INSERT INTO muster.account (id, username, password_hash, name, created_at)
        SELECT 7000000 + n, 'guest-' || n, 'x', 'G' || lpad(n::text, 3, '0'), now() FROM generate_series(1, 130) n;
        INSERT INTO muster.event_guest (event_id, user_id, rsvp, asked_at)
        SELECT (SELECT max(id) FROM muster.event), 7000000 + n, 'maybe', date_trunc('milliseconds', now()) + n * interval '1 ms' FROM generate_series(1, 130) n;
        UPDATE muster.event SET revision = revision + 1;"""
    )
    expect(ada.at("event-coming")).to_contain_text("130 maybe")
    expect(ada.at("guest")).to_have_count(100)
    expect(ada.at("event-guests")).to_have_attribute("aria-label", "The first 100 guests")
    ada.at("guests-more").click()
    expect(ada.at("guest")).to_have_count(131)
    expect(ada.at("guest").nth(100)).to_be_focused()
    expect(ada.at("guests-more")).to_be_hidden()
    expect(ada.at("event-guests")).to_have_attribute("aria-label", "131 guests")
    finds_nothing(ada, "many guests")
    # Another guest answers: the scroll position of the list is kept.
    server.sql("UPDATE muster.event_guest SET rsvp = 'yes' WHERE user_id = 7000001; UPDATE muster.event SET revision = revision + 1;")
    expect(ada.at("event-coming")).to_contain_text("2 going")
    expect(ada.at("guest")).to_have_count(131)
