import { local } from "../storage.js";
import { busyWhile, button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { alertCard, alertWords, card } from "./alert-card.js";
import { focusHeading } from "./focus.js";
import { wordsOf } from "./notices.js";
import { announce, attempt } from "./toasts.js";

/** The time for which the bell keeps seen notifications, in milliseconds, and their storage key. */
const DAY = 86_400_000;
const KEPT = "muster.notices";

/**
 * The alerts, other notifications and questions for the user.
 *
 * The newest current one is a card at the top of the map, in `slot`; it moves nothing else. All others are in `view`,
 * the list of the bell, which also keeps seen ones for a day.
 */
export class Inbox {
  #cards = new Map();
  #done = new Set();
  #actions;
  #waiting = element("div", { class: "inbox-cards" });
  #past = element("ul", { class: "inbox-past", "aria-label": phrase("inbox.past"), "data-testid": "inbox-past" });
  #nothing = element("p", { class: "hint" }, phrase("inbox.none"));
  #more = button("", () => this.toggle(true), { class: "text", "data-testid": "alerts-more", hidden: true });
  #count = element("span", { class: "count", hidden: true });
  bell = element("button", { type: "button", class: "icon bell", "aria-expanded": "false", "data-testid": "inbox-open", onclick: () => this.toggle() },
    element("span", { class: "tab-mark" }, lineIcon("bell"), this.#count), element("span", { class: "bell-word", "aria-hidden": "true" }, phrase("inbox.title")));
  slot = element("section", { class: "slot", "aria-label": phrase("inbox.news"), "data-testid": "alert-slot" });
  view = element("section", { class: "inbox", "aria-label": phrase("inbox.title"), "data-testid": "alerts", hidden: true },
    element("h2", { class: "inbox-title" }, phrase("inbox.title")), this.#waiting, this.#nothing, this.#past);

  /**
   * @param {object} actions
   * @param {(notifications: number[]) => Promise<void>} actions.onSeen
   * @param {(alert: object) => void} actions.onShow shows the alert on the map
   * @param {(alert: object, eta: number|null, isChange: boolean) => Promise<number|null>} actions.onWait asks the others
   *   to wait for so many seconds
   * @param {(section: string, rest: string[], options?: object) => void} actions.onGo shows the subject of a notice
   * @param {() => void} actions.onChange called after the cards have changed
   * @param {() => number} actions.now
   * @param {(group: string) => Map<string, object>|undefined} actions.members the members of a group, for their faces
   */
  constructor(actions) {
    this.#actions = actions;
    this.view.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.toggle(false);
      this.bell.focus();
    });
    this.#changed();
  }

  /** The number of cards. */
  get count() {
    return this.#waiting.children.length + this.slot.children.length;
  }

  /** Shows or hides the list of the bell. */
  toggle(shown = this.view.hidden) {
    setShown(this.view, shown);
    this.#changed();
  }

  /** Shows an alert; a repeated one is recognised by its number. */
  add(alert) {
    if (this.#isKnown(alert)) return;
    const now = this.#actions.now();
    const { title, text } = alertWords(alert, now);
    const view = alertCard(alert, {
      now, members: this.#actions.members(alert.group),
      onWait: (eta, isChange) => this.#actions.onWait(alert, eta, isChange), onShow: () => this.#actions.onShow(alert),
      onTold: () => this.#see(alert.notification), onClose: () => this.#got(alert.notification),
    });
    this.#put(view, { notification: alert.notification, title, text, at: alert.at }, { isQuiet: Boolean(alert.late) });
  }

  /** Shows another notification: a mention, a proposal, or unread messages. */
  addNotice(notice) {
    if (this.#isKnown(notice)) return;
    const { title, text, label, way, isQuiet = false } = wordsOf(notice, this.#actions.now());
    const open = button(label, () => {
      void this.#got(notice.notification);
      this.toggle(false);
      this.#actions.onGo(...way);
    }, { class: "filled", "data-testid": "notice-open" });
    const { view } = card({ title, text, testid: "notice", closeid: "notice-seen", notification: notice.notification, isLate: notice.late, onClose: () => this.#got(notice.notification) }, [open]);
    this.#put(view, { notification: notice.notification, title, text, at: notice.at }, { isQuiet: isQuiet || Boolean(notice.late) });
  }

  /** Shows a question with one answer, which removes it. */
  ask(title, text, action, label) {
    const yes = element("button", { type: "button", class: "filled" }, label);
    const { view } = card({ title, text, testid: "question", closeid: "question-close", onClose: () => this.#takeAway(view) }, [yes]);
    yes.addEventListener("click", () => busyWhile(yes, async () => {
      await action();
      this.#takeAway(view);
    }));
    this.#put(view, { title, text });
  }

  /** Removes notifications that were seen on another session, or withdrawn. */
  remove(notifications) {
    for (const notification of notifications) {
      this.#done.add(notification);
      const view = this.#cards.get(notification);
      this.#cards.delete(notification);
      if (view) this.#takeAway(view);
    }
  }

  #isKnown({ notification }) {
    return this.#cards.has(notification) || this.#done.has(notification);
  }

  #put(view, about, { isQuiet = false } = {}) {
    view.about = about;
    view.isQuiet = isQuiet;
    if (about.notification !== undefined) this.#cards.set(about.notification, view);
    // A late card is below the current ones, and is not announced.
    if (isQuiet) this.#waiting.append(view);
    else this.#waiting.prepend(view);
    this.#changed();
    if (!isQuiet) announce(`${isolated(about.title)}. ${about.text}`);
  }

  async #got(notification) {
    const { about } = this.#cards.get(notification) ?? {};
    this.remove([notification]);
    if (about) keep(about);
    this.#changed();
    await this.#see(notification);
  }

  // Acknowledged by number: "seen up to" would include an older card that is still open.
  async #see(notification) {
    await attempt(() => this.#actions.onSeen([notification]));
  }

  #takeAway(view) {
    const held = view.contains(document.activeElement);
    const next = view.nextElementSibling ?? view.previousElementSibling;
    view.remove();
    if (this.#waiting.children.length === 0) setShown(this.view, false);
    this.#changed();
    if (!held) return;
    if (next) next.querySelector("button").focus();
    else focusHeading();
  }

  // With the list open, all cards are in it.
  #changed() {
    const isOpen = !this.view.hidden;
    const cards = [...this.slot.children, ...this.#waiting.children];
    const first = isOpen ? undefined : cards.find((each) => !each.isQuiet);
    for (const each of [...this.slot.children]) if (each !== first) this.#waiting.prepend(each);
    if (first && first.parentElement !== this.slot) this.slot.append(first);
    const rest = cards.length - 1;
    if (first && rest > 0) first.querySelector(".alert-row").append(this.#more);
    setShown(this.#more, Boolean(first) && rest > 0);
    setText(this.#more, phrase("inbox.more", { count: rest }));
    setText(this.#count, String(this.count));
    setShown(this.#count, this.count > 0);
    setAttribute(this.bell, "aria-label", this.count === 0 ? phrase("inbox.label.none") : phrase("inbox.label", { count: this.count }));
    setAttribute(this.bell, "aria-expanded", isOpen);
    setShown(this.#nothing, this.count === 0);
    if (isOpen) this.#past.replaceChildren(...kept().map(({ title, text, at }) => element("li", {}, element("strong", {}, title), element("span", { class: "hint" }, `${text} · ${moment(at)}`))));
    this.#actions.onChange();
  }
}

/** The notifications seen in the last day, newest first. */
function kept() {
  return local.get(KEPT, []).filter(({ at }) => Date.now() - at < DAY);
}

function keep({ title, text, at }) {
  local.set(KEPT, [{ title, text, at: at ?? Date.now() }, ...kept()].slice(0, 30));
}
