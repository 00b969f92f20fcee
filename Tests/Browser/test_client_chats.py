"""The client module keeps rooms as the server has them: against a server that the test plays, frame by frame, and in
random interleavings against a naive log."""

from pathlib import Path

import pytest
from test_client import PlayedServer, origin, page, run, wait_until  # noqa: F401

MODEL = Path(__file__).resolve().parent / "chat_model.js"


def message(seq, version=None, **fields):
    return {"seq": seq, "version": version or seq, "key": f"k{seq}", "kind": "text", "from": {"id": "8", "name": "Ben"}, "at": 1, "text": f"Number {seq}",
            "photo": None, "replyTo": None, "mentions": [], "editedAt": None, "deleted": False, **fields}


def deleted(seq, version, by="8"):
    return {"seq": seq, "version": version, "from": {"id": by, "name": "Ben"}, "at": 1, "deleted": True}


def status(room="81", version=10, seq=10, **fields):
    return {"room": room, "epoch": "e1", "version": version, "seq": seq, "first": 1, "read": seq, "unread": 0, "mentions": 0, "muted": "none", "slow": 0, "last": None, **fields}


def chat(after, *messages, up_to=None, room="81", epoch="e1"):
    return {"type": "chat", "room": room, "epoch": epoch, "after": after, "upTo": up_to or max(each["version"] for each in messages), "messages": list(messages)}


@pytest.fixture
def server(page):  # noqa: F811
    """A server that the test plays, to which a client that wants rooms is connected."""
    played = PlayedServer(page)
    run(page, """
        window.client = new M.Client({ url: location.origin, token: "t", device: { key: "web-1", kind: "browser" }, storage: sessionStorage, random: () => 0.01, rooms: true });
        window.room = (id = "81") => client.rooms.all.get(id);
        client.start();""")
    played.wait_for("hello")
    wait_until(page, "client.status.state === 'live'")
    return played


def begin(page, server, **fields):  # noqa: F811
    """A room of ten messages, of which the last five are held."""
    server.say({"type": "rooms", "rooms": [status(**fields)]})
    wait_until(page, "room()?.seq === 10")
    page.evaluate("() => void client.rooms.open('81')")
    answer(server, "chat.history", messages=[message(seq) for seq in range(6, 11)], more=True, epoch="e1", version=10)
    wait_until(page, "room().isHeld")


def answer(server, kind, count=1, **fields):
    asked = server.wait_for(kind, count)
    server.say({"type": "ok", "id": asked["id"], **fields})
    return asked


def log(page):  # noqa: F811
    return page.evaluate("room().log.map(({ seq, version }) => [seq, version])")


def reconnect(page, server):  # noqa: F811
    hellos = len(server.sent("hello"))
    server.sockets[-1].close(code=1012)
    hello = server.wait_for("hello", hellos + 1)
    wait_until(page, "client.status.state === 'live'")
    return hello


def test_pushes_are_put_dropped_and_filled(page, server):  # noqa: F811
    begin(page, server)
    server.say(chat(10, message(11)))
    # Duplicates and older versions are ignored. A message below the cached range is ignored, but its version counts as
    # received.
    server.say(chat(9, message(10, 9, text="Old"), up_to=11))
    server.say(chat(11, message(3, 12, text="Edited", editedAt=2)))
    wait_until(page, "room().version === 12")
    assert log(page) == [[6, 6], [7, 7], [8, 8], [9, 9], [10, 10], [11, 11]]
    # A gap: one request at a time, up to the highest announced version.
    server.say(chat(20, message(15, 21)))
    server.say({"type": "chat_gap", "room": "81", "epoch": "e1", "upTo": 30})
    asked = server.wait_for("chat.changes")
    assert (asked["after"], asked["epoch"]) == (12, "e1")
    page.wait_for_timeout(200)
    assert len(server.sent("chat.changes")) == 1
    answer(server, "chat.changes", messages=[message(12, 13), message(15, 21)], upTo=21, more=True)
    assert server.wait_for("chat.changes", 2)["after"] == 21
    answer(server, "chat.changes", 2, messages=[message(13, 29), message(14, 30)], upTo=30, more=False)
    wait_until(page, "room().version === 30")
    assert [seq for seq, _ in log(page)] == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    # A new epoch clears the room; its version starts at that of the first push.
    server.say(chat(40, message(16, 41), epoch="e2"))
    wait_until(page, "room().epoch === 'e2' && room().version === 41")
    assert log(page) == [] and not page.evaluate("room().isHeld")
    assert page.evaluate("client.rooms.resume['81']") == {"epoch": "e2", "version": 41, "read": 10}


