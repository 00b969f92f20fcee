import { avatar, faceKey } from "../ui/avatar.js";
import { element, setShown } from "../ui/dom.js";
import { excerpt } from "../ui/names.js";
import { clock, isolated, moment } from "../ui/text.js";
import { day } from "../ui/times.js";
import { locale, phrase } from "../ui/words.js";

/** The answers that have words. Others, such as that of an invited guest, have none. */
const ANSWERS = ["yes", "maybe", "waiting", "no"];

const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
const number = new Intl.DateTimeFormat(locale, { day: "numeric" });

/** An answer in words; empty without one. */
export function standing({ rsvp, waitingPlace }) {
  return rsvp === "waiting" && waitingPlace ? phrase("event.line", { count: waitingPlace }) : ANSWERS.includes(rsvp) ? phrase(`event.answer.${rsvp}`) : "";
}

/** The numbers of guests, in words: "8 of 12 going · 2 maybe". */
export function coming({ counts: { yes, maybe, waiting }, capacity }) {
  const some = [capacity === null ? phrase("event.going", { count: yes }) : phrase("event.going.of", { count: yes, capacity }), maybe > 0 && phrase("event.maybe", { count: maybe }), waiting > 0 && phrase("event.waiting", { count: waiting })];
  return some.filter(Boolean).join(" · ");
}

/** The start of an event, in the user's time zone. */
export function when({ startsAt }) {
  return moment(startsAt);
}

/** A day as a block: the weekday above the day of the month. The words beside it say the same. */
export function dateBlock(at) {
  return element("span", { class: "date-block", "aria-hidden": "true" }, element("span", {}, excerpt(weekday.format(at), 3)), element("strong", {}, number.format(at)));
}

/** The row of an event in a list: a block, the title, and two lines; `show` draws it. */
export function eventRow(onOpen, attributes, extra = []) {
  const block = element("span", {});
  const name = element("strong", {});
  const line = element("span", { class: "hint" });
  const face = element("span", { class: "faces tiny", "aria-hidden": "true" });
  const many = element("span", {});
  const own = element("span", { class: "tag accent event-standing" });
  const open = element("button", { type: "button", class: "event-open", ...attributes }, block, element("span", { class: "event-words" }, name, line, element("span", { class: "hint event-who" }, face, many)), element("span", { class: "event-side" }, own, extra));
  open.addEventListener("click", onOpen);
  let drawn = null;
  let shownFace = null;
  return {
    open,
    show(event, { isHost = false, far = null } = {}) {
      if (drawn !== event.startsAt) block.replaceChildren(dateBlock(event.startsAt));
      drawn = event.startsAt;
      setShown(face, !isHost);
      if (shownFace !== faceKey(event.host)) face.replaceChildren(avatar(event.host, { size: "tiny" }));
      shownFace = faceKey(event.host);
      name.textContent = event.title;
      line.textContent = [`${day(event.startsAt)}, ${clock(event.startsAt)}`, event.place, far].filter(Boolean).join(" · ");
      const isOn = event.state === "planned" || event.state === undefined;
      many.textContent = [!isHost && phrase("by", { name: isolated(event.host.name) }), isOn ? coming(event) : phrase(`event.state.${event.state}`)].filter(Boolean).join(" · ");
      own.textContent = [isHost && phrase("event.yours"), standing(event)].filter(Boolean).join(" · ");
      own.hidden = own.textContent === "";
    },
  };
}

/** The start of an event in its own time zone, if it differs from the user's; null otherwise. */
export function localTime({ startsAt, tz }) {
  try {
    const there = new Intl.DateTimeFormat(locale, { timeZone: tz, weekday: "short", timeStyle: undefined, hour: "2-digit", minute: "2-digit" }).format(startsAt);
    const here = new Intl.DateTimeFormat(locale, { weekday: "short", hour: "2-digit", minute: "2-digit" }).format(startsAt);
    return there === here ? null : phrase("event.there", { when: there, zone: tz });
  } catch {
    // This browser does not know the time zone.
    return null;
  }
}
