import { phrase } from "../ui/words.js";
import { focusHeading } from "./focus.js";
import { Router, address } from "./router.js";
import { CHAT, HOME, sectionOf } from "./sections.js";
import { tab } from "../storage.js";
import { toast } from "./toasts.js";

/** The storage key of the invite that is not answered yet. */
const INVITE = "muster.invite";

/**
 * The way from an address to the shown section, and back.
 *
 * `onShown(section, rest)` is called after a section is shown.
 */
export class Navigation {
  #session;
  #layout;
  #views;
  #onShown;
  #router;
  /** The route of the address; the shown section differs while the chat is in the dock. */
  #route = null;
  /** The invite about which the page asks. */
  #offered = null;
  #isClosed = false;

  /** @param {{session: object, layout: object, views: object, onShown: (section: string, rest: string[]) => void}} parts */
  constructor({ session, layout, views, onShown }) {
    this.#session = session;
    this.#layout = layout;
    this.#views = views;
    this.#onShown = onShown;
    this.#router = new Router((route) => this.#open(route));
  }

  /** Shows the section of the address. */
  open() {
    return this.#open(this.#router.route);
  }

  /** Goes to a section, within the shown group or another one. */
  go(section, rest = [], { group = this.#session.group, replace = false } = {}) {
    this.#router.go(address(section, { group: sectionOf(section)?.inGroup ? group : null, rest }), { replace });
  }

  /** Goes to a section by its tab; the tab of the shown one raises the sheet. */
  press(route) {
    if (route === this.#views.shown && route === this.#route) this.#layout.sheet.raise("half");
    this.go(route, []);
  }

  /** Shows another group, in the chat or on the map. */
  choose(group) {
    if (this.#route === CHAT) this.go(CHAT, [group], { group });
    else this.go(HOME, [], { group });
  }

  /** Closes the dock, or leaves the chat. */
  closeChat() {
    this.#layout.openDock(false);
    this.#views.get(CHAT)?.panel.hide?.();
    const shown = this.#views.shown === CHAT || this.#views.shown === null ? HOME : this.#views.shown;
    this.go(shown, this.#views.get(shown)?.rest ?? []);
  }

  /** Leaves a group that the user has lost, and enters the first one. */
  groupsChanged() {
    const session = this.#session;
    const { group, section } = this.#router.route;
    const isAtHome = section === HOME || section === null;
    if (session.group === null || (session.client.session !== null && !session.client.groups.has(session.group))) {
      const lost = session.group !== null;
      session.select(session.client.groups.has(group) ? group : session.preferred);
      if (isAtHome && (lost || group !== session.group)) this.#goHome();
    }
    void this.#offerInvite();
  }

  /** Stops listening. */
  close() {
    this.#isClosed = true;
    this.#router.close();
  }

  #goHome() {
    this.go(HOME, [], { group: this.#session.preferred, replace: true });
  }

  async #open({ group, section, rest }) {
    if (section === "join") {
      // A reload before the answer asks again.
      tab.setItem(INVITE, rest[0] ?? "");
      return this.#goHome();
    }
    const wanted = sectionOf(section);
    if (!wanted) return this.#goHome();
    const { client } = this.#session;
    // The state of an earlier page may lack a new group: only a connection decides.
    if (client.session !== null && wanted.inGroup && !client.groups.has(group)) {
      if (group !== null) toast(phrase("group.notIn"));
      // Without a group the address names the section alone; with one it is the address within the group.
      if (group !== null || (section === HOME && this.#session.preferred !== null)) return this.#goHome();
    }
    if (group !== null && (client.session === null || client.groups.has(group))) this.#session.select(group);
    this.#route = section;
    const view = await this.#views.load(section);
    if (section === CHAT && this.#layout.hasDock && this.#views.shown === null) await this.#views.load(HOME);
    if (this.#route !== section || this.#isClosed) return;
    this.#views.show(section, view, rest);
    this.#onShown(this.#views.shown, rest);
    void this.#offerInvite();
    if (document.activeElement === document.body) focusHeading();
  }

  async #offerInvite() {
    const code = tab.getItem(INVITE);
    if (!code || code === this.#offered || this.#session.client.user === null) return;
    this.#offered = code;
    const view = await this.#views.load(HOME);
    view?.panel.offerInvite(code, () => {
      this.#offered = null;
      tab.removeItem(INVITE);
    });
  }
}
