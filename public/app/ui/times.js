import { DAY, midnight, time } from "./text.js";
import { locale, phrase } from "./words.js";

const dated = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short" });
const fullDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
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

/** A duration: "under a minute", "28 min", "1 h 28 min", "2 days". */
export function lasting(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return phrase("time.underMinute");
  if (minutes < 60) return phrase("unit.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return phrase("time.days", { count: Math.round(hours / 24) });
  return minutes % 60 === 0 ? phrase("unit.hours", { count: hours }) : phrase("time.hoursMinutes", { hours, minutes: minutes % 60 });
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
