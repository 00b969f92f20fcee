/** The tables of words: each language has each text, the page uses each of them, and has no other texts. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import "./page.mjs";
import { literalsOf } from "./literals.mjs";

const PUBLIC = new URL("../../public/", import.meta.url);
const { LANGUAGES } = await import("/app/ui/words.js");
const tables = Object.fromEntries(await Promise.all(Object.entries(LANGUAGES).map(async ([language, { load }]) => [language, (await load()).default])));
const { en, ...others } = tables;

const modules = ["app", "watch"].flatMap((folder) => readdirSync(new URL(folder, PUBLIC), { recursive: true }).map((file) => `${folder}/${file}`))
  .filter((file) => file.endsWith(".js") && !file.startsWith("app/words/")).map((file) => ({ file, source: readFileSync(new URL(file, PUBLIC), "utf8") }));

const formsOf = (text) => (typeof text === "string" ? { whole: text } : text);
const placeholdersOf = (text) => [...new Set(Object.values(formsOf(text)).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].sort();

test("each language has its files, and each file is of a language", () => {
  const files = Object.keys(LANGUAGES).flatMap((language) => [`${language}.js`, `${language}-short.js`]);
  assert.deepEqual(readdirSync(new URL("app/words", PUBLIC)).sort(), files.sort());
});

for (const [language, table] of Object.entries(tables)) {
  test(`the table of ${language} has one entry a line, which a bundle needs, and the plural forms of its language`, () => {
    const lines = ["-short", ""].flatMap((part) => readFileSync(new URL(`app/words/${language}${part}.js`, PUBLIC), "utf8").split("\n").filter((line) => /^ {2}[^.]/.test(line)));
    assert.deepEqual(lines.map((line) => /^ {2}"([\w.-]+)": (?:".*"|\{.*\}),$/.exec(line)?.[1]), Object.keys(table));
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
    for (const [key, text] of Object.entries(table)) {
      if (typeof text !== "string") assert.deepEqual(Object.keys(text).sort(), forms, key);
      for (const form of Object.values(formsOf(text))) assert.ok(form !== "" && !/ {2}/.test(form), key);
    }
  });
}

for (const [language, table] of Object.entries(others)) {
  test(`the table of ${language} has the texts of the English one, with the same placeholders`, () => {
    assert.deepEqual(Object.keys(table), Object.keys(en));
    for (const key of Object.keys(en)) {
      assert.deepEqual(placeholdersOf(table[key]), placeholdersOf(en[key]), key);
      assert.equal(typeof table[key], typeof en[key], key);
    }
  });
}

test("a text with plural forms is used with a count", () => {
  for (const { file, source } of modules) {
    for (const [call, key] of source.matchAll(/\bphrase(?:Nodes)?\("([\w.-]+)"(?:, \{[^\n]*|\))/g)) {
      if (typeof en[key] === "object") assert.match(call, /\bcount\b|\bvalues\b/, `${file}: ${key}`);
    }
  }
});

/** Keys in these files: those that are written out, and the beginnings of those that are put together. */
function usedKeys(files) {
  const sources = files.map((file) => readFileSync(new URL(file, PUBLIC), "utf8"));
  const whole = new Set();
  const begun = new Set();
  for (const source of sources) {
    for (const [, key] of source.matchAll(/\b(?:phrase|phraseNodes)\("([^"]+)"/g)) whole.add(key);
    for (const [, key] of source.matchAll(/\bdata-phrase(?:-label)?="([^"]+)"/g)) whole.add(key);
    for (const [, key] of source.matchAll(/`([a-z]\w*\.(?:\w+\.)*)\$\{/g)) begun.add(key);
  }
  return { whole, begun: [...begun] };
}

test("each key stands in its call, written out or begun, which a bundle needs", () => {
  for (const { file, source } of modules.filter(({ file: name }) => name !== "app/ui/words.js")) {
    for (const [call] of source.matchAll(/\bphrase(?:Nodes)?\((?!"[\w.-]+"|`)[^\n]*/g)) assert.fail(`${file}: ${call}`);
  }
});

