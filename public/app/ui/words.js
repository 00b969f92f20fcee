import { local } from "../storage.js";

/**
 * The words of the page, in the language of the user.
 *
 * A table for each language, in `app/words/`, has them by key. A text has placeholders, `{name}`; one that depends on a count
 * has a form for each plural category of its language: `{ one: "{count} member", other: "{count} members" }`.
 */

/** The languages: the name of each in itself, its table, and the part of it for a watch. A right-to-left language has `dir: "rtl"`, too. */
export const LANGUAGES = {
  en: { name: "English", load: () => import("../words/en.js"), loadShort: () => import("../words/en-short.js") },
  de: { name: "Deutsch", load: () => import("../words/de.js"), loadShort: () => import("../words/de-short.js") },
};

const CHOICE = "muster.language";

const languageOf = (tag) => tag.split("-")[0].toLowerCase();
const offered = globalThis.navigator?.languages ?? [];

/** The language that the user chose for this browser; null for the language of the browser. */
export function chosenLanguage() {
  return local.getItem(CHOICE);
}

/** Keeps the choice of a language. It applies to pages that are opened after it. */
export function chooseLanguage(language) {
  if (language === null) local.removeItem(CHOICE);
  else local.setItem(CHOICE, language);
}

/** The language of this page: the chosen one, or the first of the browser's that has a table. */
export const language = [chosenLanguage(), ...offered].filter(Boolean).map(languageOf).find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en";

/** The locale of times and numbers: the language, with the region that the browser names for it. */
export const locale = offered.find((tag) => languageOf(tag) === language) ?? language;

const table = {};
const plural = new Intl.PluralRules(language);
const number = new Intl.NumberFormat(locale);

/** Loads the table of the language; `isShort`: the part that a watch needs. No text may be asked for before. */
export async function loadWords({ isShort = false } = {}) {
  const { load, loadShort } = LANGUAGES[language];
  Object.assign(table, (await (isShort ? loadShort() : load())).default);
}

/** Loads what a bundle has in a second table: the words that the page does not need at the start. */
export async function loadOtherWords() {
  Object.assign(table, (await LANGUAGES[language].loadOthers?.())?.default);
}

/** A text of the table, with the values of its placeholders. A number among them is written as the language does. */
export function phrase(key, values = {}) {
  return textOf(key, values).replace(/\{(\w+)\}/g, (_, name) => written(values[name]));
}

/** A text of the table as a list of strings and of the elements that are values of placeholders. */
export function phraseNodes(key, values) {
  return textOf(key, values).split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : written(values[part])));
}

/** Whether the table has a text. */
export function hasPhrase(key) {
  return Object.hasOwn(table, key);
}

function textOf(key, { count }) {
  const text = table[key];
  if (text === undefined) throw new Error(`no words for "${key}" are loaded`);
  return typeof text === "string" ? text : text[plural.select(count)];
}

function written(value) {
  return typeof value === "number" ? number.format(value) : value;
}

/** Puts the words into the parts of the document that came with it: `data-phrase` and `data-phrase-label` have the keys. */
export function translateDocument() {
  const { dir = "ltr" } = LANGUAGES[language];
  Object.assign(document.documentElement, { lang: language, dir });
  for (const part of document.querySelectorAll("[data-phrase]")) part.textContent = phrase(part.dataset.phrase);
  for (const part of document.querySelectorAll("[data-phrase-label]")) part.setAttribute("aria-label", phrase(part.dataset.phraseLabel));
}
