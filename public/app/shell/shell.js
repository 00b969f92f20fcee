import { Notifier } from "../notify/notify.js";
import { followPlace, lastPlace } from "../offline/opening.js";
import { PositionSource } from "../position-source.js";
import { Session } from "../session.js";
import { stylesheet } from "../ui/dom.js";
import { explain, isolated } from "../ui/text.js";
import { SharePill } from "../you/share-bar.js";
import { focusHeading } from "./focus.js";
import { GroupPill } from "./group-pill.js";
import { Inbox } from "./inbox.js";
import { Layout } from "./layout.js";
import { MapStage } from "./map-stage.js";
import { Navigation } from "./navigation.js";
import { Questions } from "./questions.js";
import { address } from "./router.js";
import { HOME, sectionOf, titleOf } from "./sections.js";
import { Strip } from "./strip.js";
import { toast } from "./toasts.js";
import { Views } from "./views.js";

await stylesheet("/app/shell/shell.css");

/** The page of a logged-in user: one map, the panels of the sections, and their common parts. */
export class Shell {
  #options;
  #session;
  #navigation;
  #inbox;
  #questions;
  #strip;
  #share;
  #group;
  #layout;
  #views;
  #stage;
  #attendants = [];
  #isClosed = false;
  #notifier;
  view;