test("each text is used, and each used one exists", () => {
  const { whole, begun } = usedKeys([...modules.map(({ file }) => file), "index.html", "watch.html"]);
  assert.deepEqual([...whole].filter((key) => !Object.hasOwn(en, key)), [], "used, and in no table");
  assert.deepEqual(Object.keys(en).filter((key) => !whole.has(key) && !begun.some((start) => key.startsWith(start))), [], "never used");
});

test("the short table has what the watch uses", async () => {
  const files = new Set(["watch/watch.js", "watch/map.js"]);
  for (const file of files) {
    for (const [, name] of readFileSync(new URL(file, PUBLIC), "utf8").matchAll(/^import [^;]*"([./][^"]+\.js)";$/gm)) files.add(new URL(name, new URL(file, PUBLIC)).href.slice(PUBLIC.href.length));
  }
  const { whole, begun } = usedKeys([...files, "watch.html"]);
  const short = (await LANGUAGES.en.loadShort()).default;
  assert.ok(whole.size > 30);
  assert.deepEqual(Object.keys(en).filter((key) => (whole.has(key) || begun.some((start) => key.startsWith(start))) !== Object.hasOwn(short, key)), []);
});

/**
 * Literals that look like texts, and are none.
 *
 * - Names: of products, of the device to the server, and of this page.
 * - Source code: queries of media and elements, attributes, events, keys of keyboards and of the wire.
 */
const NO_TEXTS = [
  /^(Muster|\{\}\{\} · Muster|Apple Maps|OpenStreetMap|OwnTracks|Overland|Traccar Client|OsmAnd|English|Deutsch)$/, /^(https:\/\/|\{\})…$/,
  /^(Edg\/|Edge|Edg|Firefox\/?|Chrome\/?|Safari\/?|Android|iPhone|iPad|Mac OS|Mac|Windows|Linux|Browser|a device|\{\} on \{\}|Watch page)$/,
  /^(Enter|Escape|Tab|ArrowDown|ArrowUp|ContextMenu|Feature|Point|Notification|PushManager|Content-Type|Bearer \{\}|crispEdges|noopener noreferrer)$/,
  /^(\(pointer|\(min-width|\(prefers-|\(display-mode|:hover|dialog, |textarea, |input, |li:not|\[data-|url\(|translate\(|transform |<a href)/,
  /^(module script|[\w ]*(?:zoom|move|viewreset)[\w ]*)$/,
  /^[a-z]+([A-Z][a-z]+)+$/, /^\{\}(px|deg|ms)?( \{\}(px|deg)?)*$/, /^(fixed|count) \{\}$/, /^M[\d{]/,
];
const isOfClass = /(?:\bclass: |, "class", |className(?: =|:) )(?:[^"`,]*|.*\$\{[^}]*)$/;
const isThrown = /\bthrow (?:new|Object\.assign\(new) (?:Error|TypeError|RangeError)\($/;

test("no module has a text of its own", () => {
  const texts = [];
  // The modules of the streets draw; their errors are for developers.
  for (const { file, source } of modules.filter(({ file: name }) => !name.startsWith("app/streets/"))) {
    for (const { text, before, start } of literalsOf(source)) {
      const words = text.replaceAll("{}", "");
      const looksLikeText = /\p{Lu}\p{Ll}|\p{L}[,;:]? \p{L}|…|’/u.test(words) && !/^[./#]|^app\/|\.(css|js)$|^[\w-]+(\.[\w-]+)+$/.test(text);
      if (!looksLikeText || NO_TEXTS.some((known) => known.test(text)) || isOfClass.test(before) || isThrown.test(before)) continue;
      texts.push(`${file}:${source.slice(0, start).split("\n").length}: ${text}`);
    }
  }
  assert.deepEqual(texts, []);
});
