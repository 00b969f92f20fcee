import { hasPhrase, locale, phrase } from "./words.js";

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** The format of a clock time. */
export const time = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A moment as a clock time, with the day when it is not today. */
export function moment(at, now = Date.now()) {
  if (midnight(at) === midnight(now)) return time.format(at);
  return `${(Math.abs(now - at) < 6 * DAY ? weekday : date).format(at)}, ${time.format(at)}`;
}

/** A moment as a clock time alone. */
export function clock(at) {
  return time.format(at);
}

/** The moment at which the day of another moment began. */
export function midnight(at) {
  return new Date(at).setHours(0, 0, 0, 0);
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
