/** The client on a played server: it reconnects, resumes, reports fixes, and asks. */
import assert from "node:assert/strict";
import test from "node:test";
import { START, play, settled } from "./page.mjs";

const ofType = (told, type) => told.filter(([each]) => each === type).map(([, detail]) => detail);

test("a client comes back and resumes where it was", async (t) => {
  const { server, told, clock } = await play(t);
  server.say({ type: "roster", group: "81", epoch: "k3f", version: 17, full: true, gathering: null, members: [] });
  server.say({ type: "left_without_you", notification: 12, group: "81" });
  await clock.until(() => ofType(told, "alert").length === 1);
  server.close(1012);
  assert.deepEqual((await server.received("hello", 2)).resume, { groups: { 81: { epoch: "k3f", version: 17 } }, notification: 12 });
});

test("fixes taken offline are sent after the reconnect, and none twice once it is acknowledged", async (t) => {
  const { server, client, clock } = await play(t);
  client.report({ lat: 1, lon: 1 });
  assert.equal((await server.received("location")).seq, 1);
  server.acked = 1;
  server.closesWith = 4503;
  server.close(1012);
  await server.received("hello", 2);
  client.report({ lat: 2, lon: 2 });
  client.report({ lat: 3, lon: 3 });
  server.closesWith = null;
  const batch = await server.received("locations");
  assert.deepEqual(batch.fixes.map(({ seq, lat }) => [seq, lat]), [[2, 2], [3, 3]]);
  server.say({ type: "ack", seq: 2, rejected: [] }, { type: "resend", after: 2 });
  assert.equal((await server.received("location", 2)).seq, 3);
  server.say({ type: "ack", seq: 3, rejected: [] });
  await clock.until(() => client.backlog.length === 0);
  assert.equal(server.sent("location").length + server.sent("locations").length, 3);
});

test("a malformed fix is given up", async (t) => {
  const { server, client, told, clock } = await play(t);
  client.report({ lat: 0, lon: 0 });
  await server.received("location");
  server.say({ type: "error", code: "bad_fix", message: "Exactly 0,0.", retry: false, seq: 1 });
  await clock.until(() => client.backlog.length === 0);
  assert.deepEqual(ofType(told, "problem").map(({ code }) => code), ["bad_fix"]);
});

for (const [code, reason] of [[4400, "client"], [4401, "unauthorized"], [4409, "replaced"], [1003, "client"], [1007, "client"], [1009, "client"]]) {
  test(`a client that was closed with ${code} does not come back`, async (t) => {
    const { server, client, clock } = await play(t);
    server.close(code);
    await clock.run(3_600_000);
    assert.deepEqual([client.status.state, client.status.reason, server.sockets.length], ["stopped", reason, 1]);
  });
}

test("a goaway is obeyed", async (t) => {
  const { server, client, clock } = await play(t);
  server.say({ type: "goaway", reason: "shutdown", retryAfter: 700, jitter: 1000 });
  await settled();
  server.close(1001);
  await clock.run(709);
  assert.deepEqual([client.status.state, client.status.reason, server.sockets.length], ["waiting", "goaway", 1]);
  // 0.7 s, and the hundredth of the jitter that was drawn.
  await clock.run(2);
  assert.equal(server.sent("hello").length, 2);
});

test("a client that ignored the rate limit waits for half a minute", async (t) => {
  const { server, client, clock } = await play(t);
  server.close(4429);
  await settled();
  assert.equal(client.status.reason, "limited");
  assert.ok(client.status.retryAt - Date.now() > 29_000);
  // Not even a user who is in a hurry shortens that.
  client.hurry();
  await clock.run(29_000);
  assert.equal(server.sockets.length, 1);
  await clock.run(2_000);
  assert.equal(server.sockets.length, 2);
});

test("answers find their requests", async (t) => {
  const { server, client, clock } = await play(t);
  const answers = [];
  client.request("group.invite", { group: "81" }).then((ok) => answers.push(ok.code));
  client.request("group.join", { code: "x" }).catch((error) => answers.push(error.code));
  const [invite, join] = [await server.received("group.invite"), await server.received("group.join")];
  server.say({ type: "error", id: join.id, code: "gone", message: "Used up.", retry: false });
  server.say({ type: "ok", id: invite.id, code: "h7", url: "u", expiresAt: 1, uses: null });
  await clock.until(() => answers.length === 2);
  assert.deepEqual(answers, ["gone", "h7"]);
});

test("a request whose answer was lost fails and is not repeated", async (t) => {
  const { server, client, clock } = await play(t);
  const outcome = client.request("group.create", { name: "x" }).catch((error) => error.code);
  await server.received("group.create");
  server.close(1012);
  assert.equal(await outcome, "connection_lost");
  await server.received("hello", 2);
  await clock.run(10_000);
  assert.equal(server.sent("group.create").length, 1);
});

