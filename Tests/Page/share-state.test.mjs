/** The words about the user's position: what the others have, not what this device believes. */
import { START, Storage } from "./page.mjs";
import assert from "node:assert/strict";
import test from "node:test";

const { shareState } = await import("/app/you/share-state.js");
const { minutesOnFoot } = await import("/app/shell/alert-card.js");
const { hueOf } = await import("/app/ui/avatar.js");
const { merge } = await import("/app/map/clusters.js");
const { readFileSync } = await import("node:fs");

const HERE = { lat: 48.2082, lon: 16.3738 };
const AWAY = { lat: 48.28, lon: 16.3738 };
const ON = { mode: "gps", last: HERE, since: START - 1000, problem: null };
const OFF = { mode: "off", last: null, since: 0, problem: null };
const REFUSED = { ...OFF, since: START - 30_000, problem: "location is blocked in the browser" };
const row = (place, age = 0, sharing = "live") => ({ ...place, at: START - age, freshness: "live", sharing });

const base = { mode: "live", until: null, row: row(HERE), others: 8, source: ON, kept: 0, isLive: true, now: START };

for (const [name, changes, expected] of [
  ["others have this position", {}, ["live", "Live", "8 people see you"]],
  ["one other", { others: 1 }, ["live", "Live", "1 person sees you"]],
  ["alone", { others: 0 }, ["live", "Live", "nobody else here yet"]],
  ["others still have an old position far away", { row: row(AWAY, 60_000) }, ["finding", "Finding you…", null]],
  ["others have a position from this visit", { row: row(AWAY, 500) }, ["live", "Live", "8 people see you"]],
  ["nothing is known yet", { row: null, source: { ...ON, last: null } }, ["finding", "Finding you…", null]],
  ["approximate", { mode: "approximate", row: row({ lat: 48.21, lon: 16.37 }, 60_000, "approximate") }, ["approximate", "Approximate", "8 people see you"]],
  ["hidden", { mode: "paused" }, ["hidden", "Hidden", null]],
  ["another device reports", { source: OFF }, ["live", "Live", "8 people see you"]],
  ["no device reports", { source: OFF, row: row(HERE, 20 * 60_000) }, ["last", "Not sharing", "last seen 20 min ago"]],
  ["no device reports, of an area", { mode: "approximate", source: OFF, row: row(HERE, 20 * 60_000, "approximate") }, ["last", "Not sharing", "last seen 20 min ago"]],
  ["no device reports offline", { isLive: false, source: OFF, row: row(HERE, 20 * 60_000) }, ["last", "Not sharing", "last seen 20 min ago"]],
  ["this device has just stopped", { source: { ...OFF, since: START - 1000 }, row: row(HERE, 2000) }, ["last", "Not sharing", "last seen just now"]],
  ["no device has ever reported", { source: OFF, row: { sharing: "live" } }, ["hidden", "Hidden", null]],
  ["the browser refuses", { source: REFUSED, row: { sharing: "live" } }, ["stopped", "Stopped: location is blocked in the browser", null]],
  ["the browser refuses after a report", { source: REFUSED, row: row(HERE, 60_000) }, ["stopped", "Stopped: location is blocked in the browser", "last seen 1 min ago"]],
  ["the browser refuses while another device reports", { source: REFUSED, row: row(AWAY, 1000) }, ["live", "Live", "8 people see you"]],
  ["a jump that the server holds", { source: { ...ON, since: START - 100 }, row: row(AWAY, 500) }, ["finding", "Finding you…", null]],
  ["offline", { isLive: false, kept: 12 }, ["waiting", "Waiting", "12 positions kept"]],
  ["offline without a step", { isLive: false }, ["waiting", "Waiting", "for a connection"]],
]) {
  test(`what others see: ${name}`, () => {
    const { kind, word, detail } = shareState({ ...base, ...changes });
    assert.deepEqual([kind, word, detail], expected);
  });
}

const { describe, inOrder } = await import("/app/people/person.js");
const { moment } = await import("/app/ui/text.js");
const { Kept } = await import("/app/storage.js");

const MINUTE = 60_000;
const LOST = START - 30 * MINUTE;
const ben = (age, fields) => ({ user: "8", name: "Ben", ...AWAY, at: START - age, presence: "online", sharing: "live", ...fields });

