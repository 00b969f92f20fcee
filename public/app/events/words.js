import { moment } from "../ui/text.js";

const WORDS = { yes: "You come", maybe: "You may come", waiting: "You wait for a place", no: "You do not come" };

/** The user's RSVP in words; empty without an answer. */
export function standing({ rsvp, waitingPlace }) {
  return rsvp === "waiting" && waitingPlace ? `${WORDS.waiting}: number ${waitingPlace} in line` : (WORDS[rsvp] ?? "");
}

/** The numbers of guests, in words. */
export function coming({ counts: { yes, maybe, waiting }, capacity }) {
  const some = [capacity === null ? `${yes} come` : `${yes} of ${capacity} places taken`, maybe > 0 && `${maybe} may come`, waiting > 0 && `${waiting} wait`];
  return some.filter(Boolean).join(", ");
}

/** The start of an event, in the user's time zone. */
export function when({ startsAt }) {
  return moment(startsAt);
}

/** The start of an event in its own time zone, if it differs from the user's; null otherwise. */
export function localTime({ startsAt, tz }) {
  try {
    const there = new Intl.DateTimeFormat(undefined, { timeZone: tz, weekday: "short", timeStyle: undefined, hour: "2-digit", minute: "2-digit" }).format(startsAt);
    const here = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" }).format(startsAt);
    return there === here ? null : `${there} in ${tz}`;
  } catch {
    // This browser does not know the time zone.
    return null;
  }
}
