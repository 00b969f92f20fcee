"""The browser client module, run in a real Chromium.

Run with `python3 -m pytest Tests/Browser/test_client.py`; needs PyPI's playwright and pytest, and Debian's chromium.
The pure parts are called as they are; the connection talks to a server that the test plays, frame by frame.
"""

import functools
import http.server
import json
import random
import threading
import time
from pathlib import Path

import pytest

PUBLIC = Path(__file__).resolve().parent.parent.parent / "public"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves `public/`, answers `/readyz`, and keeps quiet about it."""

    def do_GET(self):
        if self.path == "/readyz":
            self.send_response(200)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def origin():
    handler = functools.partial(QuietHandler, directory=PUBLIC)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.fixture
def page(browser, origin):
    context = browser.new_context()
    page = context.new_page()
    # A bare page of the same origin, to load the modules without the app.
    page.goto(f"{origin}/icon.svg")
    yield page
    context.close()


def run(page, body, argument=None):
    """Runs the body of an async function with the module as `M` and `argument`, and gives what it returns."""
    return page.evaluate(f"async (argument) => {{ const M = await import('/muster.js'); {body} }}", argument)


# Backoff


def test_waits_are_drawn_from_zero_to_a_ceiling_that_doubles_up_to_the_cap(page):
    ceilings = run(page, """
        const backoff = new M.Backoff({ base: 500, cap: 30000, random: () => 1 });
        return Array.from({ length: 60 }, () => backoff.next());""")
    assert ceilings[:8] == [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]
    assert set(ceilings[8:]) == {30000}


def test_full_jitter_spreads_over_the_whole_range(page):
    waits = run(page, """
        return Array.from({ length: 2000 }, () => {
          const backoff = new M.Backoff({ base: 1000, cap: 8000 });
          for (let n = 0; n < 3; n += 1) backoff.next();
          return backoff.next();
        });""")
    assert 0 <= min(waits) < 400 and 7600 < max(waits) <= 8000
    assert 3600 < sum(waits) / len(waits) < 4400


def test_a_success_starts_over(page):
    assert run(page, """
        const backoff = new M.Backoff({ base: 500, random: () => 1 });
        backoff.next(); backoff.next(); backoff.reset();
        return backoff.next();""") == 500


# Token bucket


def test_a_burst_passes_at_once_and_then_the_rate(page):
    assert run(page, """
        const bucket = new M.TokenBucket({ rate: 10, burst: 30 });
        const first = bucket.available(0); bucket.spend(first);
        const none = bucket.available(0), wait = bucket.wait;
        const later = bucket.available(500); bucket.spend(later);
        return [first, none, wait, later, bucket.available(1e6)];""") == [30, 0, 100, 5, 30]


# Fix queue


def test_numbers_go_on_above_what_the_server_has_and_never_repeat(page):
    assert run(page, """
        const queue = new M.FixQueue({ lastSeq: 7 });
        queue.add({ lat: 1, lon: 1 });
        queue.resume(40);
        const first = queue.take().map((fix) => fix.seq);
        queue.add({ lat: 2, lon: 2 });
        return [first, queue.take().map((fix) => fix.seq)];""") == [[41], [42]]


def test_what_is_not_acknowledged_is_sent_again_with_its_number_oldest_first(page):
    assert run(page, """
        const queue = new M.FixQueue();
        for (let lat = 1; lat <= 5; lat += 1) queue.add({ lat, lon: 0 });
        queue.take(3);
        queue.acknowledge(1);
        queue.resume(1);
        return queue.take().map((fix) => [fix.seq, fix.lat]);""") == [[2, 2], [3, 3], [4, 4], [5, 5]]


def test_batches_hold_at_most_what_is_asked_for(page):
    assert run(page, """
        const queue = new M.FixQueue();
        for (let n = 0; n < 450; n += 1) queue.add({ lat: n, lon: 0 });
        return [queue.take(200).length, queue.take(200).length, queue.take(200).length, queue.hasUnsent];"""
    ) == [200, 200, 50, False]


def test_resend_marks_only_what_came_after(page):
    assert run(page, """
        const queue = new M.FixQueue();
        for (let lat = 1; lat <= 5; lat += 1) queue.add({ lat, lon: 0 });
        queue.take();
        queue.resendAfter(3);
        return queue.take().map((fix) => fix.seq);""") == [4, 5]


def test_a_refused_fix_does_not_come_back(page):
    assert run(page, """
        const queue = new M.FixQueue();
        for (let lat = 1; lat <= 3; lat += 1) queue.add({ lat, lon: 0 });
        queue.take();
        queue.refuse(2);
        queue.resume(0);
        return queue.take().map((fix) => fix.seq);""") == [1, 3]


def test_a_full_queue_thins_its_old_half_and_keeps_the_recent_one(page):
    kept, dropped = run(page, """
        const queue = new M.FixQueue({ capacity: 100 });
        for (let lat = 0; lat < 1000; lat += 1) queue.add({ lat, lon: 0 });
        return [queue.take(1000).map((fix) => fix.lat), queue.dropped];""")
    assert len(kept) <= 100 and len(kept) + dropped == 1000
    assert kept == sorted(kept) and kept[0] == 0
    assert kept[-50:] == list(range(950, 1000))


# The saving mode


def test_when_saving_a_fix_goes_out_on_a_significant_change_only(page):
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    run(page, """
        window.sent = [];
        window.reporter = new M.FixReporter({ lastSeq: 0, keepSeq() {}, isLive: () => true, now: () => Date.now(), send: (frame) => sent.push(frame) });""")

    def report(lat, **options):
        return page.evaluate("([lat, options]) => reporter.report({ lat, lon: 16, trigger: 'move' }, options)", [lat, options])

    def sent():
        return [(fix["lat"], fix["trigger"]) for fix in page.evaluate("sent")]

    assert report(48.0) is True
    assert run(page, "reporter.isSaving = true; return M.SIGNIFICANT_CHANGE;") == {"metres": 500, "milliseconds": 300_000}
    # 0.0045 degrees of latitude are 500.4 m.
    assert [report(lat) for lat in (48.001, 48.004, 48.0044)] == [False] * 3
    assert report(48.0045) is True
    # The distance is measured from the last sent fix.
    assert [report(lat) for lat in (48.006, 48.003)] == [False] * 2
    page.clock.run_for(200_000)
    assert report(48.0046) is False
    page.clock.run_for(99_000)
    assert sent() == [(48.0, "move"), (48.0045, "significant")]
    page.clock.run_for(1_000)
    # The newest of the withheld fixes is sent, with its own time.
    assert sent()[2:] == [(48.0046, "significant")]
    taken = [fix["at"] for fix in page.evaluate("sent")]
    assert taken[2] - taken[1] == 200_000
    # Without a new fix nothing is sent; after five minutes any fix is sent.
    page.clock.run_for(900_000)
    assert len(sent()) == 3
    assert report(48.0046) is True
    # A locate request is answered even in saving mode, and the answer counts as a sent fix.
    assert report(48.005, answer="5001") is True
    assert report(48.006) is False
    # Withheld fixes are dropped when saving mode ends.
    page.evaluate("reporter.isSaving = false")
    page.clock.run_for(400_000)
    assert report(48.007) is True
    assert sent()[3:] == [(48.0046, "significant"), (48.005, "answer"), (48.007, "move")]


# Roster


def test_null_withdraws_a_field_and_absence_leaves_it(page):
    assert run(page, """
        const roster = new M.Roster("81");
        roster.apply({ type: "roster", group: "81", epoch: "k", version: 1, full: true, gathering: null, members: [
          { user: "7", name: "Ada", avatar: null, role: "owner", presence: "online", sharing: "live", lat: 1, lon: 2, at: 3, freshness: "live" }] });
        roster.apply({ type: "update", group: "81", version: 2, gone: [], members: [
          { user: "7", sharing: "paused", lat: null, lon: null, at: null, freshness: "unknown" }] });
        return roster.members.get("7");"""
    ) == {"user": "7", "name": "Ada", "avatar": None, "role": "owner", "presence": "online", "sharing": "paused", "freshness": "unknown"}


def test_a_difference_to_another_epoch_changes_nothing(page):
    assert run(page, """
        const roster = new M.Roster("81");
        roster.apply({ type: "roster", group: "81", epoch: "k", version: 9, full: true, gathering: null, members: [{ user: "7", name: "Ada" }] });
        roster.apply({ type: "roster", group: "81", epoch: "z", version: 3, full: false, members: [{ user: "8", name: "Ben" }], gone: ["7"] });
        return [[...roster.members.keys()], roster.resume];""") == [["7"], {"epoch": "k", "version": 9}]


def test_an_ended_gathering_is_none(page):
    assert run(page, """
        const roster = new M.Roster("81");
        const frame = { type: "gathering", group: "81", gathering: "6", since: 1, place: { lat: 1, lon: 2 }, together: ["7", "8"], absent: [] };
        roster.apply({ ...frame, state: "together" });
        const during = roster.gathering.together;
        roster.apply({ ...frame, state: "ended" });
        return [during, roster.gathering];""") == [["7", "8"], None]


def test_positions_age_by_themselves(page):
    assert run(page, """
        const minute = 60000, at = 1e12;
        const member = { user: "7", lat: 1, lon: 2, at, freshness: "live" };
        const after = (m, minutes) => M.freshnessAt(m, at + minutes * minute);
        return [after(member, 4), after(member, 6), after({ ...member, freshness: "recent" }, 40),
          after({ ...member, freshness: "recent" }, 46), after({ user: "7" }, 0), after(member, -1), after(member, -2)];"""
    ) == ["live", "stale", "recent", "stale", "unknown", "live", "stale"]


@pytest.mark.parametrize("seed", range(12))
def test_every_way_of_hearing_of_a_group_ends_in_the_same_roster(page, seed):
    """Members move, join, leave and hide; some frames are lost to conflation, some repeated, some resumed."""
    dice = random.Random(seed)
    truth, changed_at, gone_at, version = {}, {}, {}, 0
    frames = []
    known = None

    def frame_since(since, kind):
        members = []
        for user, fields in truth.items():
            changes = {field: value for field, value in fields.items() if changed_at[user, field] > since}
            if changes:
                members.append({"user": user, **changes})
        gone = [user for user, when in gone_at.items() if when > since and user not in truth]
        return {"type": kind, "group": "81", "version": version, "members": members, "gone": gone}

    for _ in range(200):
        version += 1
        user = str(dice.randrange(1, 9))
        if user not in truth:
            truth[user] = {"name": f"N{user}", "avatar": None, "role": "member", "presence": "away", "sharing": "live", "freshness": "unknown"}
            touched = list(truth[user])
            for field in ("lat", "lon", "at"):
                truth[user][field] = None
                touched.append(field)
        elif dice.random() < 0.1:
            del truth[user]
            gone_at[user] = version
            touched = []
        elif dice.random() < 0.2:
            truth[user].update(lat=None, lon=None, at=None, sharing="paused")
            touched = ["lat", "lon", "at", "sharing"]
        else:
            truth[user].update(lat=dice.random(), lon=dice.random(), at=version, sharing="live")
            touched = ["lat", "lon", "at", "sharing"]
        for field in touched:
            changed_at[user, field] = version
        if known is None or dice.random() < 0.03:
            members = [{"user": each, **{k: v for k, v in fields.items() if v is not None or k == "avatar"}} for each, fields in truth.items()]
            frames.append({"type": "roster", "group": "81", "epoch": "k", "version": version, "full": True, "members": members, "gathering": None})
            known = version
        elif dice.random() < 0.5:
            since = max(0, known - dice.choice([0, 0, 0, 2]))
            if dice.random() < 0.2:
                frames.append({**frame_since(since, "roster"), "epoch": "k", "full": False})
            else:
                frames.append(frame_since(since, "update"))
            if dice.random() < 0.2:
                frames.append(frames[-1])
            known = version
    frames.append(frame_since(known, "update"))

    held = run(page, """
        const roster = new M.Roster("81");
        for (const frame of argument) roster.apply(frame);
        return [Object.fromEntries(roster.members), roster.version];""", frames)
    expected = {user: {"user": user, **{k: v for k, v in fields.items() if v is not None or k == "avatar"}} for user, fields in truth.items()}
    assert held == [expected, version], f"seed {seed}"


# The connection, with the server simulated by the test

WELCOME = {
    "type": "welcome", "session": "9001", "user": {"id": "7", "name": "Ada", "avatar": None},
    "device": {"id": "31", "ackedSeq": 0}, "at": 1732060800000, "tick": 1000, "ping": 25000,
    "limits": {"frameBytes": 65536, "fixesPerSecond": 10, "fixesPerFrame": 200},
    "groups": [{"id": "81", "name": "Climbers", "role": "owner", "settings": {"radius": 100, "dwell": 180, "maxAbsent": 1, "cooldown": 1800}}],
}


class PlayedServer:
    """A server that writes down what it is sent and says what the test tells it to."""

    def __init__(self, page):
        self.page = page
        self.sockets = []
        self.frames = []
        self.acked = 0
        self.close_with = None
        page.route_web_socket("**/v1/ws", self._accept)

    def _accept(self, socket):
        self.sockets.append(socket)
        socket.on_message(lambda text: self._receive(socket, json.loads(text)))

    def _receive(self, socket, frame):
        self.frames.append(frame)
        if frame["type"] != "hello":
            return
        if self.close_with is not None:
            socket.close(code=self.close_with)
        else:
            self.say({**WELCOME, "device": {"id": "31", "ackedSeq": self.acked}}, socket)

    def say(self, frame, socket=None):
        (socket or self.sockets[-1]).send(json.dumps(frame))

    def sent(self, kind):
        return [frame for frame in self.frames if frame["type"] == kind]

    def wait_for(self, kind, count=1):
        deadline = time.monotonic() + 10
        while len(self.sent(kind)) < count:
            assert time.monotonic() < deadline, f"no {count} × {kind} in {self.frames}"
            self.page.wait_for_timeout(10)
        return self.sent(kind)[count - 1]


@pytest.fixture
def server(page):
    return play(page)


def play(page):
    """Starts a client against a server that the test plays."""
    played = PlayedServer(page)
    run(page, """
        window.told = [];
        window.client = new M.Client({ url: location.origin, token: "t", device: { key: "web-1", kind: "browser" }, storage: sessionStorage, random: () => 0.01 });
        for (const type of ["state", "alert", "problem", "groups"]) client.addEventListener(type, (event) => told.push([type, event.detail]));
        client.start();""")
    played.wait_for("hello")
    return played


def wait_until(page, condition):
    page.wait_for_function(condition, timeout=10_000)


def test_a_client_comes_back_and_resumes_where_it_was(page, server):
    server.say({"type": "roster", "group": "81", "epoch": "k3f", "version": 17, "full": True, "gathering": None, "members": []})
    server.say({"type": "left_without_you", "notification": 12, "group": "81"})
    wait_until(page, "told.some(([type]) => type === 'alert')")
    server.sockets[-1].close(code=1012)
    assert server.wait_for("hello", 2)["resume"] == {"groups": {"81": {"epoch": "k3f", "version": 17}}, "notification": 12}


def test_fixes_taken_offline_are_sent_after_the_reconnect_and_none_twice_once_acknowledged(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, "client.report({ lat: 1, lon: 1 });")
    assert server.wait_for("location")["seq"] == 1
    server.acked = 1
    server.close_with = 4503
    server.sockets[-1].close(code=1012)
    server.wait_for("hello", 2)
    run(page, "client.report({ lat: 2, lon: 2 }); client.report({ lat: 3, lon: 3 });")
    server.close_with = None
    batch = server.wait_for("locations")
    assert [(fix["seq"], fix["lat"]) for fix in batch["fixes"]] == [(2, 2), (3, 3)]
    server.say({"type": "ack", "seq": 2, "rejected": []})
    server.say({"type": "resend", "after": 2})
    assert server.wait_for("location", 2)["seq"] == 3
    server.say({"type": "ack", "seq": 3, "rejected": []})
    wait_until(page, "client.backlog.length === 0")


def test_a_malformed_fix_is_given_up(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, "client.report({ lat: 0, lon: 0 });")
    server.wait_for("location")
    server.say({"type": "error", "code": "bad_fix", "message": "Exactly 0,0.", "retry": False, "seq": 1})
    wait_until(page, "client.backlog.length === 0 && told.some(([type, e]) => type === 'problem' && e.code === 'bad_fix')")


@pytest.mark.parametrize(("code", "reason"), [(4400, "client"), (4401, "unauthorized"), (4409, "replaced"), (1009, "client")])
def test_a_client_that_is_not_wanted_does_not_come_back(page, server, code, reason):
    wait_until(page, "client.status.state === 'live'")
    server.sockets[-1].close(code=code)
    wait_until(page, f"client.status.state === 'stopped' && client.status.reason === '{reason}'")
    page.wait_for_timeout(600)
    assert len(server.sockets) == 1


def test_goaway_is_obeyed(page, server):
    wait_until(page, "client.status.state === 'live'")
    server.say({"type": "goaway", "reason": "shutdown", "retryAfter": 700, "jitter": 1000})
    page.wait_for_timeout(50)
    began = time.monotonic()
    server.sockets[-1].close(code=1001)
    server.wait_for("hello", 2)
    assert 0.5 < time.monotonic() - began < 3


def test_who_ignored_the_rate_limit_rests_for_half_a_minute(page, server):
    wait_until(page, "client.status.state === 'live'")
    server.sockets[-1].close(code=4429)
    wait_until(page, "client.status.reason === 'limited'")
    assert run(page, "return client.status.retryAt - Date.now();") > 29_000


def test_requests_meet_their_answers(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, """
        window.answers = [];
        client.request("group.invite", { group: "81" }).then((ok) => answers.push(ok.code));
        client.request("group.join", { code: "x" }).catch((error) => answers.push(error.code));""")
    invite, join = server.wait_for("group.invite"), server.wait_for("group.join")
    server.say({"type": "error", "id": join["id"], "code": "gone", "message": "Used up.", "retry": False})
    server.say({"type": "ok", "id": invite["id"], "code": "h7", "url": "u", "expiresAt": 1, "uses": None})
    wait_until(page, "answers.length === 2")
    assert page.evaluate("answers") == ["gone", "h7"]


def test_a_request_whose_answer_was_lost_fails_and_is_not_repeated(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, "window.outcome = null; client.request('group.create', { name: 'x' }).catch((error) => (outcome = error.code));")
    server.wait_for("group.create")
    server.sockets[-1].close(code=1012)
    wait_until(page, "outcome === 'connection_lost'")
    server.wait_for("hello", 2)
    page.wait_for_timeout(200)
    assert len(server.sent("group.create")) == 1


def test_seen_is_told_again_until_the_server_has_taken_it(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, "client.markSeen(12).catch(() => {});")
    server.wait_for("seen")
    server.sockets[-1].close(code=1012)
    again = server.wait_for("seen", 2)
    assert again["upTo"] == 12
    server.say({"type": "ok", "id": again["id"]})


def test_an_alert_that_comes_twice_is_told_once(page, server):
    for _ in range(2):
        server.say({"type": "left_without_you", "notification": 12, "group": "81"})
    server.say({"type": "left_without_you", "notification": 13, "group": "81"})
    wait_until(page, "told.some(([type, alert]) => type === 'alert' && alert.notification === 13)")
    assert page.evaluate("told.filter(([type]) => type === 'alert').length") == 2


def test_a_group_that_one_was_removed_from_is_forgotten(page, server):
    server.say({"type": "roster", "group": "81", "epoch": "k", "version": 1, "full": True, "gathering": None, "members": [{"user": "7", "name": "Ada"}]})
    server.say({"type": "update", "group": "81", "version": 2, "members": [], "gone": ["7"]})
    wait_until(page, "client.groups.size === 0 && client.rosters.size === 0")


def test_a_hidden_tab_that_looks_once_a_minute_keeps_a_healthy_connection(page):
    page.clock.install()
    server = play(page)
    wait_until(page, "client.status.state === 'live'")
    for minute in range(1, 6):
        # As in a hidden tab: a minute passes, and each timer fires once.
        page.clock.fast_forward(60_000)
        server.wait_for("ping", minute)
        server.say({"type": "pong", "at": 1732060800000})
        page.wait_for_timeout(50)
    assert len(server.sent("hello")) == 1
    assert page.evaluate("client.status.state") == "live"


def test_a_service_that_does_not_answer_is_given_up(page):
    page.clock.install()
    server = play(page)
    wait_until(page, "client.status.state === 'live'")
    page.clock.fast_forward(60_000)
    server.wait_for("ping")
    page.clock.fast_forward(60_000)
    page.clock.run_for(2_000)
    server.wait_for("hello", 2)


def test_what_the_server_tells_of_groups_and_sharing_is_known_at_once(page, server):
    server.say({"type": "group", "group": {"id": "81", "name": "Choir", "settings": {"radius": 250}}})
    wait_until(page, "client.groups.get('81')?.name === 'Choir'")
    server.say({"type": "sharing", "group": "81", "mode": "paused", "until": 1732060900000})
    wait_until(page, "client.groups.get('81').sharing?.mode === 'paused'")
    assert page.evaluate("client.groups.get('81').sharing.until") == 1732060900000
    # A new group name does not change the sharing.
    server.say({"type": "group", "group": {"id": "81", "name": "Quartet", "settings": {"radius": 250}}})
    wait_until(page, "client.groups.get('81').name === 'Quartet'")
    assert page.evaluate("client.groups.get('81').sharing.mode") == "paused"
    page.evaluate("client.addEventListener('seen', ({ detail }) => (window.seen = detail.notifications))")
    server.say({"type": "seen", "notifications": [9, 12]})
    wait_until(page, "window.seen?.join() === '9,12'")


def test_who_stands_still_says_so_as_of_the_arrival(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, "client.reportStillHere({ lat: 48.2, lon: 16.37, accuracy: 5, at: 1, trigger: 'move' });")
    fix = server.wait_for("location")
    assert "at" not in fix and fix["trigger"] == "ping" and fix["lat"] == 48.2
    # If it were queued, it would report a later moment.
    page.evaluate("client.goOffline()")
    assert run(page, "return client.reportStillHere({ lat: 48.3, lon: 16.37 });") is False
    assert page.evaluate("client.backlog.length") == 1


def test_a_network_that_is_gone_ends_the_connection_at_once(page, server):
    wait_until(page, "client.status.state === 'live'")
    assert run(page, "client.goOffline(); return [client.status.state, client.status.reason];") == ["waiting", "offline"]
    page.evaluate("client.hurry()")
    server.wait_for("hello", 2)


def test_one_missed_pong_is_enough(page):
    page.clock.install()
    server = play(page)
    wait_until(page, "client.status.state === 'live'")
    page.clock.run_for(17_000)
    server.wait_for("ping")
    page.clock.run_for(6_000)
    wait_until(page, "told.some(([type, status]) => type === 'state' && status.reason === 'silent')")


def test_just_these_are_seen_and_that_is_told_again_too(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, "client.markSeen([9, 12]).catch(() => {});")
    server.wait_for("seen")
    server.sockets[-1].close(code=1012)
    again = server.wait_for("seen", 2)
    assert again["notifications"] == [9, 12] and "upTo" not in again
    server.say({"type": "ok", "id": again["id"]})


# Pushed spots


def spot(number, at=WELCOME["at"]):
    return {"id": str(number), "lat": 48.2, "lon": 16.4, "comment": f"Spot {number}", "author": {"id": "8", "name": "Ben"}, "likes": 0, "dislikes": 0, "vote": "none", "at": at}


def watch_spots(page):
    run(page, """
        window.spots = [];
        for (const type of ["new_spot", "spot_changed", "spot_gone"]) client.addEventListener(type, ({ detail }) => spots.push([type, detail.spot.id ?? detail.spot]));
        client.watchSpots({ scope: "nearby", radius: 800 }).then((isInForce) => (window.inForce = isInForce));""")


def test_spots_are_watched_for_again_after_every_reconnect_from_the_newest_held(page, server):
    wait_until(page, "client.status.state === 'live'")
    watch_spots(page)
    asked = server.wait_for("spots.watch")
    # A client without a cursor has missed nothing; a client with one may have missed spots.
    assert (asked["scope"], asked["radius"]) == ("nearby", 800) and "after" not in asked
    server.say({"type": "ok", "id": asked["id"]})
    wait_until(page, "window.inForce === true")
    server.sockets[-1].close(code=1012)
    asked = server.wait_for("spots.watch", 2)
    assert asked["after"] == "1"
    # Spots from before the subscription are not new; a spot that is sent twice counts once.
    for each in (spot(99, at=WELCOME["at"] - 1), spot(1000), spot(1000), spot(1001)):
        server.say({"type": "new_spot", "spot": each, "distance": 12})
    server.say({"type": "ok", "id": asked["id"]})
    server.say({"type": "spot_changed", "spot": "1000", "likes": 1, "dislikes": 0})
    server.say({"type": "spot_gone", "spot": "1000"})
    wait_until(page, "window.inForce === true && spots.length === 4")
    assert page.evaluate("spots") == [["new_spot", "1000"], ["new_spot", "1001"], ["spot_changed", "1000"], ["spot_gone", "1000"]]
    server.sockets[-1].close(code=1012)
    assert server.wait_for("spots.watch", 3)["after"] == "1001"
    # They survive a restart of the client.
    server.say({"type": "new_spot", "spot": spot(1002), "distance": 12})
    wait_until(page, "spots.length === 5")
    page.evaluate("client.stop()")
    later = play(page)
    wait_until(page, "client.status.state === 'live'")
    watch_spots(page)
    assert later.wait_for("spots.watch")["after"] == "1002"
    for each in (spot(1003, at=WELCOME["at"] - 1), spot(1002), spot(1000)):
        later.say({"type": "new_spot", "spot": each, "distance": 12})
    later.say({"type": "spot_gone", "spot": "1003"})
    wait_until(page, "spots.at(-1)[0] === 'spot_gone'")
    assert page.evaluate("spots") == [["new_spot", "1003"], ["spot_gone", "1003"]]


def test_a_server_that_knows_nothing_of_watching_spots_is_no_problem(page, server):
    wait_until(page, "client.status.state === 'live'")
    watch_spots(page)
    asked = server.wait_for("spots.watch")
    server.say({"type": "error", "id": asked["id"], "code": "unknown_type", "message": "unknown", "retry": False})
    wait_until(page, "window.inForce === false")
    assert page.evaluate("told.filter(([type]) => type === 'problem')") == []
    # The next server may know the spot.
    server.sockets[-1].close(code=1012)
    server.wait_for("spots.watch", 2)


# Event subscriptions


def test_of_events_that_one_watches_no_more_none_comes_back(page, server):
    wait_until(page, "client.status.state === 'live'")
    run(page, """
        window.watched = () => [...client.watchedEvents.events.keys()];
        client.watchEvents({ bbox: [0, 0, 1, 1] });""")
    server.say({"type": "ok", "id": server.wait_for("events.watch")["id"], "watch": "1", "total": 1, "more": False})
    event = {"id": "1", "title": "Old", "startsAt": 1}
    server.say({"type": "events", "watch": "1", "put": [event], "gone": [], "more": False})
    wait_until(page, "watched().length === 1")
    page.evaluate("() => { client.watchEvents(null); client.watchEvents({ bbox: [2, 2, 3, 3] }); }")
    assert page.evaluate("watched()") == []
    left, again = server.wait_for("events.watch", 2), server.wait_for("events.watch", 3)
    assert left["scope"] == "none"
    # A push for the previous subscription.
    server.say({"type": "events", "watch": "1", "put": [{**event, "id": "2"}], "gone": [], "more": False})
    server.say({"type": "ok", "id": left["id"], "watch": "2", "total": 0, "more": False})
    server.say({"type": "ok", "id": again["id"], "watch": "3", "total": 1, "more": False})
    server.say({"type": "events", "watch": "3", "put": [{**event, "id": "3"}], "gone": [], "more": False})
    wait_until(page, "watched().includes('3')")
    assert page.evaluate("watched()") == ["3"]