for (const [name, member, about, [line, age]] of [
  ["a new position", ben(0), {}, ["Seen just now", "just now"]],
  ["an older one", ben(4 * MINUTE), {}, ["4 min ago", "last seen 4 min ago"]],
  ["a stale one", ben(20 * MINUTE), {}, ["Last seen 20 min ago", "last seen 20 min ago"]],
  ["a new one before the connection was lost", ben(30 * MINUTE), { asOf: LOST }, [`As of ${moment(LOST, START)}`, `last seen ${moment(LOST, START)}`]],
  ["the same a moment after", ben(0), { asOf: START }, [`As of ${moment(START, START)}`, `last seen ${moment(START, START)}`]],
  ["a stale one before the connection was lost", ben(50 * MINUTE), { asOf: LOST }, [`Last seen ${moment(LOST - 20 * MINUTE, START)}`, `last seen ${moment(LOST - 20 * MINUTE, START)}`]],
  ["a walker without a connection", ben(30 * MINUTE, { speed: 1.5 }), { asOf: LOST }, [`As of ${moment(LOST, START)}`, `last seen ${moment(LOST, START)}`]],
  ["a hidden member without a connection", ben(0, { sharing: "paused" }), { asOf: LOST }, ["Hidden", "hidden"]],
  ["oneself without a connection", ben(0), { asOf: LOST, isMe: true }, ["You are here", "just now"]],
]) {
  test(`the age of a position: ${name}`, () => {
    const described = describe(member, { now: START, isMe: false, ...about });
    assert.equal(described.line, line);
    assert.ok(described.label.endsWith(`, ${age}`), described.label);
  });
}

test("without a connection the order of the list is that of the last moment", () => {
  const members = [ben(36 * MINUTE, { user: "8", name: "Ben" }), ben(31 * MINUTE, { user: "9", name: "Zoe" })];
  const names = (about) => inOrder(members, { me: "7", now: START, ...about }).map(({ name }) => name);
  assert.deepEqual([names({}), names({ asOf: LOST })], [["Ben", "Zoe"], ["Zoe", "Ben"]]);
});

const full = () => Object.assign(new Storage(), { setItem: () => assert.fail("full") });
const refused = () => assert.fail("refused");
for (const [name, area] of [["there", new Storage()], ["full", full()], ["refused", null]]) {
  test(`what a page keeps is kept in a storage that is ${name}`, () => {
    const kept = new Kept(() => area ?? refused());
    assert.deepEqual([kept.getItem("muster.a"), kept.get("muster.a", [])], [null, []]);
    kept.set("muster.a", [1]);
    kept.setItem("muster.b", "not JSON");
    assert.deepEqual([kept.get("muster.a"), kept.get("muster.b", 7), kept.getItem("muster.b")], [[1], 7, "not JSON"]);
    kept.clear(["muster.b"]);
    assert.deepEqual([kept.getItem("muster.a"), kept.getItem("muster.b")], [null, "not JSON"]);
  });
}

test("what has no room leaves nothing older behind", () => {
  const area = new Storage();
  const kept = new Kept(() => area);
  kept.setItem("muster.a", "old");
  area.setItem = () => assert.fail("full");
  kept.setItem("muster.a", "new");
  assert.deepEqual([kept.getItem("muster.a"), area.getItem("muster.a")], ["new", null]);
});

test("an end is said of what is less than live", () => {
  assert.match(shareState({ ...base, mode: "paused", until: START + 3_600_000 }).detail, /^until /);
});

test("the time on foot is in steps of five minutes from ten on, and not of a journey", () => {
  assert.deepEqual([40, 700, 2700, 2100, 30_000].map(minutesOnFoot), [1, 9, 35, 30, null]);
});

test("a person's colour is of the id alone, as on the server", () => {
  for (const { person, hue } of JSON.parse(readFileSync(new URL("../Fixtures/colours.json", import.meta.url), "utf8"))) assert.equal(hueOf(person), hue, person);
});

test("drawings that overlap become one, until none do, and who is moved by hand stays alone", () => {
  const group = (key, x, y, isFixed = false) => ({ x, y, weight: 1, points: [{ key, isFixed }] });
  const size = () => ({ width: 60, above: 23, below: 47 });
  const found = merge([group("a", 0, 0), group("b", 50, 0), group("c", 84, 10), group("d", 400, 0), group("e", 410, 0, true)], size);
  assert.deepEqual(found.map(({ points }) => points.map(({ key }) => key).sort().join("")).sort(), ["abc", "d", "e"]);
});
