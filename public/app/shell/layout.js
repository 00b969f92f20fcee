import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { phrase } from "../ui/words.js";
import { address } from "./router.js";
import { CHAT, SECTIONS, titleOf } from "./sections.js";
import { Sheet } from "./sheet.js";

/** The widths from which on the page has a rail and a panel beside the map, and a dock for the chat. */
const WIDE = matchMedia("(min-width: 768px)");
const DOCKED = matchMedia("(min-width: 1200px)");

/** The height of the pills over the map of a phone, and the least height that counts as its uncovered part, in pixels. */
const PILLS = 64;
const LEAST_MAP = 120;

/**
 * The parts of the page and their places at each width.
 *
 * On a phone: a map with a sheet over it, and tabs below. Wider: a rail, a panel, the map, and a dock.
 */
export class Layout {
  heading = element("h1", { id: "heading", tabindex: "-1" });
  body = element("div", { class: "panel-body", id: "panel-body" });
  stage = element("section", { class: "stage", "aria-label": phrase("sections.people") });
  sheet;
  view;
  /** Called after the places of the parts have changed. */
  onChange = () => {};
  #actions = element("div", { class: "title-actions" });
  #dock = element("aside", { class: "dock", "aria-label": phrase("sections.chat"), tabindex: "-1", hidden: true });
  #panel = element("main", { class: "panel", id: "main", tabindex: "-1" });
  #top;
  #title;
  #head;
  #invite;
  #bell;
  #rail;
  #links = new Map();
  #unread = element("span", { class: "count", "data-testid": "chats-unread", hidden: true });
  #typed = null;
  #ended = new AbortController();

  /**
   * @param {{group: HTMLElement, bell: HTMLElement, slot: HTMLElement, inbox: HTMLElement, share: HTMLElement, strip: HTMLElement, onInvite: () => void,
   *   onTab: (route: string) => void}} parts `slot`: the place of alerts
   */
  constructor({ group, bell, slot, inbox, share, strip, onInvite, onTab }) {
    this.#bell = bell;
    this.#invite = button("", onInvite, { class: "icon", "aria-label": phrase("invite.people"), title: phrase("invite.people"), "data-testid": "group-invite" });
    this.#invite.append(lineIcon("invite"));
    this.#top = element("header", { class: "top" }, group);
    this.#title = element("div", { class: "title" }, this.heading, this.#actions);
    this.#head = element("div", { class: "panel-share" }, share);
    this.#rail = element("nav", { class: "rail", "aria-label": phrase("sections.title") }, SECTIONS.filter(({ icon }) => icon).map((section) => this.#link(section, onTab)));
    this.sheet = new Sheet(this.#panel, () => this.onChange());
    for (const grip of [this.sheet.handle, this.#head, this.#title]) this.sheet.dragBy(grip);
    this.#panel.append(this.sheet.handle, this.#title, this.body, this.#head);
    this.view = element("div", { class: "workspace" }, strip, this.#top, slot, inbox, this.#panel, this.#rail, this.stage, this.#dock);
    for (const query of [WIDE, DOCKED]) query.addEventListener("change", () => this.#arrange(), { signal: this.#ended.signal });
    this.view.addEventListener("focusin", ({ target }) => this.#type(target));
    this.view.addEventListener("focusout", () => this.#type(null));
    // F6 moves on to the next part of the page, Shift and F6 back.
    addEventListener("keydown", (event) => event.key === "F6" && this.#moveOn(event, slot), { signal: this.#ended.signal });
    this.#arrange();
  }

  /** Whether the page has a panel beside the map. */
  get isWide() {
    return WIDE.matches;
  }

  /** Whether the page has room for a dock. */
  get hasDock() {
    return DOCKED.matches;
  }

  /** The place of a section's view. */
  placeOf(route) {
    return route === CHAT && this.hasDock ? this.#dock : this.body;
  }

  /** Shows the title, the tab and the form of a section. `inner`: the rest of the address has its own view. */
  show(section, { title, actions = null, isInner }) {
    setText(this.heading, title);
    setAttribute(this.view, "data-section", section.route);
    this.view.classList.toggle("is-screen", Boolean(section.isScreen));
    this.view.classList.toggle("is-inner", isInner);
    if (this.#actions.firstElementChild !== (actions ?? null)) this.#actions.replaceChildren(...(actions ? [actions] : []));
  }

  /** Marks the current tab. */
  mark(route) {
    for (const [each, link] of this.#links) {
      if (each === route) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  /** Whether the dock is there and open. */
  get isDockOpen() {
    return this.hasDock && !this.#dock.hidden;
  }

  /** Opens or closes the dock. */
  openDock(isOpen) {
    setShown(this.#dock, isOpen);
    this.view.classList.toggle("has-dock", isOpen);
  }

  /** Shows whether the user has a group, and the number of unread messages. */
  draw({ hasGroup, unread }) {
    setShown(this.#invite, hasGroup);
    this.view.classList.toggle("no-group", !hasGroup);
    setShown(this.#unread, unread > 0);
    setText(this.#unread, unread >= 100 ? "99+" : String(unread));
    setAttribute(this.#unread, "aria-label", phrase("unread.count", { count: unread }));
  }

  /** The parts of the map that other parts of the page cover, in pixels. */
  get covered() {
    if (this.isWide) return { top: 0, right: 0, bottom: 0, left: 0 };
    const stage = this.stage.getBoundingClientRect();
    const card = this.view.querySelector(".slot:not(:empty)")?.getBoundingClientRect();
    // At the highest stop too little of the map is left to fit anything into.
    const bottom = Math.min(this.sheet.height, stage.height - LEAST_MAP);
    return { top: Math.max(PILLS, card ? card.bottom - stage.top : 0), right: 0, bottom, left: 0 };
  }

  /** Stops listening. */
  close() {
    this.#ended.abort();
  }

  #link(section, onTab) {
    const mark = element("span", { class: "tab-mark" }, lineIcon(section.icon), section.route === CHAT ? this.#unread : null);
    const link = element("a", { href: address(section.route), "data-testid": `nav-${section.route}` }, mark, element("span", {}, titleOf(section)));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onTab(section.route);
    });
    this.#links.set(section.route, link);
    return link;
  }

  #arrange() {
    (this.isWide ? this.#top : this.#head).append(this.#invite);
    (this.isWide ? this.#rail : this.#top).append(this.#bell);
    this.onChange();
  }

  // The end is late: the press that takes the focus from a field must not miss its button.
  #type(field) {
    clearTimeout(this.#typed);
    if (field?.matches("textarea, input:not([type=checkbox], [type=radio])")) this.view.classList.add("is-typing");
    else this.#typed = setTimeout(() => this.view.classList.remove("is-typing"), 400);
  }

  #moveOn(event, slot) {
    const parts = [this.stage, this.#panel, slot, this.#dock].filter((part) => part.checkVisibility() && part.firstElementChild !== null);
    const at = parts.findIndex((part) => part.contains(document.activeElement));
    const next = parts.at((at + (event.shiftKey ? -1 : 1)) % parts.length);
    event.preventDefault();
    (next === this.stage ? next.querySelector(".map") : next === this.#panel ? this.heading : next.querySelector("button"))?.focus();
  }
}

