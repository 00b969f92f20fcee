import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.mjs";

const { heardBy, hereNow } = await import("/app/people/group-places.js");
const { wordsOf } = await import("/app/shell/notices.js");

const NAMES = new Map([["8", "Bo"], ["9", "Ada"]]);

test("a sentence says who hears when the user arrives", () => {
  for (const [notify, sentence] of [
    ["nobody", "Nobody hears when you arrive here."],
    [[], "Nobody hears when you arrive here."],
    [["7"], "Nobody hears when you arrive here."],
    [["8"], "Bo hears when you arrive here."],
    [["8", "9"], "Bo and Ada hear when you arrive here."],
    ["everybody", "Everybody in the group hears when you arrive here, also who joins later."],
  ]) assert.equal(heardBy({ notify }, NAMES), sentence);
});

test("a sentence says who is there", () => {
  assert.equal(hereNow({ here: [] }, NAMES), null);
  assert.equal(hereNow({}, NAMES), null);
  assert.equal(hereNow({ here: [{ user: "8", since: 1 }, { user: "9", since: 2 }] }, NAMES), "Bo and Ada are here.");
});

test("an arrival and a departure have words of their own", () => {
  const now = Date.UTC(2026, 10, 27, 12);
  const notice = { user: { id: "8", name: "Bo" }, place: { id: "5", name: "Home", icon: "home" }, since: now, group: "81", groupName: "Climbers" };
  assert.equal(wordsOf({ ...notice, type: "place_arrived" }, now).title, "Bo arrived at Home");
  const left = wordsOf({ ...notice, type: "place_left" }, now);
  assert.equal(left.title, "Bo left Home");
  assert.deepEqual(left.way, ["people", ["8"], { group: "81" }]);
});
