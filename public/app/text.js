const time = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });

/** A length of time in words: "just now" is for under ten seconds. */
export function ago(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 10) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.round(hours / 24)} days ago`;
}

/** A moment as a clock time, with the day when it is not today. */
export function moment(at, now = Date.now()) {
  const difference = Math.abs(now - at);
  if (new Date(at).toDateString() === new Date(now).toDateString()) return time.format(at);
  return (difference < 6 * 86_400_000 ? day : date).format(at);
}

/** A distance in words. */
export function distance(metres) {
  if (metres < 50) return `${Math.round(metres)} m`;
  if (metres < 995) return `${Math.round(metres / 10) * 10} m`;
  return `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`;
}

/** "Ada", "Ada and Ben", "Ada, Ben and 3 others". */
export function people(names, most = 3) {
  if (names.length === 0) return "nobody";
  if (names.length === 1) return names[0];
  const rest = names.length - most;
  if (rest > 1) return `${names.slice(0, most).join(", ")} and ${rest} others`;
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Up to two letters for somebody who has no picture. */
export function initials(name) {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((word) => [...word][0]).join("").toLocaleUpperCase() || "?";
}

/** One of ten colours, the same for a user everywhere. */
export function hue(user) {
  let sum = 0;
  for (const digit of user) sum = (sum * 31 + digit.charCodeAt(0)) % 9973;
  return sum % 10;
}

/** How long until something, for a countdown: "1 s" to "59 s", then minutes. */
export function remaining(milliseconds) {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** What an error means for the person in front of the page. */
export function explain(error) {
  const known = {
    unreachable: "The server cannot be reached. Check your connection.",
    connection_lost: "The connection was lost. Please try again.",
    timeout: "The server did not answer in time. Please try again.",
    stopped: "You are not connected.",
    unavailable: "The server is busy right now. Please try again in a moment.",
    rate_limited: "That was too often. Please wait a moment.",
    gone: "This is no longer valid.",
    forbidden: "Only the group's owner can do that.",
  };
  const text = known[error.code] ?? error.message;
  return error.retryAfter >= 1000 && error.code === "rate_limited"
    ? `That was too often. Try again in ${remaining(error.retryAfter)}.`
    : text;
}
