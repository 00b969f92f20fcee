/** Words of the page: names that users type, initials, and excerpts. The server has the same rules for names. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import "./page.mjs";

const { excerpt, initials, isolated, people } = await import("/app/ui/text.js");

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
