import { isolated } from "./text.js";
import { phrase } from "./words.js";

const CHARACTERS = new Intl.Segmenter("und", { granularity: "grapheme" });

/** "Ada", "Ada and Ben", "Ada, Ben and 3 others". */
export function people(called, most = 3) {
  const names = called.map(isolated);
  if (names.length === 0) return phrase("list.nobody");
  if (names.length === 1) return names[0];
  const rest = names.length - most;
  if (rest > 1) return phrase("list.others", { names: names.slice(0, most).join(", "), count: rest });
  return phrase("list.and", { names: names.slice(0, -1).join(", "), last: names.at(-1) });
}

/** A text with a capital first letter. */
export function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}

/** The first `most` characters of a text, with an ellipsis if it is longer. */
export function excerpt(text, most) {
  // Never within a character that takes several code units, such as an emoji.
  if (text.length <= most) return text;
  let end = 0;
  let count = 0;
  for (const { segment } of CHARACTERS.segment(text)) {
    if (count === most) return `${text.slice(0, end).trimEnd()}…`;
    count += 1;
    end += segment.length;
  }
  return text;
}

/** The first user-perceived character of a word. */
function firstCharacter(word) {
  return CHARACTERS.segment(word)[Symbol.iterator]().next().value.segment;
}

/** Uppercases a character, except for Georgian letters: their capitals are for headlines, and few fonts have them. */
function raised(character) {
  return /[\u10d0-\u10ff]/u.test(character) ? character : character.toUpperCase();
}

/**
 * The initials of a person without a picture: the first character of the first and of the last word.
 *
 * The server has the same rule (`Badge.swift`); `Tests/Fixtures/badges.json` has test cases for both.
 */
export function initials(name) {
  const words = name.split(/\p{White_Space}+/u).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => raised(firstCharacter(word))).join("") || "?";
}

/** The first two characters of a name, for members whose initials are the same. */
export function twoLetters(name) {
  const [first, second] = CHARACTERS.segment(name.trim());
  return `${raised(first?.segment ?? "?")}${second?.segment.trim() ?? ""}`;
}

/** The name of a place; null for a label of coordinates, which say nothing to a reader. */
export function placeName(label) {
  return /^-?\d+(\.\d+)?,\s*-?\d+(\.\d+)?$/u.test(label ?? "") ? null : (label ?? null);
}
