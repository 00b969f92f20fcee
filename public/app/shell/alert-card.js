import { avatar } from "../ui/avatar.js";
import { busyWhile, button, element, setShown } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { people } from "../ui/names.js";
import { distance, isolated, moment } from "../ui/text.js";
import { ago } from "../ui/times.js";
import { phrase } from "../ui/words.js";

/** The selectable times in minutes, and the interval in milliseconds between two requests to wait. */
const ETAS = [5, 10, 15, 30, 45, 60, 90];
const PAUSE = 5 * 60_000;

/** Metres per minute on foot, and the longest time in minutes that a request may name. */
const WALK = 80;
const LONGEST = 180;

/** The number of faces on a card. */
const FACES = 2;

/** The time that a way takes on foot, in whole minutes, from ten on in steps of five; null when it is not walked. */
export function minutesOnFoot(metres) {
  const minutes = Math.max(1, Math.ceil(metres / WALK));
  const rounded = minutes <= 10 ? minutes : Math.ceil(minutes / 5) * 5;
  return rounded <= LONGEST ? rounded : null;
}

/** The title and the text of an alert. */
export function alertWords({ groupName, late, variant, together, place, since, distance: metres }, now) {
  const key = `alerts.${variant === "departed" ? "departed" : late ? "late" : "left_without_you"}`;
  const who = people(together.map((person) => person.name));
  const away = late ? phrase("alerts.away.late", { distance: distance(metres) }) : phrase("distance.away", { distance: distance(metres) });
  const named = place.name ? ".at" : "";
  const values = { who, count: together.length, group: isolated(groupName), away, place: isolated(place.name ?? ""), when: moment(since, now) };
  return { title: phrase(`${key}.title`, values), text: phrase(`${key}.text${named}`, values) };
}

function coming(words, minutes) {
  return minutes === null ? words : phrase("alert.eta.with", { words, count: minutes });
}

/**
 * A compact card of something that has happened: `{view, row}`.
 * @param {{title: string, text: string, faces?: object[], testid: string, textid?: string, closeid: string, notification?: number, isLate?: boolean, onClose: () => void}} of
 * @param {Node[]} controls of its row
 */
export function card({ title, text, faces = [], testid, textid, closeid, notification, isLate = false, onClose }, controls) {
  const close = button("", onClose, { class: "icon", "aria-label": phrase("dismiss"), "data-testid": closeid });
  close.append(lineIcon("close"));
  const row = element("div", { class: "alert-row" }, controls);
  const view = element("article", { class: isLate ? "alert late" : "alert", "data-testid": testid, "data-notification": notification, "aria-label": title },
    element("div", { class: "alert-head" },
      faces.length > 0 ? element("span", { class: "faces" }, faces.slice(0, FACES).map((person) => avatar(person, { size: "small" }))) : null,
      element("div", { class: "alert-words" }, element("h2", {}, title), element("p", { "data-testid": textid }, text)), close),
    row);
  return { view, row };
}

/**
 * The card of an alert. Its primary control asks the others to wait, for the time that the way takes on foot.
 * @param {object} alert
 * @param {{now: number, members?: Map<string, object>, onWait: (eta: number|null, isChange: boolean) => Promise<number|null>, onShow: () => void, onClose: () => void, onTold: () => void}} about
 *   `onTold`: called after the others have been asked
 */
export function alertCard(alert, { now, members, onWait, onShow, onClose, onTold }) {
  const { title, text } = alertWords(alert, now);
  const faces = alert.together.map((person) => members?.get(person.id) ?? person);
  const show = button(phrase("show"), onShow, { class: "tonal", "data-testid": "alert-show" });
  if (alert.late) {
    const made = card({ title, text, faces, testid: "alert", textid: "alert-text", closeid: "alert-seen", notification: alert.notification, isLate: true, onClose },
      [element("span", { class: "alert-note", "data-testid": "alert-late" }, phrase("alert.late", { ago: ago(now - alert.at) })), show]);
    return made.view;
  }
  const minutes = minutesOnFoot(alert.distance);
  const come = element("button", { type: "button", class: "filled", "data-testid": "alert-wait" }, coming(phrase("alert.coming"), minutes));
  const told = element("span", { role: "status", class: "alert-told", "data-testid": "alert-waiting" });
  const change = element("select", { "aria-label": phrase("alert.eta"), "data-testid": "alert-eta", hidden: true },
    [...new Set([minutes ?? ETAS[0], ...ETAS])].sort((a, b) => a - b).map((each) => element("option", { value: each, selected: each === minutes }, phrase("unit.minutes", { count: each }))));
  let isTold = false;
  const say = async (eta) => {
    if ((await onWait(eta === null ? null : eta * 60, isTold)) === null) return;
    isTold = true;
    setShown(come, false);
    setShown(change, false);
    told.textContent = coming(phrase("alert.told"), eta);
    onTold();
    setTimeout(() => {
      told.textContent = "";
      come.textContent = phrase("alert.change");
      setShown(come, true);
    }, PAUSE);
  };
  come.addEventListener("click", () => {
    if (!isTold) return void busyWhile(come, () => say(minutes));
    setShown(come, false);
    setShown(change, true);
    change.focus();
  });
  change.addEventListener("change", () => busyWhile(change, () => say(Number(change.value))));
  return card({ title, text, faces, testid: "alert", textid: "alert-text", closeid: "alert-seen", notification: alert.notification, onClose }, [come, change, told, show]).view;
}
