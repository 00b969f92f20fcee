// The contrasts of the page's colours.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { contrast } from "./contrast.mjs";

const css = readFileSync(new URL("../../public/style.css", import.meta.url), "utf8");

// The colours that a block of custom properties sets, by name.
function colours(block) {
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

const blocks = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, block]) => colours(block));
const [light, dark, moreLight, moreDark] = blocks;
const themes = {
  light,
  dark: { ...light, ...dark },
  "light, more contrast": { ...light, ...moreLight },
  "dark, more contrast": { ...light, ...dark, ...moreDark },
};

// What is drawn, on what, and the least contrast: 4.5 for text, 3 for the edge of a control.
const pairs = [
  ["ink", "ground", 4.5], ["ink", "surface", 4.5], ["ink", "sunken", 4.5],
  ["ink-2", "ground", 4.5], ["ink-2", "surface", 4.5], ["ink-2", "sunken", 4.5],
  ["accent", "surface", 4.5], ["accent", "ground", 4.5], ["accent-ink", "accent", 4.5], ["soft-ink", "soft", 4.5],
  ["accent", "soft", 4.5],
  ["danger", "surface", 4.5], ["danger", "danger-soft", 4.5], ["warn", "warn-soft", 4.5], ["strip-ink", "strip", 4.5],
  ["control", "surface", 3], ["control", "ground", 3],
];

test("a style sheet has the colours of four themes", () => assert.equal(blocks.length, 4));

for (const [theme, named] of Object.entries(themes)) {
  test(`contrasts: ${theme}`, () => {
    for (const [drawn, ground, least] of pairs) {
      const ratio = contrast(named[drawn], named[ground]);
      assert.ok(ratio >= least, `${drawn} on ${ground}: ${ratio.toFixed(2)}, at least ${least} is needed`);
    }
  });
}

test("white letters on each colour of a person", () => {
  const hues = [...css.matchAll(/\.hue-\d+ \{ --hue: (#[0-9a-f]{6}); \}/g)].map(([, hue]) => hue);
  assert.equal(hues.length, 12);
  for (const hue of hues) assert.ok(contrast("#ffffff", hue) >= 4.5, hue);
});
