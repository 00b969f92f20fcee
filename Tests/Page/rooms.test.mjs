/**
 * The client's rooms equal those of the server: on a played server, frame by frame, and in random interleavings
 * against a naive log.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import test from "node:test";
import { Worker } from "node:worker_threads";
import { play, settled } from "./page.mjs";

const BEN = { id: "8", name: "Ben" };
const CY = { id: "9", name: "Cy" };
const ADA = { id: "7", name: "Ada" };

const message = (seq, version = seq, fields = {}) => ({
  seq, version, key: `k${seq}`, kind: "text", from: BEN, at: 1, text: `Number ${seq}`, photo: null, replyTo: null, mentions: [], editedAt: null, deleted: false, ...fields,
});

const deleted = (seq, version, from = BEN) => ({ seq, version, from, at: 1, deleted: true });

const messages = (first, last) => Array.from({ length: last - first + 1 }, (_, n) => message(first + n));

const status = (fields) => ({ room: "81", epoch: "e1", version: 10, seq: 10, first: 1, read: fields?.seq ?? 10, unread: 0, mentions: 0, muted: "none", slow: 0, last: null, ...fields });

const rooms = (...statuses) => ({ type: "rooms", rooms: statuses });

const chat = (after, put, fields) => ({ type: "chat", room: "81", epoch: "e1", after, upTo: Math.max(...put.map(({ version }) => version)), messages: put, ...fields });

/** A client that wants rooms, on a played server: as `play` returns, and `room(id)`. */
async function playRooms(t) {
  const played = await play(t, { rooms: true });
  const room = (id = "81") => played.client.rooms.all.get(id);
  return { ...played, room, log: () => room().log.map(({ seq, version }) => [seq, version]) };
}

/** A room of ten messages, of which the last five are loaded. */
async function playRoom(t) {
  const played = await playRooms(t);
  const { server, client, clock, room } = played;
  server.say(rooms(status()));
  await clock.until(() => room()?.seq === 10);
  void client.rooms.open("81");
  await server.answer("chat.history", 1, { messages: messages(6, 10), more: true, epoch: "e1", version: 10 });
  await clock.until(() => room().isHeld);
  return played;
}

/** Closes the connection, and returns the hello of the next one. */
async function reconnect({ server, client, clock }) {
  const hellos = server.sent("hello").length;
  server.close(1012);
  const hello = await server.received("hello", hellos + 1);
  await clock.until(() => client.status.state === "live");
  return hello;
}