for (const [which, field] of [[12, "upTo"], [[9, 12], "notifications"]]) {
  test(`seen notifications (${field}) are sent again until the server acknowledges them`, async (t) => {
    const { server, client } = await play(t);
    client.markSeen(which).catch(() => {});
    await server.received("seen");
    server.close(1012);
    const again = await server.received("seen", 2);
    assert.deepEqual(again, { type: "seen", id: again.id, [field]: which });
    server.say({ type: "ok", id: again.id });
    await settled();
    server.close(1012);
    await server.received("hello", 3);
    await settled();
    assert.equal(server.sent("seen").length, 2);
  });
}

test("an alert that arrives twice is reported once", async (t) => {
  const { server, told, clock } = await play(t);
  for (const notification of [12, 12, 13]) server.say({ type: "left_without_you", notification, group: "81" });
  await clock.until(() => ofType(told, "alert").some(({ notification }) => notification === 13));
  assert.deepEqual(ofType(told, "alert").map(({ notification }) => notification), [12, 13]);
});

test("a group that the user was removed from is forgotten", async (t) => {
  const { server, client, clock } = await play(t);
  server.say({ type: "roster", group: "81", epoch: "k", version: 1, full: true, gathering: null, members: [{ user: "7", name: "Ada" }] });
  await clock.until(() => client.rosters.size === 1);
  server.say({ type: "update", group: "81", version: 2, members: [], gone: ["7"] });
  await clock.until(() => client.groups.size === 0 && client.rosters.size === 0);
});

test("changes of groups and sharing are known at once", async (t) => {
  const { server, client, told, clock } = await play(t);
  const group = { id: "81", name: "Choir", settings: { radius: 250 } };
  server.say({ type: "group", group });
  await clock.until(() => client.groups.get("81")?.name === "Choir");
  server.say({ type: "sharing", group: "81", mode: "paused", until: START + 100_000 });
  await clock.until(() => client.groups.get("81").sharing?.mode === "paused");
  assert.equal(client.groups.get("81").sharing.until, START + 100_000);
  // A new group name does not change the sharing.
  server.say({ type: "group", group: { ...group, name: "Quartet" } });
  await clock.until(() => client.groups.get("81").name === "Quartet");
  assert.equal(client.groups.get("81").sharing.mode, "paused");
  server.say({ type: "seen", notifications: [9, 12] });
  await settled();
  assert.deepEqual(ofType(told, "seen"), [{ notifications: [9, 12] }]);
});

test("a user who stands still is reported as of the arrival", async (t) => {
  const { server, client } = await play(t);
  assert.equal(client.reportStillHere({ lat: 48.2, lon: 16.37, accuracy: 5, at: 1, trigger: "move" }), true);
  const fix = await server.received("location");
  assert.deepEqual([fix.at, fix.trigger, fix.lat], [undefined, "ping", 48.2]);
  // If it were queued, it would report a later moment.
  client.goOffline();
  assert.equal(client.reportStillHere({ lat: 48.3, lon: 16.37 }), false);
  assert.equal(client.backlog.length, 1);
});

// Liveness

test("a lost network ends the connection at once", async (t) => {
  const { server, client } = await play(t);
  client.goOffline();
  assert.deepEqual([client.status.state, client.status.reason], ["waiting", "offline"]);
  client.hurry();
  await server.received("hello", 2);
});

test("a hidden tab whose timers fire once a minute keeps a healthy connection", async (t) => {
  const { server, client, clock } = await play(t);
  for (let minute = 1; minute <= 5; minute += 1) {
    await clock.jump(60_000);
    assert.equal(server.sent("ping").length, minute);
    server.say({ type: "pong", at: START });
    await settled();
  }
  assert.equal(server.sent("hello").length, 1);
  assert.equal(client.status.state, "live");
});

test("a service that does not answer is given up", async (t) => {
  const { server, clock } = await play(t);
  await clock.jump(60_000);
  assert.equal(server.sent("ping").length, 1);
  await clock.jump(60_000);
  await clock.run(2_000);
  assert.equal(server.sent("hello").length, 2);
});

test("one missed pong is enough", async (t) => {
  const { server, told, clock } = await play(t);
  await clock.run(17_000);
  assert.equal(server.sent("ping").length, 1);
  await clock.run(6_000);
  assert.ok(ofType(told, "state").some(({ reason }) => reason === "silent"));
});

test("a client that hears much learns within a minute that the server's clock was set", async (t) => {
  const { server, client, clock } = await play(t);
  const lead = client.now() - Date.now();
  // Somebody moves all the time, so the connection is never silent.
  for (let second = 0; second < 65; second += 5) {
    server.say({ type: "update", group: "81", epoch: "k3f", version: 1, members: [] });
    await clock.run(5_000);
  }
  assert.equal(server.sent("ping").length, 1);
  server.say({ type: "pong", at: Date.now() + lead - 7_200_000 });
  await settled();
  assert.equal(client.now() - Date.now(), lead - 7_200_000);
});

