import { PositionSource } from "../position-source.js";
import { Session } from "../session.js";
import { button, element, icon, setAttribute, setShown, setText, stylesheet } from "../ui/dom.js";
import { explain, isolated } from "../ui/text.js";
import { ShareBar } from "../you/share-bar.js";
import { ConnectionBadge } from "./connection-badge.js";
import { focusHeading } from "./focus.js";
import { Inbox } from "./inbox.js";
import { Router, address } from "./router.js";
import { SECTIONS } from "./sections.js";
import { Sheet } from "./sheet.js";
import { announce, toast } from "./toasts.js";

await stylesheet("/app/shell/shell.css");

/** The default section. */
const HOME = "people";

/** The page of a logged-in user: one map, one panel, and a rail of sections, which supply the contents. */
export class Shell {
  #options;
  #session;
  #router;
  #inbox;
  #connection;
  #share;
  #sheet;
  #map = null;
  #sections = new Map();
  #section = null;
  #shown = null;
  #invite = null;
  /** The attendants of the sections, see `sections.js`. */
  #attendants = [];
  #isClosed = false;
  #heading = element("h1", { id: "heading", tabindex: "-1" }, "People");
  #bell;
  #links = new Map();
  #body = element("div", { class: "panel-body", id: "panel-body" });
  #stage = element("section", { class: "stage", "aria-label": "Map" });
  #ask;
  view;

