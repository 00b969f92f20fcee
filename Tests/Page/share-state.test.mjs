/** The words about the user's position: what the others have, not what this device believes. */
import { START } from "./page.mjs";
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
  ["no device reports", { source: OFF, row: row(HERE, 20 * 60_000) }, ["hidden", "Hidden", null]],
  ["the browser refuses", { source: { ...OFF, problem: "location is blocked in the browser" } }, ["stopped", "Stopped: location is blocked in the browser", null]],
  ["offline", { isLive: false, kept: 12 }, ["waiting", "Waiting", "12 positions kept"]],
  ["offline without a step", { isLive: false }, ["waiting", "Waiting", "for a connection"]],
]) {
  test(`what others see: ${name}`, () => {
    const { kind, word, detail } = shareState({ ...base, ...changes });
    assert.deepEqual([kind, word, detail], expected);
  });
}

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
