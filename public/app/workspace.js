import { Client, hasPosition } from "../muster.js";
import { Alerts } from "./alerts.js";
import { loadConfig } from "./config.js";
import { ConnectionBadge } from "./connection-badge.js";
import { announce, button, element, setShown, setText, toast } from "./dom.js";
import { GatheringCard } from "./gathering-card.js";
import { openGatheringsDialog } from "./gatherings-dialog.js";
import { attempt, newGroupForm, openGroupDialog, openInviteDialog, openNewGroupDialog } from "./group-dialog.js";
import { openJoinDialog } from "./join-dialog.js";
import { LiveMap } from "./live-map.js";
import { MemberList } from "./member-list.js";
import { avatar } from "./person.js";
import { PositionSource } from "./position-source.js";
import { openProfileDialog } from "./profile-dialog.js";
import { openSharingDialog, sharingWords } from "./sharing-dialog.js";
import { rememberSharing, sharingEnds } from "./sharing-memory.js";
import { openSpotsDialog } from "./spots-dialog.js";
import { explain } from "./text.js";

const GROUP = "muster.group";

/** The page of somebody who is logged in: the map, the list, and what they can do. It wires the parts together. */
export class Workspace {
  #options;
  #client;
  #source;
  #list;
  #gathering;
  #alerts;
  #connection;
  #map = null;
  #group = null;
  #fitted = null;
  #self = null;
  #drawing = null;
  #clock = null;
  #parts = {};
  #ended = new AbortController();