@pytest.mark.parametrize("how", ["push", "ok"])
def test_what_one_says_is_settled_by_push_or_answer(page, server, how):  # noqa: F811
    begin(page, server)
    key = page.evaluate("client.rooms.say('81', { text: 'Mine' })")
    asked = server.wait_for("chat.send")
    assert asked["key"] == key
    own = message(11, key=key, **{"from": {"id": "7", "name": "Ada"}})
    if how == "push":
        server.say(chat(10, own))
    else:
        server.say({"type": "ok", "id": asked["id"], "message": own, "repeated": False})
    wait_until(page, "room().pending.length === 0")
    assert log(page)[-1] == [11, 11]


def test_what_was_deleted_before_its_answer_came_is_not_sent_for_ever(page, server):  # noqa: F811
    begin(page, server)
    key = page.evaluate("client.rooms.say('81', { text: 'Mine' })")
    server.wait_for("chat.send")
    reconnect(page, server)
    asked = server.wait_for("chat.send", 2)
    assert asked["key"] == key
    server.say({"type": "ok", "id": asked["id"], "message": deleted(11, 12, by="7"), "repeated": True})
    wait_until(page, "room().pending.length === 0")
    page.wait_for_timeout(200)
    assert len(server.sent("chat.send")) == 2
    assert page.evaluate("room().last.seq") == 10


def test_an_answer_below_what_is_held_makes_no_hole(page, server):  # noqa: F811
    begin(page, server)
    page.evaluate("client.rooms.say('81', { text: 'Mine' })")
    asked = server.wait_for("chat.send")
    server.say({"type": "ok", "id": asked["id"], "message": message(2, key=asked["key"], **{"from": {"id": "7", "name": "Ada"}}), "repeated": True})
    wait_until(page, "room().pending.length === 0")
    assert log(page)[0][0] == 6 and page.evaluate("room().hasOlder")


def test_what_was_missed_is_unread_once_and_what_is_deleted_is_not(page, server):  # noqa: F811
    server.say({"type": "rooms", "rooms": [status(unread=0)]})
    wait_until(page, "room()?.seq === 10")
    server.say(chat(10, message(11, mentions=["7"])))
    wait_until(page, "room().unread === 1 && room().mentions === 1")
    assert reconnect(page, server)["resume"]["rooms"]["81"]["version"] == 11
    server.say({"type": "rooms", "rooms": [status(version=14, seq=13, read=10, unread=3, mentions=1)]})
    server.say(chat(11, message(12), message(13), up_to=14))
    # A message that was edited before it arrived is unread too.
    server.say(chat(14, message(14, 16, editedAt=2), up_to=16))
    wait_until(page, "room().version === 16")
    assert page.evaluate("[room().unread, room().mentions]") == [4, 1]
    # An unread message that is deleted is subtracted once, whether the server counted it or it was pushed.
    server.say(chat(16, deleted(12, 17)))
    server.say(chat(16, deleted(12, 17), deleted(14, 18)))
    # The user's own messages and those of blocked users do not count.
    page.evaluate("client.rooms.setBlocked('9', true)")
    server.say(chat(18, message(15, 19, **{"from": {"id": "7", "name": "Ada"}}), message(16, 20, **{"from": {"id": "9", "name": "Cy"}})))
    wait_until(page, "room().version === 20")
    assert page.evaluate("[room().unread, room().mentions]") == [2, 1]
    page.evaluate("client.rooms.setBlocked('9', false)")
    assert page.evaluate("room().unread") == 3
    server.say({"type": "chat_read", "room": "81", "seq": 13, "unread": 1, "mentions": 0})
    wait_until(page, "room().read === 13")
    assert page.evaluate("[room().unread, room().mentions]") == [1, 0]


def test_how_far_one_has_read_is_told_until_the_server_has_it_and_not_too_often(page, server):  # noqa: F811
    server.say({"type": "rooms", "rooms": [status(version=20, seq=20, read=10, unread=10)]})
    wait_until(page, "room()?.seq === 20")
    page.evaluate("() => { for (const seq of [11, 12, 13]) client.rooms.markRead('81', seq); }")
    assert answer(server, "chat.read", unread=9)["seq"] == 11
    page.wait_for_timeout(300)
    assert len(server.sent("chat.read")) == 1
    assert server.wait_for("chat.read", 2)["seq"] == 13
    # The answer is lost; after the reconnect the server sends its read position.
    reconnect(page, server)
    server.say({"type": "rooms", "rooms": [status(version=20, seq=20, read=11, unread=9)]})
    wait_until(page, "room().readThere === 11")
    assert page.evaluate("[room().read, room().unread]") == [13, 7]
    assert answer(server, "chat.read", 3, unread=7)["seq"] == 13
    wait_until(page, "room().readThere === 13 && room().unread === 7")
    # If the server already has the read position, it is not sent again.
    page.wait_for_timeout(1200)
    assert len(server.sent("chat.read")) == 3