  /** @param {{token: string, device: object, onSignedOut: (why?: string) => void}} options */
  constructor(options) {
    this.#options = options;
    this.#session = new Session(options);
    const { client } = this.#session;
    this.#inbox = new Inbox({
      onSeen: (notifications) => client.markSeen(notifications),
      onShow: (alert) => {
        if (client.groups.has(alert.group)) this.#go(HOME, [], { group: alert.group });
        this.#showPlace(alert.place);
      },
      onWait: (alert, eta) => this.#wait(alert, eta),
      onPicture: (alert) => this.#sendPicture(alert),
      onGo: (...way) => this.#go(...way),
      onCount: () => this.#drawTitle(),
      onNews: () => {
        if (this.#sheet.state === "peek") this.#sheet.state = "half";
      },
      now: () => client.now(),
      members: (group) => client.rosters.get(group)?.members,
    });
    this.#connection = new ConnectionBadge({ onRetry: () => (client.status.state === "stopped" ? client.start() : client.hurry()), asOf: () => this.#session.asOf });
    this.#share = new ShareBar(this.#session);
    this.view = this.#build();
    this.#router = new Router((route) => this.#route(route));
    this.#listen();
  }

  /** Connects, draws the map, and shows the section of the address. */
  async open() {
    this.#session.start();
    this.#drawTitle();
    this.#connection.show(this.#session.client.status);
    focusHeading();
    // On a slow connection the list is shown first, while the map loads.
    await this.#route(this.#router.route);
    if (!this.#isClosed) await this.#openMap();
  }

  /** Disconnects and frees everything. */
  close() {
    this.#isClosed = true;
    this.#router.close();
    this.#session.close();
    this.#connection.close();
    for (const { layer } of this.#sections.values()) layer?.remove();
    this.#map?.remove();
    this.#map = null;
    document.title = "Muster";
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    document.getElementById("cards").replaceChildren();
  }

  #build() {
    this.#bell = button("", () => this.#inbox.toggle(), { class: "icon bell", "data-testid": "inbox-open" });
    this.#bell.append(icon("M12 22a2.500 2.500 0 0 0 2.500-2.500h-5A2.500 2.500 0 0 0 12 22Zm7-6v-5.500C19 7 17 4.700 14 4V3.500a2 2 0 1 0-4 0V4c-3 .700-5 3-5 6.500V16l-2 2v1h18v-1Z"), element("span", { class: "bell-count", hidden: true }));
    const rail = element("nav", { class: "rail", "aria-label": "Sections" }, SECTIONS.map((section) => {
      const link = element("a", { href: address(section.route), "data-testid": `nav-${section.route}` }, icon(section.icon), element("span", {}, section.title));
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (this.#sheet.state === "peek") this.#sheet.state = "half";
        this.#go(section.route, []);
      });
      this.#links.set(section.route, link);
      return link;
    }));
    const top = element("header", { class: "top" }, element("img", { class: "brand-mark", src: "icon.svg", alt: "Muster", width: 28, height: 28 }),
      this.#heading, this.#connection.badge, this.#bell);
    const panel = element("main", { class: "panel", id: "main", tabindex: "-1" });
    this.#sheet = new Sheet(panel);
    panel.append(this.#sheet.handle, this.#inbox.view, this.#body, this.#share.view);
    this.#ask = element("div", { class: "map-ask", "data-testid": "map-ask", hidden: true },
      element("h2", {}, "Where are you?"),
      element("p", { class: "hint" }, "Nobody of this group is on the map yet. Share where you are, and your friends find you here."),
      button("Share my location", () => this.#session.source.startGps(), { class: "filled", "data-testid": "map-ask-share" }));
    this.#stage.append(this.#ask, this.#connection.banner);
    return element("div", { class: "workspace" }, top, rail, panel, this.#stage);
  }

  async #openMap() {
    const [{ LiveMap }, { loadConfig }] = await Promise.all([import("../map/map.js"), import("../map/config.js"), stylesheet("/app/map/map.css")]);
    const config = await loadConfig();
    if (this.#isClosed) return;
    this.#map = new LiveMap(this.#stage, config);
    for (const section of this.#sections.values()) this.#addLayer(section);
    // The members are on the map in every section.
    await this.#load(HOME);
    this.#draw();
    for (const { attend } of SECTIONS) if (attend) this.#attend(await attend());
  }

  #attend({ attend }) {
    if (this.#isClosed) return;
    const attendant = attend({ session: this.#session, go: (to, rest) => this.#go(to, rest) });
    this.#attendants.push(attendant);
    attendant.visited(this.#shown, this.#sections.get(this.#shown)?.rest ?? []);
  }

  #listen() {
    const session = this.#session;
    const { client, source } = session;
    session.addEventListener("change", () => this.#draw());
    session.addEventListener("signedout", ({ detail }) => this.#signOut(detail));
    client.addEventListener("state", ({ detail }) => this.#connection.show(detail));
    client.addEventListener("groups", () => this.#groupsChanged());
    client.addEventListener("alert", ({ detail }) => this.#inbox.add(detail));
    client.addEventListener("notice", ({ detail }) => this.#inbox.addNotice(detail));
    client.addEventListener("seen", ({ detail }) => this.#inbox.remove(detail.notifications));
    client.addEventListener("locate", ({ detail }) => this.#asked(detail));
    client.addEventListener("located", ({ detail }) => this.#located(detail));
    client.addEventListener("locate_expired", () => toast("Nobody answered where they are."));
    client.addEventListener("problem", ({ detail }) => toast(explain(detail), { tone: "bad" }));
    source.addEventListener("change", ({ detail }) => {
      if (detail.problem) toast(detail.problem, { tone: "bad" });
    });
  }

  async #sendPicture({ group }) {
    if (!this.#session.client.groups.has(group)) return toast("You are not in this group.");
    const { openSendPicture } = await import("../shares/send.js");
    await openSendPicture(this.#session, group, { about: this.#session.me });
  }

  /** Ends the login once. The answer to a logout and the end of the socket both report it, the second perhaps during the next login. */
  #signOut(why) {
    if (this.#isClosed) return;
    PositionSource.forget();
    this.#options.onSignedOut(why);
  }

  // Navigation

  #go(section, rest = [], { group = this.#session.group, replace = false } = {}) {
    this.#router.go(address(section, { group: section === HOME ? group : null, rest }), { replace });
  }

  #home() {
    this.#go(HOME, [], { group: this.#session.preferred, replace: true });
  }

  async #route({ group, section, rest }) {
    if (section === "join") {
      this.#invite = rest[0] ?? null;
      return this.#home();
    }
    if (!SECTIONS.some((each) => each.route === section)) return this.#home();
    const { client } = this.#session;
    if (client.user !== null && section === HOME && !client.groups.has(group)) {
      if (group !== null) toast("You are not in this group.");
      // Without a group the address names the section alone; with one it is the address within the group.
      if (group !== null || this.#session.preferred !== null) return this.#home();
    }
    if (group !== null && (client.user === null || client.groups.has(group))) this.#session.select(group);
    this.#section = section;
    const found = await this.#load(section);
    if (this.#section !== section || this.#isClosed) return;
    this.#show(section, found, rest);
  }

  #show(name, section, rest) {
    for (const [route, each] of this.#sections) {
      setShown(each.panel.view, route === name);
      each.layer?.setActive(route === name);
    }
    for (const [route, link] of this.#links) {
      if (route === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    setText(this.#heading, section.title);
    if (this.#shown !== name) this.#body.scrollTop = 0;
    this.#shown = name;
    this.#drawTitle();
    section.panel.show(rest);
    section.rest = rest;
    for (const attendant of this.#attendants) attendant.visited(name, rest);
    this.#draw();
    this.#offerInvite();
    if (document.activeElement === document.body) focusHeading();
  }

  async #load(route) {
    const module = await SECTIONS.find((each) => each.route === route).load();
    let section = this.#sections.get(route);
    if (section || this.#isClosed) return section;
    section = { title: module.title, module, layer: null, hasLayer: false, rest: [] };
    const context = {
      session: this.#session, layer: () => section.layer, map: () => this.#map,
      go: (to, rest, options) => this.#go(to, rest, options),
      showPlace: (place) => this.#showPlace(place),
      walk: () => this.#walk(), signOut: (why) => this.#signOut(why),
    };
    section.context = context;
    section.panel = module.panel(context);
    setShown(section.panel.view, false);
    this.#sections.set(route, section);
    this.#body.append(section.panel.view);
    this.#addLayer(section);
    return section;
  }

  async #addLayer(section) {
    if (this.#map === null || section.hasLayer || section.module.layer === null) return;
    section.hasLayer = true;
    const layer = await section.module.layer({ ...section.context, map: this.#map, stage: this.#stage });
    if (this.#isClosed) return;
    section.layer = layer;
    section.layer.setActive(this.#shown === section.module.route);
    section.layer.draw();
    if (this.#shown === section.module.route) section.panel.show(section.rest);
  }

  #groupsChanged() {
    const session = this.#session;
    const { group, section } = this.#router.route;
    const isAtHome = section === HOME || section === null;
    if (session.group === null || !session.client.groups.has(session.group)) {
      const lost = session.group !== null;
      session.select(session.client.groups.has(group) ? group : session.preferred);
      if (isAtHome && (lost || group !== session.group)) this.#home();
    }
    this.#offerInvite();
    this.#draw();
  }

  async #offerInvite() {
    if (this.#invite === null || this.#session.client.user === null) return;
    const code = this.#invite;
    this.#invite = null;
    (await this.#load(HOME)).panel.offerInvite(code);
  }

  // Drawing

  #draw() {
    if (this.#isClosed) return;
    const session = this.#session;
    this.#share.draw();
    this.#sections.get(this.#shown)?.panel.draw();
    for (const { layer } of this.#sections.values()) layer?.draw();
    const isNowhere = session.roster !== null && session.source.mode === "off" && !session.members.some((member) => typeof member.lat === "number");
    setShown(this.#ask, isNowhere && this.#shown === HOME);
  }

  #drawTitle() {
    const { count } = this.#inbox;
    const title = this.#sections.get(this.#shown)?.title ?? "Muster";
    document.title = `${count > 0 ? `(${count}) ` : ""}${isolated(title)} · Muster`;
    const badge = this.#bell.querySelector(".bell-count");
    setText(badge, String(count));
    setShown(badge, count > 0);
    setAttribute(this.#bell, "aria-label", count === 0 ? "Inbox, nothing new" : `Inbox, ${count} new`);
    setAttribute(this.#bell, "aria-expanded", !this.#inbox.view.hidden);
  }

  #showPlace(place) {
    if (!place || this.#map === null) return;
    if (this.#sheet.state === "full") this.#sheet.state = "half";
    this.#map.goTo(place.lat, place.lon);
  }

  // The user's own position

  async #walk() {
    const { source } = this.#session;
    if (this.#map === null) return toast("The map is still on its way.");
    const me = this.#session.members.find((member) => member.user === this.#session.me);
    const isPlaced = (member) => typeof member?.lat === "number";
    const from = isPlaced(me) ? me : this.#session.members.some(isPlaced) ? this.#map.center : this.#map.demoPlace;
    source.startWalking(from.lat, from.lon);
    this.#draw();
    this.#map.goTo(from.lat, from.lon);
    this.#sections.get(HOME)?.layer?.focus(this.#session.me);
    announce("Arrow keys move you on the map.");
  }

  /** Asks the gathered members to wait, under the key that a push of the same alert has, too; returns their number. */
  async #wait({ group, notification }, eta) {
    try {
      const { told } = await this.#session.client.request("group.wait", { group, key: `n${notification}`, eta });
      return told;
    } catch (error) {
      toast(error.code === "gone" ? "They are no longer waiting for anybody." : explain(error), { tone: "bad" });
      return null;
    }
  }

  #asked({ request, group, from }) {
    const { client, source } = this.#session;
    const answer = async () => client.report(await source.once(), { answer: request });
    if (source.mode !== "off") return void answer().catch(() => {});
    const name = client.groups.get(group)?.name ?? "your group";
    this.#inbox.ask(`${isolated(from.name)} asks where you are`, `From ${isolated(name)}. Your position is sent once.`,
      () => answer().catch((error) => toast(error.message, { tone: "bad" })), "Tell them");
  }

  #located({ user }) {
    const member = this.#session.roster?.members.get(user);
    toast(`${member?.name ? isolated(member.name) : "Your friend"} has answered.`);
    if (this.#shown === HOME && member) this.#go(HOME, [user]);
  }
}
