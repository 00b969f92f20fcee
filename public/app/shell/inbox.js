import { avatar } from "../ui/avatar.js";
import { busyWhile, button, element, setShown } from "../ui/dom.js";
import { ago, distance, isolated, moment, people } from "../ui/text.js";
import { focusHeading } from "./focus.js";
import { wordsOf } from "./notices.js";
import { announce, attempt } from "./toasts.js";

/** The selectable wait times, in minutes. */
const ETAS = [5, 10, 15, 30, 60];

/**
 * The alerts and questions for the user. They are in the panel, never over the map, until the user acknowledges them.
 */
export class Inbox {
  #cards = new Map();
  #done = new Set();
  #actions;
  #list = element("div", { class: "inbox-cards" });
  #nothing = element("p", { class: "hint" }, "Nothing waits for you.");
  view = element("section", { class: "inbox", "aria-label": "Inbox", "data-testid": "alerts", hidden: true }, this.#list, this.#nothing);

  /**
   * @param {object} actions
   * @param {(notifications: number[]) => Promise<void>} actions.onSeen
   * @param {(alert: object) => void} actions.onShow shows the alert on the map
   * @param {(alert: object, eta: number) => Promise<void>} actions.onWait asks the others to wait for so many seconds
   * @param {(alert: object) => Promise<void>} actions.onPicture creates a picture of the group's positions
   * @param {(section: string, rest: string[], options?: object) => void} actions.onGo shows the subject of a notice
   * @param {(count: number) => void} actions.onCount receives the number of cards
   * @param {() => void} actions.onNews called for a new card that should be seen now
   * @param {() => number} actions.now
   * @param {(group: string) => Map<string, object>|undefined} actions.members the members of a group, for their faces
   */
  constructor(actions) {
    this.#actions = actions;
  }

  /** The number of cards. */
  get count() {
    return this.#list.children.length;
  }

  /** Shows or hides the inbox. */
  toggle(shown = this.view.hidden) {
    setShown(this.view, shown);
    this.#changed();
  }

  /** Shows an alert; a repeated one is recognised by its number. */
  add(alert) {
    if (this.#cards.has(alert.notification) || this.#done.has(alert.notification)) return;
    const now = this.#actions.now();
    const { title, text } = words(alert, now);
    const members = this.#actions.members(alert.group);
    const got = element("button", { type: "button", class: alert.late ? null : "filled", "data-testid": "alert-seen" }, "Got it");
    const show = element("button", { type: "button", "data-testid": "alert-show" }, "Show on map");
    const card = element("article", { class: `alert ${alert.late ? "late" : ""}`, "data-testid": "alert", "data-notification": alert.notification, "aria-label": title },
      element("div", { class: "alert-head" }, alert.late ? null : element("span", { class: "alert-mark", "aria-hidden": "true" }, "!"), element("h2", {}, title)),
      element("p", { "data-testid": "alert-text" }, text),
      element("div", { class: "faces" }, alert.together.slice(0, 6).map((person) => avatar(members?.get(person.id) ?? person, { size: "small" })),
        alert.late ? element("span", { class: "faces-note", "data-testid": "alert-late" }, `Reaches you late: this was ${ago(now - alert.at)}`) : null),
      element("div", { class: "row" }, got, show, button("Send a picture", () => this.#actions.onPicture(alert), { "data-testid": "alert-picture" })));
    const eta = element("select", { "aria-label": "How long it takes me", "data-testid": "alert-eta" },
      ...ETAS.map((minutes) => element("option", { value: minutes * 60 }, `${minutes} min`)));
    const wait = element("button", { type: "button", "data-testid": "alert-wait" }, "Wait for me");
    const said = element("p", { role: "status", class: "hint", "data-testid": "alert-waiting" });
    if (!alert.late) card.append(element("div", { class: "row" }, wait, eta), said);
    wait.addEventListener("click", () => busyWhile(wait, async () => {
      const told = await this.#actions.onWait(alert, Number(eta.value));
      if (told !== null) said.textContent = told === 1 ? "One person is asked to wait." : `${told} people are asked to wait.`;
    }));
    got.addEventListener("click", () => busyWhile(got, () => this.#got(alert.notification)));
    show.addEventListener("click", () => {
      this.#actions.onShow(alert);
      // Reading the plan acknowledges its notification.
      if (alert.type === "plan_proposed") this.#got(alert.notification);
    });
    this.#cards.set(alert.notification, card);
    // A late alert is placed below current ones, and is not announced.
    if (alert.late) this.#list.append(card);
    else this.#list.prepend(card);
    this.toggle(true);
    if (alert.late) return;
    this.#actions.onNews();
    announce(`${isolated(title)}. ${text}`);
  }

  /** Shows another notification: a mention, a proposal, or unread messages. */
  addNotice(notice) {
    if (this.#cards.has(notice.notification) || this.#done.has(notice.notification)) return;
    const { title, text, label, way, isQuiet = false } = wordsOf(notice, this.#actions.now());
    const open = element("button", { type: "button", class: "filled", "data-testid": "notice-open" }, label);
    const got = element("button", { type: "button", "data-testid": "notice-seen" }, "Got it");
    const card = element("article", { class: `alert ${notice.late ? "late" : ""}`, "data-testid": "notice", "data-notification": notice.notification, "aria-label": title },
      element("h2", {}, title), element("p", {}, text), element("div", { class: "row" }, open, got));
    open.addEventListener("click", () => {
      void this.#got(notice.notification);
      this.#actions.onGo(...way);
    });
    got.addEventListener("click", () => busyWhile(got, () => this.#got(notice.notification)));
    this.#cards.set(notice.notification, card);
    this.#list.append(card);
    this.#changed();
    if (notice.late || isQuiet) return;
    this.toggle(true);
    this.#actions.onNews();
    announce(`${isolated(title)}. ${text}`);
  }

  /** Shows a question with one answer, which removes it. */
  ask(title, text, action, label) {
    const yes = element("button", { type: "button", class: "filled" }, label);
    const no = element("button", { type: "button" }, "Not now");
    const card = element("article", { class: "alert question", "data-testid": "question", "aria-label": title },
      element("h2", {}, title), element("p", {}, text), element("div", { class: "row" }, yes, no));
    yes.addEventListener("click", () => busyWhile(yes, async () => {
      await action();
      this.#takeAway(card);
    }));
    no.addEventListener("click", () => this.#takeAway(card));
    this.#list.prepend(card);
    this.toggle(true);
    this.#actions.onNews();
    announce(`${isolated(title)}. ${text}`);
  }

  /** Removes notifications that were seen on another session, or withdrawn. */
  remove(notifications) {
    for (const notification of notifications) {
      this.#done.add(notification);
      const card = this.#cards.get(notification);
      this.#cards.delete(notification);
      if (card) this.#takeAway(card);
    }
  }

  async #got(notification) {
    this.remove([notification]);
    // Acknowledged by number: "seen up to" would include an older card that is still open.
    await attempt(() => this.#actions.onSeen([notification]));
  }

  #takeAway(card) {
    const held = card.contains(document.activeElement);
    const next = card.nextElementSibling ?? card.previousElementSibling;
    card.remove();
    if (this.count === 0) this.toggle(false);
    this.#changed();
    if (!held) return;
    if (next) next.querySelector("button").focus();
    else focusHeading();
  }

  #changed() {
    setShown(this.#nothing, this.count === 0);
    this.#actions.onCount(this.count);
  }
}

function words({ groupName, late, variant, together, place, since, distance: metres }, now) {
  const who = people(together.map((person) => person.name));
  const are = late ? (together.length === 1 ? "was" : "were") : together.length === 1 ? "is" : "are";
  const away = `${distance(metres)} from ${late ? "where you were" : "you"}`;
  if (variant === "departed") {
    // The group is moving at this time: it passes this place and does not stay there.
    const near = place.name ? `, near ${isolated(place.name)}` : "";
    return { title: `${isolated(groupName)} left without you`, text: `${who} went on, and ${are} ${away}${near}.` };
  }
  const at = place.name ? ` at ${isolated(place.name)}` : "";
  const title = late ? `${isolated(groupName)} met without you` : `${isolated(groupName)}: together without you`;
  return { title, text: `${who} ${are} together${at} since ${moment(since, now)}, ${away}.` };
}
