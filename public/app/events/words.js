import { moment } from "../ui/text.js";

const WORDS = { yes: "You come", maybe: "You may come", waiting: "You wait for a place", no: "You do not come" };

/** How one stands to an event, in words; empty for who never answered. */
export function standing({ rsvp, waitingPlace }) {
  return rsvp === "waiting" && waitingPlace ? `${WORDS.waiting}: number ${waitingPlace} in line` : (WORDS[rsvp] ?? "");
}

/** How many come, in words. */
export function coming({ counts: { yes, maybe, waiting }, capacity }) {
  const some = [capacity === null ? `${yes} come` : `${yes} of ${capacity} places taken`, maybe > 0 && `${maybe} may come`, waiting > 0 && `${waiting} wait`];
  return some.filter(Boolean).join(", ");
}

/** When an event begins, in one's own time. */
export function when({ startsAt }) {
  return moment(startsAt);
}

/** When an event begins where it is, when clocks there show something else; null otherwise. */
export function localTime({ startsAt, tz }) {
  try {
    const there = new Intl.DateTimeFormat(undefined, { timeZone: tz, weekday: "short", timeStyle: undefined, hour: "2-digit", minute: "2-digit" }).format(startsAt);
    const here = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" }).format(startsAt);
    return there === here ? null : `${there} in ${tz}`;
  } catch {
    // A zone that this browser does not know.
    return null;
  }
}