  /** @param {{token: string, device: object, onSignedOut: (why?: string) => void}} options */
  constructor(options) {
    this.#options = options;
    this.#session = new Session(options);
    const { client } = this.#session;
    this.#strip = new Strip({ onRetry: () => (client.status.state === "stopped" ? client.start() : client.hurry()), onChange: () => this.#session.changed() });
    this.#inbox = new Inbox({
      onSeen: (notifications) => client.markSeen(notifications),
      onShow: (alert) => this.#showAlert(alert),
      onWait: (alert, eta, isChange) => this.#questions.wait(alert, eta, isChange),
      onGo: (...way) => this.#navigation.go(...way),
      onChange: () => this.#drawTitle(),
      now: () => client.now(),
      members: (group) => client.rosters.get(group)?.members,
    });
    this.#share = new SharePill(this.#session);
    this.#group = new GroupPill(this.#session, {
      onChoose: (group) => this.#navigation.choose(group),
      onNew: () => this.#home((people) => people.newGroup()), onSettings: () => this.#home((people) => people.settings()),
    });
    this.#layout = new Layout({
      group: this.#group.view, bell: this.#inbox.bell, slot: this.#inbox.slot, inbox: this.#inbox.view, share: this.#share.view, strip: this.#strip.view,
      onInvite: () => this.#home((people) => people.invite()), onTab: (route) => this.#navigation.press(route),
    });
    this.view = this.#layout.view;
    this.#stage = new MapStage({ session: this.#session, layout: this.#layout });
    this.#views = new Views(this.#layout, (view) => this.#contextOf(view), () => this.#navigation.open());
    this.#questions = new Questions({ session: this.#session, inbox: this.#inbox, onLocated: (user) => this.#views.shown === HOME && this.#navigation.go(HOME, [user]) });
    this.#layout.onChange = () => this.#arranged();
    this.#navigation = new Navigation({
      session: this.#session, layout: this.#layout, views: this.#views,
      onShown: (section, rest) => {
        this.#arranged();
        for (const attendant of this.#attendants) attendant.visited(section, rest);
        this.#draw();
      },
    });
    this.#listen();
  }

  /** Connects, draws the map, and shows the section of the address. */
  async open() {
    followPlace();
    this.#session.start();
    this.#strip.knownAt = this.#session.asOf;
    this.#layout.sheet.state = lastPlace()?.sheet ?? "half";
    this.#strip.show(this.#session.client.status);
    focusHeading();
    // On a slow connection the list is shown first, while the map loads.
    await this.#navigation.open();
    if (!this.#isClosed) await this.#openMap();
  }

  /** Disconnects and frees everything. */
  close() {
    this.#isClosed = true;
    // A logout in another tab ends here, too: the next user of this tab shares nothing unasked.
    PositionSource.forget();
    for (const part of [this.#navigation, this.#session, this.#notifier, this.#strip, this.#views, this.#stage, this.#layout]) part.close();
    document.title = "Muster";
    for (const dialog of document.querySelectorAll("dialog, .menu")) dialog.localName === "dialog" ? dialog.close() : dialog.remove();
    document.getElementById("cards").replaceChildren();
  }

  async #openMap() {
    const map = await this.#stage.open();
    if (map === null) return;
    await this.#views.addLayers(map);
    this.#draw();
    await this.#views.attend(({ attend }) => {
      const attendant = attend({ session: this.#session, go: (to, rest) => this.#navigation.go(to, rest) });
      this.#attendants.push(attendant);
      attendant.visited(this.#views.shown, this.#views.get(this.#views.shown)?.rest ?? []);
    });
  }

  #contextOf(view) {
    return {
      session: this.#session, layer: () => view.layer, map: () => this.#stage.map,
      go: (to, rest, options) => this.#navigation.go(to, rest, options), showPlace: (place) => this.#stage.show(place),
      raise: () => this.#layout.sheet.raise("half"), asOf: () => this.#strip.asOf,
      closeChat: () => this.#navigation.closeChat(), walk: () => this.#walk(), signOut: (why) => this.#signOut(why),
    };
  }

  #listen() {
    const session = this.#session;
    const { client } = session;
    session.addEventListener("change", () => this.#draw());
    session.addEventListener("signedout", ({ detail }) => this.#signOut(detail));
    client.addEventListener("state", ({ detail }) => this.#strip.show(detail));
    client.addEventListener("groups", () => {
      this.#navigation.groupsChanged();
      this.#draw();
    });
    client.addEventListener("alert", ({ detail }) => this.#inbox.add(detail));
    this.#notifier = new Notifier(client, { group: (group) => address(HOME, { group }) });
    client.addEventListener("notice", ({ detail }) => this.#inbox.addNotice(detail));
    client.addEventListener("seen", ({ detail }) => this.#inbox.remove(detail.notifications));
    client.addEventListener("problem", ({ detail }) => toast(explain(detail), { tone: "bad" }));
    for (const type of ["rooms", "chat"]) client.addEventListener(type, () => this.#drawParts());
  }

  /** Ends the login once. The answer to a logout and the end of the socket both report it, the second perhaps during the next login. */
  #signOut(why) {
    if (this.#isClosed) return;
    this.#options.onSignedOut(why);
  }

  async #home(act) {
    const view = await this.#views.load(HOME);
    if (view !== null) act(view.panel);
  }

  // Drawing

  #draw() {
    if (this.#isClosed) return;
    this.#drawParts();
    this.#views.draw();
  }

  #drawParts() {
    const { current, client } = this.#session;
    this.#group.draw();
    this.#share.draw(this.#strip.asOf !== null);
    this.#layout.draw({ hasGroup: current !== null, unread: client.rooms.unread });
  }

  // The form of the page follows the shown section; the tab follows the address.
  #arranged() {
    if (this.#views.shown === null) return;
    this.#views.place();
    const shown = sectionOf(this.#views.shown);
    const { panel, rest } = this.#views.get(shown.route) ?? {};
    this.#layout.show(shown, { title: titleOf(shown), actions: panel?.actions, isInner: panel?.isInner ?? (rest ?? []).length > 0 });
    this.#layout.mark(shown.tab ?? shown.route);
    this.#drawTitle();
  }

  #drawTitle() {
    if (!this.#views) return;
    const shown = sectionOf(this.#views.shown);
    document.title = `${this.#inbox.count > 0 ? `(${this.#inbox.count}) ` : ""}${isolated(shown ? titleOf(shown) : "Muster")} · Muster`;
  }

  #showAlert(alert) {
    if (this.#session.client.groups.has(alert.group)) this.#navigation.go(HOME, [], { group: alert.group });
    this.#stage.show(alert.place);
  }

  #walk() {
    this.#stage.walk(() => {
      this.#draw();
      this.#views.get(HOME)?.layer?.focus(this.#session.me);
    });
  }
}