  /** @param {{token: string, device: object, onSignedOut: (why?: string) => void}} options */
  constructor(options) {
    this.#options = options;
    const { token, device } = options;
    this.#client = new Client({ url: location.origin, token, device, storage: sessionStorage });
    this.#source = new PositionSource((fix) => this.#client.report(fix), () => this.#client.now());
    this.#list = new MemberList((member) => this.#choose(member));
    this.#gathering = new GatheringCard({ onPlace: () => this.#showPlace(this.#roster()?.gathering?.place), onHistory: () => this.#openHistory() });
    this.#alerts = new Alerts({
      onSeen: (upTo) => this.#client.markSeen(upTo),
      onShow: (alert) => this.#showAlert(alert),
      now: () => this.#client.now(),
    });
    this.#connection = new ConnectionBadge({ onRetry: () => (this.#client.status.state === "stopped" ? this.#client.start() : this.#client.hurry()) });
    this.view = this.#build();
    this.#listen();
  }

  /** Draws the map and connects. */
  async open() {
    this.#client.start();
    this.#clock = setInterval(() => this.#draw(), 5000);
    const config = await loadConfig();
    if (this.#ended.signal.aborted) return;
    this.#map = new LiveMap(this.#parts.map, config, {
      onMoved: (lat, lon, options) => this.#source.walkTo(lat, lon, options),
      onAsk: (user) => this.#ask(user),
    });
    this.#draw();
  }

  /** Asks whether to join by an invite. */
  offerInvite(code) {
    openJoinDialog(this.#client, code, (group) => {
      this.#select(group.id);
      toast(`You joined ${group.name}, and share your position with it live.`);
    });
  }

  /** Disconnects and frees everything. */
  close() {
    this.#ended.abort();
    clearInterval(this.#clock);
    cancelAnimationFrame(this.#drawing);
    this.#source.stop();
    this.#client.stop();
    this.#connection.close();
    this.#map?.remove();
    this.#map = null;
    for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  }

  #build() {
    const parts = this.#parts;
    parts.switcher = element("select", { "aria-label": "Group", "data-testid": "group-switcher" });
    parts.switcher.addEventListener("change", () => this.#select(parts.switcher.value));
    parts.invite = button("Invite", () => this.#openInvite(), { class: "filled", "data-testid": "group-invite" });
    parts.menu = button("⋯", () => this.#openGroup(), { class: "icon bordered", "aria-label": "About this group", title: "About this group", "data-testid": "group-menu" });
    parts.add = button("+", () => openNewGroupDialog(this.#client, (group) => this.#select(group.id)), { class: "icon bordered", "aria-label": "New group", title: "New group", "data-testid": "group-new" });
    parts.groupBar = element("div", { class: "group-bar" }, parts.switcher, parts.invite, parts.menu, parts.add);
    parts.profile = button("", () => this.#openProfile(), { class: "icon round", "aria-label": "You: name, picture, log out", "data-testid": "profile" });
    parts.gps = button("My location", () => this.#toggleGps(), { class: "toggle", "aria-pressed": "false", "data-testid": "share-gps" });
    parts.walk = button("Walk me", () => this.#toggleWalk(), { class: "toggle", "aria-pressed": "false", "data-testid": "share-walk" });
    parts.sharing = button("", () => this.#openSharing(), { class: "sharing", "data-testid": "sharing" });
    parts.hint = element("p", { class: "hint", "data-testid": "position-hint", "aria-live": "polite" });
    parts.you = element("section", { class: "you", "aria-label": "Your position" }, element("div", { class: "row" }, parts.gps, parts.walk), parts.hint, parts.sharing);
    parts.empty = element("section", { class: "empty", "data-testid": "no-groups", hidden: true },
      element("h2", {}, "Start with a group"),
      element("p", { class: "hint" }, "Create one and invite your friends, or open an invite link that a friend has sent you."),
      newGroupForm(this.#client, (group) => {
        this.#select(group.id);
        this.#openInvite();
      }));
    parts.content = element("div", { class: "panel-content" }, this.#gathering.view, this.#list.view, parts.you);
    parts.handle = element("button", { type: "button", class: "handle", "aria-expanded": "true", "aria-controls": "panel-content", "aria-label": "Members and your position", "data-testid": "sheet-handle" });
    parts.content.id = "panel-content";
    parts.handle.addEventListener("click", () => {
      const open = parts.panel.classList.toggle("closed");
      parts.handle.setAttribute("aria-expanded", String(!open));
    });
    parts.panel = element("section", { class: "panel", "aria-label": "Group" }, parts.handle, parts.groupBar, parts.content, parts.empty);
    parts.map = element("div", { class: "map", role: "region", "aria-label": "Map", "data-testid": "map" });
    parts.fit = button("Show everyone", () => this.#fit(this.#members()), { class: "floating", "data-testid": "fit" });
    parts.spots = button("Spots", () => this.#openSpots(), { class: "floating", "data-testid": "spots-open" });
    const top = element("header", { class: "top" },
      element("p", { class: "brand small" }, element("img", { src: "icon.svg", alt: "", width: 28, height: 28 }), "Muster"),
      this.#connection.badge, parts.profile);
    const stage = element("main", { class: "stage", id: "main", tabindex: "-1" }, parts.map,
      element("div", { class: "floating-row" }, parts.fit, parts.spots), this.#connection.banner, this.#alerts.view);
    return element("div", { class: "workspace" }, top, parts.panel, stage);
  }

  #listen() {
    const client = this.#client;
    client.addEventListener("state", ({ detail }) => {
      this.#connection.show(detail);
      if (detail.reason === "unauthorized") this.#options.onSignedOut("You were logged out. Please log in again.");
    });
    client.addEventListener("welcome", () => {
      this.#parts.profile.replaceChildren(avatar(client.user, { size: "small" }));
      this.#drawSoon();
    });
    client.addEventListener("groups", () => this.#groupsChanged());
    client.addEventListener("roster", ({ detail }) => {
      if (detail.group === this.#group) this.#drawSoon();
    });
    client.addEventListener("self", ({ detail }) => {
      this.#self = detail;
      this.#drawSoon();
    });
    client.addEventListener("alert", ({ detail }) => this.#alerts.add(detail));
    client.addEventListener("locate", ({ detail }) => this.#asked(detail));
    client.addEventListener("located", ({ detail }) => this.#located(detail));
    client.addEventListener("locate_expired", () => toast("Nobody answered where they are."));
    client.addEventListener("problem", ({ detail }) => toast(explain(detail), { tone: "bad" }));
    this.#source.addEventListener("change", ({ detail }) => {
      if (detail.problem) toast(detail.problem, { tone: "bad" });
      this.#drawSoon();
    });
    const { signal } = this.#ended;
    document.addEventListener("visibilitychange", () => {
      client.setForeground(!document.hidden);
      if (document.hidden) return;
      client.hurry();
      this.#drawSoon();
      this.#refreshGroups();
    }, { signal });
    // Of two windows side by side both are visible all the while.
    addEventListener("focus", () => this.#refreshGroups(), { signal });
    addEventListener("online", () => client.hurry(), { signal });
    addEventListener("offline", () => this.#connection.show(client.status), { signal });
  }

  /** Reads anew what others may have changed of one's groups: names and rules are not pushed. Without an answer the old ones do. */
  async #refreshGroups() {
    if (this.#client.status.state === "live") await this.#client.refreshGroups({ timeout: 2000 }).catch(() => {});
  }

  #groupsChanged() {
    const { switcher } = this.#parts;
    const groups = [...this.#client.groups.values()].sort((a, b) => a.name.localeCompare(b.name));
    switcher.replaceChildren(...groups.map((group) => element("option", { value: group.id }, group.name)));
    const wanted = this.#group ?? localStorage.getItem(GROUP);
    this.#select(this.#client.groups.has(wanted) ? wanted : (groups[0]?.id ?? null));
  }

  #select(group) {
    const changed = group !== this.#group;
    this.#group = group;
    if (group !== null) {
      localStorage.setItem(GROUP, group);
      this.#parts.switcher.value = group;
    }
    if (changed) this.#fitted = null;
    this.#drawSoon();
  }

  #roster() {
    return this.#client.rosters.get(this.#group) ?? null;
  }

  /** The members as they are shown: one's own position is the one known best, whatever others see of it. */
  #members() {
    const me = this.#client.user?.id;
    const members = [...(this.#roster()?.members.values() ?? [])];
    const elsewhere = (member) => (this.#self !== null && this.#self.at >= (member.at ?? 0) ? this.#self : null);
    return members.map((member) => {
      const own = member.user === me ? (this.#source.last ?? elsewhere(member)) : null;
      if (own === null) return member;
      return { ...member, lat: own.lat, lon: own.lon, accuracy: own.accuracy, at: own.at, speed: own.speed };
    });
  }

  /** Oneself as a member, when one's position is known better than others may see it. */
  #exact(members) {
    const own = members.find((member) => member.user === this.#client.user?.id) ?? null;
    const isKnownHere = this.#source.last !== null || this.#self !== null;
    return own !== null && hasPosition(own) && (isKnownHere || own.sharing === "live") ? own : null;
  }

  #drawSoon() {
    // A hidden page gets no animation frames; it is drawn when somebody looks again.
    this.#drawing ??= requestAnimationFrame(() => {
      this.#drawing = null;
      this.#draw();
    });
  }

  #draw() {
    const client = this.#client;
    const me = client.user?.id;
    const group = client.groups.get(this.#group) ?? null;
    const roster = this.#roster();
    const members = this.#members();
    const gathering = roster?.gathering ?? null;
    const now = client.now();
    setShown(this.#parts.empty, client.user !== null && group === null);
    setShown(this.#parts.groupBar, group !== null);
    setShown(this.#parts.content, group !== null);
    this.#list.show(members, { me, now, gathering });
    this.#gathering.show(gathering, { members, me, now, own: this.#exact(members) });
    this.#drawYou(members.find((member) => member.user === me));
    if (!this.#map) return;
    const walking = this.#source.mode === "walk";
    const together = new Set(gathering?.together ?? []);
    this.#map.showMembers(members, (member) => ({
      now, isMe: member.user === me, walkable: walking && member.user === me, together: together.has(member.user),
    }));
    this.#map.showGathering(gathering, group?.settings.radius ?? 100);
    if (this.#fitted !== this.#group && members.some(hasPosition)) {
      this.#fitted = this.#group;
      this.#fit(members);
    }
  }

  #drawYou(own) {
    const { gps, walk, hint, sharing } = this.#parts;
    const { mode, last } = this.#source;
    gps.setAttribute("aria-pressed", String(mode === "gps"));
    walk.setAttribute("aria-pressed", String(mode === "walk"));
    const kept = this.#client.backlog.length;
    const waiting = this.#client.status.state !== "live" && kept > 0 ? ` ${kept} positions wait to be sent.` : "";
    const hints = {
      off: "You are not reporting a position from here.",
      gps: last ? "Your position is reported as you move." : "Looking for your position…",
      walk: "Drag your marker, or focus it and use the arrow keys.",
    };
    setText(hint, hints[mode] + waiting);
    const { mode: shared, until, now } = this.#shared(own);
    setText(sharing, `Sharing: ${sharingWords(shared, until, now)}`);
    sharing.dataset.mode = shared;
    sharing.classList.toggle("limited", shared !== "live" && until !== null);
  }

  #fit(members) {
    this.#leaveRoomForAlerts();
    this.#map?.fit(members);
  }

  /** On a wide page the cards lie over the map's right side: what is centred is centred beside them. */
  #leaveRoomForAlerts() {
    const { view } = this.#alerts;
    const wide = view.offsetWidth < this.#parts.map.offsetWidth / 2;
    this.#map?.leaveRoom(view.children.length > 0 && wide ? view.offsetWidth + 16 : 0);
  }

  #choose(member) {
    this.#leaveRoomForAlerts();
    this.#map?.focus(member.user);
  }

  #toggleGps() {
    if (this.#source.mode === "gps") this.#source.stop();
    else this.#source.startGps();
  }

  #toggleWalk() {
    if (this.#source.mode === "walk") return this.#source.stop();
    const me = this.#client.user?.id;
    const own = this.#members().find((member) => member.user === me);
    const from = own && hasPosition(own) ? own : this.#map.center;
    this.#source.startWalking(from.lat, from.lon);
    this.#draw();
    if (!own || !hasPosition(own)) this.#map.goTo(from.lat, from.lon);
    this.#map.focusKeyboard(me);
    announce("Arrow keys move you on the map.");
  }

  #openSharing() {
    const group = this.#client.groups.get(this.#group);
    const own = this.#roster()?.members.get(this.#client.user.id);
    openSharingDialog({
      ...this.#shared(own), group, groups: this.#client.groups.size,
      onChosen: async (choice) => {
        await this.#client.request("sharing.set", choice);
        const groups = choice.group ? [choice.group] : [...this.#client.groups.keys()];
        rememberSharing(this.#client.user.id, groups, choice);
        this.#drawSoon();
        toast(`${choice.group ? `With ${group.name}` : "With all your groups"}: ${sharingWords(choice.mode, choice.until ?? null, this.#client.now())}.`);
      },
    });
  }

  /** How one shares with the group, and when that ends. */
  #shared(own) {
    const now = Math.round(this.#client.now());
    const mode = own?.sharing ?? "live";
    return { mode, until: sharingEnds(this.#client.user?.id, this.#group, mode, now), now };
  }

  #openHistory() {
    const group = this.#client.groups.get(this.#group);
    if (group) openGatheringsDialog(this.#client, group, { token: this.#options.token, onPlace: (place) => this.#showPlace(place) });
  }

  /** Around where one is, if that is known, else around the middle of the map. */
  #openSpots() {
    const own = this.#exact(this.#members()) ?? this.#source.last;
    const here = own ?? this.#map?.center;
    if (here) openSpotsDialog(this.#client, { here, isOwn: own !== null, onPlace: (place) => this.#showPlace(place) });
  }

  #openInvite() {
    const group = this.#client.groups.get(this.#group);
    if (group) openInviteDialog(this.#client, group);
  }

  async #openGroup() {
    await this.#refreshGroups();
    const group = this.#client.groups.get(this.#group);
    if (group) openGroupDialog(this.#client, group, { me: this.#client.user.id });
  }

  #openProfile() {
    openProfileDialog({
      token: this.#options.token,
      onSignedOut: this.#options.onSignedOut,
      onChanged: (profile) => {
        this.#client.user = { ...this.#client.user, name: profile.name, avatar: profile.avatar };
        this.#parts.profile.replaceChildren(avatar(this.#client.user, { size: "small" }));
        toast("Saved.");
      },
    });
  }

  #showAlert(alert) {
    if (this.#client.groups.has(alert.group)) this.#select(alert.group);
    this.#fitted = alert.group;
    this.#showPlace(alert.place);
  }

  #showPlace(place) {
    if (place) this.#map?.goTo(place.lat, place.lon);
  }

  #ask(user) {
    attempt(async () => {
      const { devices } = await this.#client.request("locate", { group: this.#group, user });
      toast(devices === 0 ? "None of their devices can be asked right now." : "Asked. The answer shows on the map.");
    });
  }

  #asked({ request, group, from }) {
    const answer = async () => this.#client.report(await this.#source.once(), { answer: request });
    if (this.#source.mode !== "off") return void answer().catch(() => {});
    const name = this.#client.groups.get(group)?.name ?? "your group";
    this.#alerts.ask(`${from.name} asks where you are`, `From ${name}. Your position is sent once.`,
      () => answer().catch((error) => toast(error.message, { tone: "bad" })), "Tell them");
  }

  #located({ user }) {
    const member = this.#roster()?.members.get(user);
    toast(`${member?.name ?? "Your friend"} has answered.`);
    this.#map?.focus(user);
  }
}