test("pushes are stored, dropped and completed", async (t) => {
  const { server, client, clock, room, log } = await playRoom(t);
  server.say(chat(10, [message(11)]));
  // Duplicates and older versions are ignored. A message below the cached range is ignored, but its version counts as
  // received.
  server.say(chat(9, [message(10, 9, { text: "Old" })], { upTo: 11 }));
  server.say(chat(11, [message(3, 12, { text: "Edited", editedAt: 2 })]));
  await clock.until(() => room().version === 12);
  assert.deepEqual(log(), [[6, 6], [7, 7], [8, 8], [9, 9], [10, 10], [11, 11]]);
  // A gap: one request at a time, up to the highest announced version.
  server.say(chat(20, [message(15, 21)]));
  server.say({ type: "chat_gap", room: "81", epoch: "e1", upTo: 30 });
  const asked = await server.received("chat.changes");
  assert.deepEqual([asked.after, asked.epoch], [12, "e1"]);
  await clock.run(10_000);
  assert.equal(server.sent("chat.changes").length, 1);
  await server.answer("chat.changes", 1, { messages: [message(12, 13), message(15, 21)], upTo: 21, more: true });
  assert.equal((await server.received("chat.changes", 2)).after, 21);
  await server.answer("chat.changes", 2, { messages: [message(13, 29), message(14, 30)], upTo: 30, more: false });
  await clock.until(() => room().version === 30);
  assert.deepEqual(log().map(([seq]) => seq), [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  // A new epoch clears the room; its version starts at that of the first push.
  server.say(chat(40, [message(16, 41)], { epoch: "e2" }));
  await clock.until(() => room().epoch === "e2" && room().version === 41);
  assert.deepEqual([log(), room().isHeld], [[], false]);
  assert.deepEqual(client.rooms.resume["81"], { epoch: "e2", version: 41, read: 10 });
});

for (const how of ["push", "answer"]) {
  test(`a sent message is complete by the ${how}`, async (t) => {
    const { server, client, clock, room, log } = await playRoom(t);
    const key = client.rooms.say("81", { text: "Mine" });
    const asked = await server.received("chat.send");
    assert.equal(asked.key, key);
    const own = message(11, 11, { key, from: ADA });
    server.say(how === "push" ? chat(10, [own]) : { type: "ok", id: asked.id, message: own, repeated: false });
    await clock.until(() => room().pending.length === 0);
    assert.deepEqual(log().at(-1), [11, 11]);
  });
}

test("a message that was deleted before its answer arrived is not sent for ever", async (t) => {
  const played = await playRoom(t);
  const { server, client, clock, room } = played;
  const key = client.rooms.say("81", { text: "Mine" });
  await server.received("chat.send");
  await reconnect(played);
  assert.equal((await server.answer("chat.send", 2, { message: deleted(11, 12, ADA), repeated: true })).key, key);
  await clock.until(() => room().pending.length === 0);
  await clock.run(10_000);
  assert.equal(server.sent("chat.send").length, 2);
  assert.equal(room().last.seq, 10);
});

test("an answer below the loaded messages leaves no hole", async (t) => {
  const { server, client, clock, room, log } = await playRoom(t);
  const key = client.rooms.say("81", { text: "Mine" });
  await server.answer("chat.send", 1, { message: message(2, 2, { key, from: ADA }), repeated: true });
  await clock.until(() => room().pending.length === 0);
  assert.equal(log()[0][0], 6);
  assert.ok(room().hasOlder);
});

test("a missed message is unread once, and a deleted one is not", async (t) => {
  const played = await playRooms(t);
  const { server, client, clock, room } = played;
  const counts = () => [room().unread, room().mentions];
  server.say(rooms(status()));
  await clock.until(() => room()?.seq === 10);
  server.say(chat(10, [message(11, 11, { mentions: ["7"] })]));
  await settled();
  assert.deepEqual(counts(), [1, 1]);
  assert.equal((await reconnect(played)).resume.rooms["81"].version, 11);
  server.say(rooms(status({ version: 14, seq: 13, read: 10, unread: 3, mentions: 1 })));
  server.say(chat(11, [message(12), message(13)], { upTo: 14 }));
  // A message that was edited before it arrived is unread too.
  server.say(chat(14, [message(14, 16, { editedAt: 2 })]));
  await clock.until(() => room().version === 16);
  assert.deepEqual(counts(), [4, 1]);
  // An unread message that is deleted is subtracted once, whether the server counted it or it was pushed.
  server.say(chat(16, [deleted(12, 17)]), chat(16, [deleted(12, 17), deleted(14, 18)]));
  // The user's own messages and those of blocked users do not count.
  client.rooms.setBlocked("9", true);
  server.say(chat(18, [message(15, 19, { from: ADA }), message(16, 20, { from: CY })]));
  await clock.until(() => room().version === 20);
  assert.deepEqual(counts(), [2, 1]);
  client.rooms.setBlocked("9", false);
  assert.equal(room().unread, 3);
  server.say({ type: "chat_read", room: "81", seq: 13, unread: 1, mentions: 0 });
  await clock.until(() => room().read === 13);
  assert.deepEqual(counts(), [1, 0]);
});

test("the read position is sent until the server has it, and not too often", async (t) => {
  const played = await playRooms(t);
  const { server, client, clock, room } = played;
  const unread = status({ version: 20, seq: 20, read: 10, unread: 10 });
  server.say(rooms(unread));
  await clock.until(() => room()?.seq === 20);
  for (const seq of [11, 12, 13]) client.rooms.markRead("81", seq);
  assert.equal((await server.answer("chat.read", 1, { unread: 9 })).seq, 11);
  await clock.run(900);
  assert.equal(server.sent("chat.read").length, 1);
  assert.equal((await server.received("chat.read", 2)).seq, 13);
  // The answer is lost; after the reconnect the server sends its read position.
  await reconnect(played);
  server.say(rooms({ ...unread, read: 11, unread: 9 }));
  await clock.until(() => room().readThere === 11);
  assert.deepEqual([room().read, room().unread], [13, 7]);
  assert.equal((await server.answer("chat.read", 3, { unread: 7 })).seq, 13);
  await clock.until(() => room().readThere === 13 && room().unread === 7);
  // If the server already has the read position, it is not sent again.
  await clock.run(10_000);
  assert.equal(server.sent("chat.read").length, 3);
});

test("an older page does not undo what changed while it was read", async (t) => {
  const { server, client, clock, room, log } = await playRoom(t);
  void client.rooms.older("81");
  await server.received("chat.history", 2);
  server.say(chat(10, [deleted(3, 11), message(4, 12, { text: "Edited", editedAt: 2 })]));
  await clock.until(() => room().version === 12);
  assert.equal(log()[0][0], 6, "nothing stands before the page");
  await server.answer("chat.history", 2, { messages: messages(2, 5), more: true, epoch: "e1", version: 10 });
  await clock.until(() => room().oldest === 2);
  assert.deepEqual(log().slice(0, 4), [[2, 2], [3, 11], [4, 12], [5, 5]]);
});

test("a slow room delays no other", async (t) => {
  const { server, client, clock, room } = await playRooms(t);
  server.say(rooms(status(), status({ room: "82" })));
  await clock.until(() => room("82") !== undefined);
  client.rooms.say("82", { text: "Soon" });
  client.rooms.say("81", { text: "Late" });
  for (const count of [1, 2]) {
    const { id, room: of } = await server.received("chat.send", count);
    const refusal = of === "82" ? { code: "unavailable", retryAfter: 300 } : { code: "rate_limited", retryAfter: 3_000_000 };
    server.say({ type: "error", id, message: "later", retry: true, ...refusal });
  }
  assert.equal((await server.received("chat.send", 3)).room, "82");
  // A further message in slow mode is not sent before the interval is over.
  client.rooms.say("81", { text: "More" });
  await clock.run(10_000);
  assert.equal(server.sent("chat.send").length, 3);
});

test("a message that is refused or never answered does not hold back the next", async (t) => {
  const played = await playRoom(t);
  const { server, client, clock, room } = played;
  for (const text of ["Refused", "Silent", "Next"]) client.rooms.say("81", { text });
  const refused = await server.received("chat.send", 1);
  server.say({ type: "error", id: refused.id, code: "bad_request", message: "text must be shorter.", retry: false, field: "text" });
  const silent = await server.received("chat.send", 2);
  assert.equal(silent.text, "Silent");
  await clock.jump(16_000);
  const sent = await server.received("chat.send", 3);
  assert.equal(sent.text, "Next");
  server.say({ type: "ok", id: sent.id, message: message(11, 11, { key: sent.key, from: ADA }), repeated: false });
  await clock.until(() => room().pending.length === 2);
  assert.deepEqual(room().pending.map(({ text, state, error }) => [text, state, error?.code ?? null]), [["Refused", "failed", "bad_request"], ["Silent", "failed", "timeout"]]);
  // Each message can be sent again with the same key. A message that may have been lost with its connection is sent
  // again on the next one.
  client.rooms.sayAgain("81", room().pending[0].key);
  assert.equal((await server.received("chat.send", 4)).key, refused.key);
  await reconnect(played);
  const own = { key: refused.key, from: ADA };
  assert.equal((await server.answer("chat.send", 5, { message: message(12, 12, own), repeated: false })).key, refused.key);
  assert.equal((await server.received("chat.send", 6)).key, silent.key);
});

test("the last line of a room is of nobody whom the user blocks", async (t) => {
  const { server, client, clock, room } = await playRooms(t);
  client.rooms.blocked.add("9");
  server.say(rooms(status({ last: message(10, 10, { from: CY }) })));
  await clock.until(() => room()?.seq === 10);
  assert.equal(room().last, null);
  server.say(chat(10, [message(11), message(12, 12, { from: CY })]));
  await clock.until(() => room().version === 12);
  assert.equal(room().last.seq, 11);
  server.say(chat(12, [message(13, 13, { from: CY }), message(14, 14, { from: { id: "10", name: "Di" } })]));
  await clock.until(() => room().version === 14);
  client.rooms.setBlocked("10", true);
  assert.equal(room().last, null);
});

for (const [name, options] of [["an open room", { opens: true }], ["a room of several pages", { opens: true, long: true }], ["a closed room", { opens: false }]]) {
  test(`every interleaving of ${name} ends in the server's log`, async () => {
    const thread = new Worker(new URL("./chat-seeds.mjs", import.meta.url), { workerData: { options, seeds: 300 } });
    const [differing] = await once(thread, "message");
    assert.deepEqual(differing.slice(0, 3), []);
  });
}

test("the next page continues from the state of the last, and sends what was not accepted once", async (t) => {
  const first = await playRoom(t);
  first.server.say({ type: "roster", group: "81", epoch: "k", version: 4, full: true, gathering: null, members: [{ user: "8", name: "Ben", lat: 1, lon: 2 }] });
  first.server.say(chat(10, [message(11)]));
  await first.clock.until(() => first.room().version === 11 && first.client.rosters.size === 1);
  first.client.rooms.markRead("81", 10);
  const last = first.client.snapshot({ messages: 3 });
  const key = first.client.rooms.say("81", { text: "Written in a tunnel" });
  const [pending] = first.room().pending;
  first.client.stop();

  const { server, client, clock } = await play(t, { rooms: true, on: first, last });
  const log = () => client.rooms.all.get("81").log.map(({ seq }) => seq);
  const { resume } = server.sent("hello")[0];
  assert.deepEqual(resume, { groups: { 81: { epoch: "k", version: 4 } }, rooms: { 81: { epoch: "e1", version: 11, read: 10 } } });
  assert.deepEqual(client.rosters.get("81").members.get("8"), { user: "8", name: "Ben", lat: 1, lon: 2 });
  assert.deepEqual([client.groups.get("81").id, client.user.id, client.rooms.all.get("81").unread], ["81", "7", 1]);
  // Three messages were kept, and pushes extend them.
  server.say(chat(11, [message(12)]));
  await clock.until(() => client.rooms.all.get("81").version === 12);
  assert.deepEqual(log(), [9, 10, 11, 12]);

  assert.equal(client.rooms.adopt("82", pending), false, "a room that is not known");
  for (let time = 0; time < 2; time += 1) assert.equal(client.rooms.adopt("81", pending), true);
  const sent = await server.received("chat.send");
  assert.deepEqual([sent.key, sent.text], [key, "Written in a tunnel"]);
  // The first page's request had arrived after all.
  server.say(chat(12, [message(13, 13, { from: ADA, key, text: "Written in a tunnel" })]));
  await clock.until(() => client.rooms.all.get("81").pending.length === 0);
  server.say({ type: "ok", id: sent.id, message: message(13, 13, { from: ADA, key, text: "Written in a tunnel" }) });
  await settled();
  assert.equal(client.rooms.adopt("81", pending), true);
  await clock.run(10_000);
  assert.equal(server.sent("chat.send").length, 1);
});
