import { announce, busyWhile, element, toast } from "./dom.js";
import { avatar } from "./person.js";
import { distance, explain, moment, people } from "./text.js";

/** The cards that tell one: they left without you. Kept until they are seen. */
export class Alerts {
  view = element("section", { class: "alerts", "aria-label": "Alerts", "data-testid": "alerts" });
  #cards = new Map();
  #done = new Set();
  #actions;

  /** @param {{onSeen: (upTo: number) => Promise<void>, onShow: (alert: object) => void, now: () => number}} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** Shows an alert; one that comes again is known by its number. */
  add(alert) {
    if (this.#cards.has(alert.notification) || this.#done.has(alert.notification)) return;
    const { title, text } = words(alert, this.#actions.now());
    const seen = element("button", { type: "button", class: "filled", "data-testid": "alert-seen" }, "Seen");
    const show = element("button", { type: "button", "data-testid": "alert-show" }, "Show on map");
    const card = element("article", { class: `alert ${alert.late ? "late" : ""}`, "data-testid": "alert", "data-notification": alert.notification, "aria-label": title },
      element("div", { class: "alert-head" }, element("span", { class: "alert-mark", "aria-hidden": "true" }, "!"), element("h3", {}, title)),
      element("p", { "data-testid": "alert-text" }, text),
      element("div", { class: "faces" }, alert.together.slice(0, 6).map((person) => avatar(person, { size: "small" })),
        element("span", { class: "distance", "data-testid": "alert-distance" }, `${distance(alert.distance)} from you`)),
      element("div", { class: "row" }, seen, show));
    seen.addEventListener("click", () => busyWhile(seen, () => this.#seen(alert.notification)));
    show.addEventListener("click", () => this.#actions.onShow(alert));
    this.#cards.set(alert.notification, card);
    this.view.prepend(card);
    if (!alert.late) announce(`${title}. ${text}`);
  }

  /** A card that is not an alert of the server's: a question with one answer, gone when it is answered. */
  ask(title, text, action, label) {
    const yes = element("button", { type: "button", class: "filled" }, label);
    const no = element("button", { type: "button" }, "Not now");
    const card = element("article", { class: "alert question", "data-testid": "question" },
      element("h3", {}, title), element("p", {}, text), element("div", { class: "row" }, yes, no));
    yes.addEventListener("click", () => busyWhile(yes, async () => {
      await action();
      card.remove();
    }));
    no.addEventListener("click", () => card.remove());
    this.view.prepend(card);
    announce(`${title}. ${text}`);
  }

  async #seen(notification) {
    this.#done.add(notification);
    const card = this.#cards.get(notification);
    this.#cards.delete(notification);
    // "Seen up to" must not swallow an older card that is still open.
    const open = Math.min(Infinity, ...this.#cards.keys());
    const upTo = Math.max(0, ...[...this.#done].filter((number) => number < open));
    card.remove();
    try {
      if (upTo > 0) await this.#actions.onSeen(upTo);
    } catch (error) {
      toast(explain(error), { tone: "bad" });
    }
  }
}

function words(alert, now) {
  const who = people(alert.together.map((person) => person.name));
  const verb = alert.together.length === 1 ? "is" : "are";
  const where = alert.place.name ? ` at ${alert.place.name}` : "";
  const since = `since ${moment(alert.since, now)}`;
  if (alert.variant === "departed") {
    return { title: `${alert.groupName} left without you`, text: `${who} went on${where ? ` and ${verb}${where}` : ""}, ${distance(alert.distance)} from where you are.` };
  }
  return { title: `${alert.groupName}: together without you`, text: `${who} ${verb} together${where} ${since}, ${distance(alert.distance)} from you.` };
}
