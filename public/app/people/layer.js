import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { hasPosition } from "../../muster.js";
import { metresBetween } from "../map/geometry.js";
import { ClusterLayer } from "../map/cluster-layer.js";
import { moving } from "../map/map.js";
import { focusHeading } from "../shell/focus.js";
import { attempt, toast } from "../shell/toasts.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { counted, people } from "../ui/text.js";
import { blockWord, toggleBlock } from "./block.js";
import { Callout } from "./callout.js";
import { EdgePointers } from "./edge-pointers.js";
import { describe } from "./person.js";

/** The minimum radius of a drawn accuracy circle, in metres; a smaller one lies under the marker. */
const SMALLEST_CIRCLE = 15;

/** Half of the grid cell of an approximate position, in degrees. */
const HALF_CELL = 0.005;

/** The default zoom for a member, and the maximum zoom to separate members in nearly the same place. */
const NEAR = 15;
const NEAREST = 18;

/** The group size above which counts may replace faces, and the z-index of the counts, below the user's own marker. */
const LARGE = 30;
const BELOW_MARKERS = 590;

/**
 * The members on the map: pins and bubbles, cells of approximate positions, callouts, and the place of the gathering.
 */
export class PeopleLayer {
  #context;
  #map;
  #layer;
  #members = [];
  #selected = null;
  #callout = null;
  #popup;
  #circles = new Map();
  #cells = new Map();
  #place = null;
  #fitted = null;
  #wasReporting = false;
  #edges;
  #fit;
  #counts;
  #counted = null;
  #countedGroup = null;

