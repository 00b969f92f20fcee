import { hasPhrase, locale, phrase } from "./words.js";

const DAY = 86_400_000;

const time = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const dated = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short" });
const fullDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const datedWithYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });

/** A length of time in words: "just now" is for under ten seconds. */
export function ago(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 10) return phrase("time.now");
  if (seconds < 60) return phrase("time.secondsAgo", { count: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return phrase("time.minutesAgo", { count: minutes });
  const hours = Math.round(minutes / 60);
  if (hours < 48) return phrase("time.hoursAgo", { count: hours });
  return phrase("time.daysAgo", { count: Math.round(hours / 24) });
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

/** A moment as a clock time, with the day when it is not today. */
export function moment(at, now = Date.now()) {
  if (midnight(at) === midnight(now)) return time.format(at);
  return `${(Math.abs(now - at) < 6 * DAY ? weekday : date).format(at)}, ${time.format(at)}`;
}

/** A moment as a clock time alone. */
export function clock(at) {
  return time.format(at);
}

/** A day in full: "2 December". */
export function longDay(at) {
  return fullDay.format(at);
}

/** The name of a moment's day: "Today", "Yesterday", "Tue, 3 Mar". */
export function day(at, now = Date.now()) {
  return dayName(at, now);
}

/** A period with the day: "Today, 14:02–15:30"; an end of null is in the future: "Today, since 14:02". */
export function span(from, to, now = Date.now()) {
  const start = dayName(from, now);
  if (to === null) return phrase("time.since", { day: start, time: time.format(from) });
  if (midnight(from) === midnight(to)) return `${start}, ${time.formatRange(from, to)}`;
  return `${start}, ${time.format(from)} – ${dayName(to, now)}, ${time.format(to)}`;
}

function dayName(at, now) {
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0 || days === 1) return days === 0 ? phrase("time.today") : phrase("time.yesterday");
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? dated : datedWithYear).format(at);
}

/** A duration: "under a minute", "28 min", "1 h 28 min", "2 days". */
export function lasting(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return phrase("time.underMinute");
  if (minutes < 60) return phrase("unit.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return phrase("time.days", { count: Math.round(hours / 24) });
  return minutes % 60 === 0 ? phrase("unit.hours", { count: hours }) : phrase("time.hoursMinutes", { hours, minutes: minutes % 60 });
}

function midnight(at) {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** A text with a capital first letter. */
export function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}

/** A distance in words. */
export function distance(metres) {
  if (metres < 50) return phrase("unit.metres", { count: Math.round(metres) });
  if (metres < 995) return phrase("unit.metres", { count: Math.round(metres / 10) * 10 });
  return phrase("unit.kilometres", { count: metres < 10_000 ? decimal(metres / 1000) : Math.round(metres / 1000) });
}

/** The distance to something, in words. */
export function away(metres) {
  return metres < 10 ? phrase("distance.here") : phrase("distance.away", { distance: distance(metres) });
}

const WINDS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

/** A direction in words, from degrees clockwise from true north. */
export function direction(degrees) {
  return phrase(`direction.${WINDS[Math.round(degrees / 45) % 8]}`);
}

/** A number with one decimal. */
export function decimal(value) {
  return tenths.format(value);
}

/** Characters that may reverse surrounding text: direction marks, and blocks of right-to-left scripts. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates user-supplied text for use in a sentence: it cannot reverse the surrounding text or end its own isolation.
 *
 * The server has the same rule (`Isolation.swift`).
 */
export function isolated(text) {
  if (!TURNING.test(text)) return text;
  let depth = 0;
  let inner = "";
  for (const character of text) {
    if (/[\u2066-\u2068]/.test(character)) depth += 1;
    else if (character === "\u2069" && --depth < 0) {
      depth = 0;
      continue;
    }
    inner += character;
  }
  return `\u2068${inner}${"\u2069".repeat(depth + 1)}`;
}

/** "Ada", "Ada and Ben", "Ada, Ben and 3 others". */
export function people(called, most = 3) {
  const names = called.map(isolated);
  if (names.length === 0) return phrase("list.nobody");
  if (names.length === 1) return names[0];
  const rest = names.length - most;
  if (rest > 1) return phrase("list.others", { names: names.slice(0, most).join(", "), count: rest });
  return phrase("list.and", { names: names.slice(0, -1).join(", "), last: names.at(-1) });
}

const CHARACTERS = new Intl.Segmenter("und", { granularity: "grapheme" });

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

/** The time until something, for a countdown: "1 s" to "59 s", then minutes. */
export function remaining(milliseconds) {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return seconds < 60 ? phrase("unit.seconds", { count: seconds }) : phrase("unit.minutes", { count: Math.ceil(seconds / 60) });
}

/** What stands in place of a list that is not here yet. */
export function waiting({ status }) {
  return status.state === "live" ? phrase("loading") : phrase("offline.needed");
}

/** Whether a module or an answer could not be loaded. Browsers say so in their own words only. */
export function isOfNetwork(error) {
  return error instanceof TypeError && /fetch|imported module|module script|network|load failed/i.test(error.message);
}

/**
 * The message for the user about an error of the server or of this page.
 *
 * Each error code has words of the page: the server's own text is for developers.
 */
export function explain(error) {
  if (error.code === "rate_limited" && error.retryAfter >= 1000) return phrase("errors.rate_limited.until", { time: remaining(error.retryAfter) });
  if (typeof error.code === "string" && hasPhrase(`errors.${error.code}`)) return phrase(`errors.${error.code}`);
  if (error instanceof TypeError) return isOfNetwork(error) ? phrase("errors.unreachable") : phrase("errors.page");
  // An error of this page's own code has words for the user.
  return (typeof error.code !== "string" && error.message) || phrase("errors.internal");
}