def test_what_changes_while_an_older_page_is_read_is_not_undone_by_it(page, server):  # noqa: F811
    begin(page, server)
    page.evaluate("() => void client.rooms.older('81')")
    server.wait_for("chat.history", 2)
    server.say(chat(10, deleted(3, 11), message(4, 12, text="Edited", editedAt=2)))
    wait_until(page, "room().version === 12")
    assert log(page)[0][0] == 6, "nothing stands before the page"
    answer(server, "chat.history", 2, messages=[message(seq) for seq in range(2, 6)], more=True, epoch="e1", version=10)
    wait_until(page, "room().oldest === 2")
    assert log(page)[:4] == [[2, 2], [3, 11], [4, 12], [5, 5]]


def test_a_slow_room_delays_no_other(page, server):  # noqa: F811
    server.say({"type": "rooms", "rooms": [status(), status(room="82")]})
    wait_until(page, "room('82') !== undefined")
    page.evaluate("() => { client.rooms.say('82', { text: 'Soon' }); client.rooms.say('81', { text: 'Late' }); }")
    for each in (server.wait_for("chat.send", 1), server.wait_for("chat.send", 2)):
        code, after = ("unavailable", 300) if each["room"] == "82" else ("rate_limited", 3_000_000)
        server.say({"type": "error", "id": each["id"], "code": code, "message": "later", "retry": True, "retryAfter": after})
    assert server.wait_for("chat.send", 3)["room"] == "82"
    # A further message in slow mode is not sent before the interval is over.
    page.evaluate("() => { client.rooms.say('81', { text: 'More' }); }")
    page.wait_for_timeout(300)
    assert len(server.sent("chat.send")) == 3


def test_a_message_that_is_refused_or_never_answered_does_not_hold_back_the_next(page, server):  # noqa: F811
    begin(page, server)
    states = "room().pending.map(({ text, state, error }) => [text, state, error?.code ?? null])"
    page.clock.install()
    page.evaluate("() => { for (const text of ['Refused', 'Silent', 'Next']) client.rooms.say('81', { text }); }")
    refused = server.wait_for("chat.send", 1)
    server.say({"type": "error", "id": refused["id"], "code": "bad_request", "message": "text must be shorter.", "retry": False, "field": "text"})
    silent = server.wait_for("chat.send", 2)
    assert silent["text"] == "Silent"
    page.clock.fast_forward(16_000)
    sent = server.wait_for("chat.send", 3)
    assert sent["text"] == "Next"
    server.say({"type": "ok", "id": sent["id"], "message": message(11, key=sent["key"], **{"from": {"id": "7", "name": "Ada"}}), "repeated": False})
    wait_until(page, "room().pending.length === 2")
    assert page.evaluate(states) == [["Refused", "failed", "bad_request"], ["Silent", "failed", "timeout"]]
    # Each message can be sent again with the same key. A message that may have been lost with its connection is sent
    # again on the next one.
    page.evaluate("client.rooms.sayAgain('81', room().pending[0].key)")
    assert server.wait_for("chat.send", 4)["key"] == refused["key"]
    reconnect(page, server)
    again = [server.wait_for("chat.send", 5)]
    server.say({"type": "ok", "id": again[0]["id"], "message": message(12, key=again[0]["key"], **{"from": {"id": "7", "name": "Ada"}}), "repeated": False})
    again.append(server.wait_for("chat.send", 6))
    assert [each["key"] for each in again] == [refused["key"], silent["key"]]


def test_the_last_line_is_of_nobody_whom_one_blocks(page, server):  # noqa: F811
    cy = {"from": {"id": "9", "name": "Cy"}}
    page.evaluate("client.rooms.blocked.add('9')")
    server.say({"type": "rooms", "rooms": [status(last=message(10, **cy))]})
    wait_until(page, "room()?.seq === 10")
    assert page.evaluate("room().last") is None
    server.say(chat(10, message(11), message(12, **cy)))
    wait_until(page, "room().version === 12")
    assert page.evaluate("room().last.seq") == 11
    server.say(chat(12, message(13, **cy), message(14, **{"from": {"id": "10", "name": "Di"}})))
    wait_until(page, "room().version === 14")
    page.evaluate("client.rooms.setBlocked('10', true)")
    assert page.evaluate("room().last") is None


@pytest.mark.parametrize("options", [{"opens": True}, {"opens": True, "long": True}, {"opens": False}], ids=["open", "paged", "closed"])
def test_every_interleaving_ends_in_the_servers_log(page, options):  # noqa: F811
    page.route("**/chat_model.js", lambda route: route.fulfill(body=MODEL.read_text(encoding="utf-8"), content_type="text/javascript"))
    differing = page.evaluate("""async ([options, seeds]) => {
        const { tried } = await import("/chat_model.js");
        const differing = [];
        for (let seed = 1; seed <= seeds; seed += 1) {
          const found = await tried(seed, options);
          if (found.length > 0) differing.push([seed, found]);
        }
        return differing;
      }""", [options, 300])
    assert not differing, differing[:3]
