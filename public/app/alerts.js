import { announce, busyWhile, element, toast } from "./dom.js";
import { avatar } from "./person.js";
import { ago, distance, explain, moment, people } from "./text.js";

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
    const now = this.#actions.now();
    const { title, text } = words(alert, now);
    const seen = element("button", { type: "button", class: alert.late ? null : "filled", "data-testid": "alert-seen" }, "Seen");
    const show = element("button", { type: "button", "data-testid": "alert-show" }, "Show on map");
    const card = element("article", { class: `alert ${alert.late ? "late" : ""}`, "data-testid": "alert", "data-notification": alert.notification, "aria-label": title },
      element("div", { class: "alert-head" }, alert.late ? null : element("span", { class: "alert-mark", "aria-hidden": "true" }, "!"), element("h3", {}, title)),
      element("p", { "data-testid": "alert-text" }, text),
      element("div", { class: "faces" }, alert.together.slice(0, 6).map((person) => avatar(person, { size: "small" })),
        alert.late ? element("span", { class: "faces-note", "data-testid": "alert-late" }, `Reaches you late: this was ${ago(now - alert.at)}`) : null),
      element("div", { class: "row" }, seen, show));
    seen.addEventListener("click", () => busyWhile(seen, () => this.#seen(alert.notification)));
    show.addEventListener("click", () => this.#actions.onShow(alert));
    this.#cards.set(alert.notification, card);
    // What is over waits below what is not, and is not called out.
    if (alert.late) return this.view.append(card);
    this.view.prepend(card);
    announce(`${title}. ${text}`);
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

function words({ groupName, late, variant, together, place, since, distance: metres }, now) {
  const who = people(together.map((person) => person.name));
  const are = late ? (together.length === 1 ? "was" : "were") : together.length === 1 ? "is" : "are";
  const away = `${distance(metres)} from ${late ? "where you were" : "you"}`;
  if (variant === "departed") {
    // Told while they are under way: the place is one that they come by, not where they will be.
    const near = place.name ? `, near ${place.name}` : "";
    return { title: `${groupName} left without you`, text: `${who} went on, and ${are} ${away}${near}.` };
  }
  const at = place.name ? ` at ${place.name}` : "";
  const title = late ? `${groupName} met without you` : `${groupName}: together without you`;
  return { title, text: `${who} ${are} together${at} since ${moment(since, now)}, ${away}.` };
}
