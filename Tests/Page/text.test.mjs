/** Words of the page: names that users type, initials, and excerpts. The server has the same rules for names. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import "./page.mjs";

const { excerpt, initials, people, placeName } = await import("/app/ui/names.js");
const { away, direction, distance, explain, isolated, remaining } = await import("/app/ui/text.js");
const { ago, lasting } = await import("/app/ui/times.js");
const { hasPhrase, phrase } = await import("/app/ui/words.js");

// As in `IsolationTests.swift`.
for (const [text, expected] of [
  ["Ada", "Ada"],
  ["Zoë 🧗", "Zoë 🧗"],
  ["אבא", "\u2068אבא\u2069"],
  ["a\u202eb", "\u2068a\u202eb\u2069"],
  ["a\u2069\u202eb", "\u2068a\u202eb\u2069"],
  ["\u2067a", "\u2068\u2067a\u2069\u2069"],
  ["\u2066a\u2069\u2069b", "\u2068\u2066a\u2069b\u2069"],
]) {
  test(`a text that may reverse its surroundings is isolated: ${JSON.stringify(text)}`, () => assert.equal(isolated(text), expected));
}

test("names in a list are isolated one by one", () => {
  assert.equal(people(["אבא", "Ada", "a\u202eb"]), "\u2068אבא\u2069, Ada and \u2068a\u202eb\u2069");
});

test("an excerpt ends between characters", () => {
  for (const [text, most, expected] of [["abc", 3, "abc"], ["abcd", 3, "abc…"], ["a👍🏽b", 2, "a👍🏽…"], ["👨‍👩‍👧x", 2, "👨‍👩‍👧x"]]) {
    assert.equal(excerpt(text, most), expected);
  }
});

test("initials are those that the server draws", () => {
  const { initials: cases } = JSON.parse(readFileSync(new URL("../Fixtures/badges.json", import.meta.url), "utf8"));
  assert.ok(cases.length > 10);
  for (const { name, initials: expected } of cases) assert.equal(initials(name), expected, JSON.stringify(name));
});

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

for (const [words, cases] of [
  [ago, [[9 * SECOND, "just now"], [10 * SECOND, "10 s ago"], [-HOUR, "just now"], [59.6 * SECOND, "1 min ago"], [59 * MINUTE, "59 min ago"], [47 * HOUR, "47 h ago"], [48 * HOUR, "2 days ago"]]],
  [lasting, [[59 * SECOND, "under a minute"], [28 * MINUTE, "28 min"], [HOUR, "1 h"], [HOUR + 28 * MINUTE, "1 h 28 min"], [47 * HOUR, "47 h"], [48 * HOUR, "2 days"]]],
  [remaining, [[-SECOND, "1 s"], [58_001, "59 s"], [59_001, "1 min"], [61 * SECOND, "2 min"]]],
  [distance, [[7.4, "7 m"], [49.4, "49 m"], [51, "50 m"], [994, "990 m"], [995, "1.0 km"], [2140, "2.1 km"], [10_400, "10 km"]]],
  [away, [[9, "right here"], [156, "160 m away"]]],
  [direction, [[0, "north"], [23, "north-east"], [180, "south"], [338, "north"], [359.9, "north"]]],
]) {
  test(`numbers are said in words: ${words.name}`, () => {
    for (const [number, expected] of cases) assert.equal(words(number), expected, `${words.name}(${number})`);
  });
}

test("a count is said with its noun, and a long list with how many others", () => {
  assert.deepEqual([1, 3, 0, 1200].map((count) => phrase("count.people", { count })), ["1 person", "3 people", "0 people", "1,200 people"]);
  assert.deepEqual(
    [[], ["Ada"], ["Ada", "Ben"], ["A", "B", "C", "D"], ["A", "B", "C", "D", "E"]].map((names) => people(names)),
    ["nobody", "Ada", "Ada and Ben", "A, B, C and D", "A, B, C and 2 others"],
  );
});

const contracts = ["asyncapi", "openapi"].map((name) => JSON.parse(readFileSync(new URL(`../../public/${name}.json`, import.meta.url))));
const client = ["http", "requests", "photos"].map((name) => readFileSync(new URL(`../../public/client/${name}.js`, import.meta.url), "utf8")).join("");

test("each error code of the two contracts and of the client has words of its own, and no text of the server is shown", () => {
  const codes = new Set([...contracts.flatMap(({ components }) => components.schemas.ErrorCode.enum), ...[...client.matchAll(/code: "(\w+)"/g)].map(([, code]) => code)]);
  assert.deepEqual([...codes].filter((code) => !hasPhrase(`errors.${code}`)), []);
  assert.equal(new Set([...codes].map((code) => phrase(`errors.${code}`))).size, codes.size, "two codes have the same words");
  for (const code of [...codes, "a_later_code"]) {
    const shown = explain({ code, message: "the token is unknown", retryAfter: 20_000 });
    assert.match(shown, /^[A-Z].*\.$/u);
    assert.ok(!shown.includes("token"));
  }
  assert.equal(explain({ code: "rate_limited", retryAfter: 20_000 }), "That was too often. Try again in 20 s.");
  assert.equal(explain(new Error("This file cannot be read.")), "This file cannot be read.");
});

test("coordinates are no name of a place", () => {
  for (const [label, name] of [["48.2082, 16.3738", null], ["-1.5,2", null], ["Vienna, Austria", "Vienna, Austria"], ["12, Long Street", "12, Long Street"], [null, null]]) assert.equal(placeName(label), name);
});