// Pushed spots

const spot = (number, at = START) => ({ id: String(number), lat: 48.2, lon: 16.4, comment: `Spot ${number}`, author: { id: "8", name: "Ben" }, likes: 0, dislikes: 0, vote: "none", at });

/** What a client reports of spots: `[type, id]`. */
const spotsOf = (told) => told.filter(([type]) => /spot/.test(type)).map(([type, { spot }]) => [type, spot.id ?? spot]);

test("the subscription to spots is renewed after every reconnect and restart, from the newest known spot", async (t) => {
  const { server, client, told, clock, storage } = await play(t);
  const isInForce = client.watchSpots({ scope: "nearby", radius: 800 });
  let asked = await server.received("spots.watch");
  // A client without a cursor has missed nothing; a client with one may have missed spots.
  assert.deepEqual(asked, { type: "spots.watch", id: asked.id, scope: "nearby", radius: 800 });
  server.say({ type: "ok", id: asked.id });
  assert.equal(await isInForce, true);
  server.close(1012);
  asked = await server.received("spots.watch", 2);
  assert.equal(asked.after, "1");
  // Spots from before the subscription are not new; a spot that is sent twice counts once.
  for (const each of [spot(99, START - 1), spot(1000), spot(1000), spot(1001)]) server.say({ type: "new_spot", spot: each, distance: 12 });
  server.say({ type: "ok", id: asked.id });
  server.say({ type: "spot_changed", spot: "1000", likes: 1, dislikes: 0 });
  server.say({ type: "spot_gone", spot: "1000" });
  await clock.until(() => spotsOf(told).length === 4);
  assert.deepEqual(spotsOf(told), [["new_spot", "1000"], ["new_spot", "1001"], ["spot_changed", "1000"], ["spot_gone", "1000"]]);
  server.close(1012);
  assert.equal((await server.received("spots.watch", 3)).after, "1001");
  // They survive a restart of the client.
  server.say({ type: "new_spot", spot: spot(1002), distance: 12 });
  await clock.until(() => spotsOf(told).length === 5);
  client.stop();
  const later = await play(t, { on: { clock, storage } });
  later.client.watchSpots({ scope: "nearby", radius: 800 });
  assert.equal((await later.server.received("spots.watch")).after, "1002");
  for (const each of [spot(1003, START - 1), spot(1002), spot(1000)]) later.server.say({ type: "new_spot", spot: each, distance: 12 });
  later.server.say({ type: "spot_gone", spot: "1003" });
  await clock.until(() => spotsOf(later.told).at(-1)?.[0] === "spot_gone");
  assert.deepEqual(spotsOf(later.told), [["new_spot", "1003"], ["spot_gone", "1003"]]);
});

test("a server that does not know subscriptions to spots is no problem", async (t) => {
  const { server, client, told } = await play(t);
  const isInForce = client.watchSpots({ scope: "nearby", radius: 800 });
  const asked = await server.received("spots.watch");
  server.say({ type: "error", id: asked.id, code: "unknown_type", message: "unknown", retry: false });
  assert.equal(await isInForce, false);
  assert.deepEqual(ofType(told, "problem"), []);
  // The next server may know the request.
  server.close(1012);
  await server.received("spots.watch", 2);
});

// Event subscriptions

test("events of a previous subscription do not come back", async (t) => {
  const { server, client, clock } = await play(t);
  const watched = () => [...client.watchedEvents.events.keys()];
  const event = { id: "1", title: "Old", startsAt: 1 };
  const events = (watch, id) => ({ type: "events", watch, put: [{ ...event, id }], gone: [], more: false });
  client.watchEvents({ bbox: [0, 0, 1, 1] });
  await server.answer("events.watch", 1, { watch: "1", total: 1, more: false });
  server.say(events("1", "1"));
  await clock.until(() => watched().length === 1);
  client.watchEvents(null);
  client.watchEvents({ bbox: [2, 2, 3, 3] });
  assert.deepEqual(watched(), []);
  const [left, again] = [await server.received("events.watch", 2), await server.received("events.watch", 3)];
  assert.equal(left.scope, "none");
  // A push for the previous subscription.
  server.say(events("1", "2"));
  server.say({ type: "ok", id: left.id, watch: "2", total: 0, more: false });
  server.say({ type: "ok", id: again.id, watch: "3", total: 1, more: false });
  server.say(events("3", "3"));
  await clock.until(() => watched().includes("3"));
  assert.deepEqual(watched(), ["3"]);
});