  /** @param {{session: object, map: object, stage: HTMLElement, go: Function}} context */
  constructor(context) {
    this.#context = context;
    this.#map = context.map.leaflet;
    this.#popup = L.popup({ closeButton: false, autoClose: false, closeOnClick: false, className: "callout", offset: [0, -18], minWidth: 272, maxWidth: 300, autoPanPadding: [12, 12] });
    this.#layer = new ClusterLayer(this.#map, {
      className: "person",
      draw: (pin, features, marker) => this.#draw(pin, features, marker),
      label: (features) => this.#label(features),
      onPick: (feature) => this.#context.go("people", [feature.id]),
      onList: (features, at) => this.#list(features, at),
      isFixed: (feature) => feature.properties.isWalkable,
    });
    // Blocked users arrive with the rooms.
    context.session.client.addEventListener("rooms", () => this.#callout !== null && this.#drawCallout());
    this.#map.on("click", () => this.#leave());
    this.#map.on("moveend", () => {
      this.#edges.arrange();
      this.#drawUncertainty();
    });
    this.#edges = new EdgePointers(context.stage, context.map, (user) => this.#context.go("people", [user]));
    this.#fit = button("Show everyone", () => this.fit(), { class: "floating", "data-testid": "fit" });
    this.#counts = button("Counts", () => this.#toggleCounts(), { class: "floating toggle", "aria-pressed": "false", "data-testid": "people-counts", hidden: true });
    context.stage.append(element("div", { class: "floating-row" }, this.#fit, this.#counts));
  }

  /** Draws the members. */
  draw() {
    const { session } = this.#context;
    const { me, gathering } = session;
    this.#members = session.members.filter(hasPosition);
    const walking = session.source.mode === "walk";
    this.#drawCounts(session);
    const drawn = this.#countedGroup === null ? this.#members : this.#members.filter((member) => member.user === me);
    this.#layer.show(drawn.map((member) => ({
      type: "Feature", id: member.user, geometry: { type: "Point", coordinates: [member.lon, member.lat] },
      properties: { member, isWalkable: walking && member.user === me, isApproximate: member.sharing === "approximate" && member.user !== me },
    })));
    this.#drawUncertainty();
    this.#drawGathering(gathering, session.current?.settings?.radius ?? 100);
    this.#drawCallout();
    this.#fit.hidden = this.#members.length === 0;
    if (this.#fitted !== session.group) {
      if (this.#members.length > 0) {
        this.#fitted = session.group;
        this.#edges.forget(this.#members);
        if (this.#selected === null) this.#context.map.fit(this.#members, { animate: false });
      }
    }
    this.#showOneself(session);
    this.#edges.show(this.#members, { me, here: session.here });
  }

  // After the start of sharing, the user looks for their own marker.
  #showOneself({ source }) {
    const isReporting = source.isReporting;
    if (isReporting && !this.#wasReporting && !this.#context.map.shows(source.last)) this.fit();
    this.#wasReporting = isReporting;
  }

  /** Moves the map so that all members are visible. */
  fit() {
    this.#edges.forget(this.#members);
    this.#edges.arrange();
    this.#context.map.fit(this.#members);
  }

  /** Members stay on the map in every section; only their callout closes. */
  setActive(active) {
    if (!active) this.select(null);
  }

  /** Centres on a member and opens their callout; null closes it. */
  select(user) {
    if (user === this.#selected && user !== null) return;
    this.#selected = user;
    this.#callout = null;
    this.#map.closePopup(this.#popup);
    if (user !== null) this.#drawCallout();
    else this.#drawUncertainty();
  }

  /** Moves the focus to a member's marker. */
  focus(user) {
    this.#layer.markerOf(user)?.marker.getElement().focus();
  }

  /** Removes the layer from the map. */
  remove() {
    this.#layer.remove();
    this.#counted?.remove();
    this.#edges.remove();
  }

  // The server's tiles of the group show counts in place of overlapping faces. The user's own marker stays.

  async #toggleCounts() {
    const { group } = this.#context.session;
    await attempt(async () => {
      this.#counted ??= await this.#makeCounts();
      this.#countedGroup = this.#countedGroup === null ? group : null;
    });
    this.draw();
  }

  async #makeCounts() {
    const { TileLayer } = await import("../tiles/tile-layer.js");
    const member = ({ properties: { id, name } }) => this.#members.find(({ user }) => user === id) ?? { user: id, name };
    return new TileLayer(this.#context, {
      className: "counted", level: BELOW_MARKERS, nouns: ["person", "people"],
      draw: (face, pin, feature) => {
        setAttribute(face, "class", "pin");
        const wanted = faceKey(member(feature));
        if (face.dataset.drawn === wanted) return;
        face.dataset.drawn = wanted;
        face.replaceChildren(avatar(member(feature)));
      },
      label: ({ properties }) => properties.name,
      row: ({ properties }) => properties.name,
      onPick: ({ properties: { id } }) => this.#context.go("people", [id]),
    });
  }

  #drawCounts({ group, roster }) {
    if (this.#countedGroup !== group) this.#countedGroup = null;
    setShown(this.#counts, (roster?.members.size ?? 0) > LARGE || this.#countedGroup !== null);
    setAttribute(this.#counts, "aria-pressed", this.#countedGroup !== null);
    this.#counted?.show(this.#countedGroup === null ? null : `group:${group}`);
  }

  #leave() {
    if (this.#popup.isOpen()) this.#map.closePopup(this.#popup);
    if (this.#selected !== null) this.#context.go("people", []);
  }

  #about(member) {
    const { session } = this.#context;
    return { now: session.now, isMe: member.user === session.me, here: session.here, gathering: session.gathering, blockWord: blockWord(session.client, member.user) };
  }

  #label(features) {
    if (features.length > 1) return `${people(features.map((feature) => feature.properties.member.name))}: ${counted(features.length, "person", "people")} close together`;
    const { member, isWalkable } = features[0].properties;
    return describe(member, this.#about(member)).label + (isWalkable ? ". Arrow keys move you" : "");
  }

  #draw(pin, features, { marker }) {
    const members = features.map((feature) => feature.properties.member);
    const own = features.find((feature) => feature.properties.member.user === this.#context.session.me);
    const walkable = features.find((feature) => feature.properties.isWalkable) ?? null;
    const together = new Set(this.#context.session.gathering?.together ?? []);
    const lead = walkable?.properties.member ?? own?.properties.member ?? members[0];
    const shown = [lead, ...members.filter((member) => member !== lead)].slice(0, 3);
    const faces = `${members.length}|${shown.map(faceKey).join("|")}`;
    if (pin.dataset.faces !== faces) {
      pin.dataset.faces = faces;
      pin.replaceChildren(...shown.reverse().map((member) => avatar(member)));
      if (members.length > 1) pin.append(element("span", { class: "count", "aria-hidden": "true" }, String(members.length)));
    }
    const { freshness } = describe(lead, this.#about(lead));
    const kinds = [
      "pin", members.length > 1 ? `bubble of-${shown.length}` : freshness, own && "me", walkable && "walkable",
      members.some((member) => together.has(member.user)) && "together", members.length === 1 && features[0].properties.isApproximate && "area",
    ];
    setAttribute(pin, "class", kinds.filter(Boolean).join(" "));
    const handle = marker.getElement();
    setAttribute(handle, "data-people", `|${members.map((member) => member.name).join("|")}|`);
    setAttribute(handle, "data-testid", `marker-${lead.user}`);
    setAttribute(handle, "tabindex", walkable ? 0 : -1);
    marker.setZIndexOffset(own ? 1000 : members.length > 1 ? 500 : freshness === "stale" ? -500 : 0);
    this.#makeWalkable(marker, handle, walkable !== null);
  }

  #makeWalkable(marker, handle, isWalkable) {
    if (!isWalkable) return marker.dragging.disable();
    if (marker.dragging.enabled()) return;
    marker.dragging.enable();
    if (marker.isPrepared) return;
    marker.isPrepared = true;
    const { source, me } = this.#context.session;
    const held = this.#layer.markerOf(me);
    const moved = (final) => {
      const { lat, lng } = marker.getLatLng().wrap();
      source.walkTo(lat, lng, { final });
    };
    marker.on("dragstart", () => {
      held.isDragged = true;
      handle.style.transition = "";
    });
    marker.on("drag", () => moved(false));
    marker.on("dragend", () => {
      held.isDragged = false;
      moved(true);
    });
    handle.addEventListener("keydown", (event) => this.#step(event));
  }

  #step(event) {
    const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const step = steps[event.key];
    const { source } = this.#context.session;
    if (!step || source.mode !== "walk") return;
    event.preventDefault();
    event.stopPropagation();
    const size = event.shiftKey ? 48 : 12;
    const point = this.#map.latLngToContainerPoint([source.last.lat, source.last.lon]);
    const { lat, lng } = this.#map.containerPointToLatLng(point.add([step[0] * size, step[1] * size])).wrap();
    if (!this.#map.getBounds().pad(-0.1).contains([lat, lng])) this.#map.panTo([lat, lng], { animate: moving() });
    source.walkTo(lat, lng, { final: false });
  }

  // Circles of all members would hide the map, so only the user and the selected member have one.
  // An approximate position has a cell and no circle. A bubble has none, because a circle would not match it.
  #drawUncertainty() {
    const { me } = this.#context.session;
    const circled = this.#members.filter((member) => (member.user === me || member.user === this.#selected) && member.accuracy >= SMALLEST_CIRCLE && !this.#isAbout(member) && this.#layer.neighbours(member.user).length < 2);
    keep(this.#circles, circled, (member) => L.circle([member.lat, member.lon], { radius: 1, className: "accuracy", interactive: false, pane: "accuracy" }).addTo(this.#map),
      (circle, member) => circle.setLatLng([member.lat, member.lon]).setRadius(member.accuracy));
    keep(this.#cells, this.#members.filter((member) => this.#isAbout(member)), () => L.rectangle([[0, 0], [0, 0]], { className: "cell", interactive: false, pane: "accuracy" }).addTo(this.#map),
      (cell, { lat, lon }) => cell.setBounds([[lat - HALF_CELL, lon - HALF_CELL], [lat + HALF_CELL, lon + HALF_CELL]]));
  }

  #isAbout(member) {
    return member.sharing === "approximate" && member.user !== this.#context.session.me;
  }

  #drawGathering(gathering, radius) {
    if (gathering === null) {
      this.#place?.remove();
      this.#place = null;
      return;
    }
    const at = [gathering.place.lat, gathering.place.lon];
    this.#place ??= L.circle(at, { pane: "places", className: "place", interactive: false, radius }).addTo(this.#map);
    this.#place.setLatLng(at).setRadius(radius);
  }

  #drawCallout() {
    const member = this.#members.find((each) => each.user === this.#selected);
    if (!member) {
      if (this.#callout !== null) this.#leave();
      return;
    }
    const isNew = this.#callout === null;
    this.#callout ??= new Callout({
      user: member.user, link: () => location.href,
      onAsk: () => this.#ask(member.user),
      onBlock: (person) => toggleBlock(this.#context.session.client, person),
      onReport: ({ id }) => attempt(async () => {
        const { openReport } = await import("../shell/report.js");
        openReport(this.#context.session.client, { what: "user", subject: id });
      }),
      onClose: () => {
        this.#leave();
        focusHeading();
      },
    });
    this.#callout.show(member, this.#about(member));
    this.#popup.setLatLng([member.lat, member.lon]);
    if (!isNew) return;
    this.#popup.setContent(this.#callout.view);
    // Opened during a move of the map, the callout would stop the move to make itself visible. Not `once`: in Leaflet
    // 1.7 it removes its listener only after the call, and the callout moves the map again.
    const open = () => {
      this.#map.off("moveend", open);
      if (this.#selected === member.user) this.#popup.openOn(this.#map);
    };
    this.#map.stop();
    this.#map.on("moveend", open);
    this.#map.setView([member.lat, member.lon], this.#zoomFor(member), { animate: moving() });
    this.#drawUncertainty();
  }

  #zoomFor(member) {
    const zoom = Math.max(this.#map.getZoom(), this.#isAbout(member) ? NEAR - 2 : NEAR);
    const near = this.#members.filter((each) => each !== member && metresBetween(each, member) < 150);
    if (near.length === 0) return zoom;
    const apart = (at) => near.every((each) => this.#map.project([each.lat, each.lon], at).distanceTo(this.#map.project([member.lat, member.lon], at)) > 60);
    for (let at = zoom; at <= NEAREST; at += 1) if (apart(at)) return at;
    return zoom;
  }

  #list(features, at) {
    const rows = features.map(({ properties: { member } }) => {
      const line = element("span", { class: "member-line" });
      setText(line, describe(member, this.#about(member)).line);
      return element("li", {}, button([avatar(member, { size: "small" }), element("span", { class: "member-words" }, element("span", { class: "member-name" }, member.name), line)].reduce(
        (all, part) => (all.append(part), all), document.createDocumentFragment()), () => {
        this.#map.closePopup(this.#popup);
        this.#context.go("people", [member.user]);
      }, { class: "member", "data-testid": `bubble-${member.user}` }));
    });
    const list = element("div", { class: "callout-body", "data-testid": "bubble-list" },
      element("h2", { class: "callout-name" }, `${counted(features.length, "person", "people")} here`), element("ul", { class: "bubble-list", tabindex: "0", "aria-label": "People here" }, rows));
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#map.closePopup(this.#popup);
      focusHeading();
    });
    this.#popup.setLatLng(at).setContent(list).openOn(this.#map);
    list.querySelector("button").focus();
  }

  async #ask(user) {
    const { session } = this.#context;
    await attempt(async () => {
      const { devices } = await session.client.request("locate", { group: session.group, user });
      toast(devices === 0 ? "None of their devices can be asked right now." : "Asked. The answer shows on the map.");
    });
  }
}

/** Keeps one drawing for each of these members, and removes all others. */
function keep(drawn, members, make, update) {
  const wanted = new Set(members.map((member) => member.user));
  for (const [user, drawing] of drawn) {
    if (wanted.has(user)) continue;
    drawing.remove();
    drawn.delete(user);
  }
  for (const member of members) {
    if (!drawn.has(member.user)) drawn.set(member.user, make(member));
    update(drawn.get(member.user), member);
  }
}
