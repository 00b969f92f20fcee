import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { metresBetween } from "../map/geometry.js";
import { ClusterLayer } from "../map/cluster-layer.js";
import { isOver } from "../map/clusters.js";
import { moving } from "../map/map.js";
import { attempt } from "../shell/toasts.js";
import { avatar, faceKey, hueOf } from "../ui/avatar.js";
import { button, element, setAttribute, setShown } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { people } from "../ui/names.js";
import { phrase } from "../ui/words.js";
import { EdgePointers } from "./edge-pointers.js";
import { Hull } from "./hull.js";
import { drawMarker, gatheringWords, labelBox, lookOf, sizeOf } from "./marker.js";
import { describe, isAbout, isOnMap, togetherNow } from "./person.js";

/** The minimum radius of a drawn accuracy circle, and the radius of an approximate position, in metres. */
const SMALLEST_CIRCLE = 15;
const ABOUT = 1000;

/** The zooms for a chosen member, for an approximate one, and the maximum to separate members in nearly the same place. */
const NEAR = 15;
const NEAR_ABOUT = 13;
const NEAREST = 18;

/** The group size above which counts may replace faces, and the z-index of the counts, below the user's own marker. */
const LARGE = 30;
const BELOW_MARKERS = 590;

/** The members on the map: faces and pills with their names, discs of uncertainty, and the shape around gathered members. */
export class PeopleLayer {
  #context;
  #map;
  #layer;
  #members = [];
  #about = { me: undefined, now: 0, asOf: null, all: [], together: new Set(), since: null, selected: null };
  #names = new Map();
  #selected = null;
  #isCentred = true;
  #discs = new Map();
  #hull;
  #fitted = null;
  #wasReporting = false;
  #edges;
  #fit;
  #counts;
  #counted = null;
  #countedGroup = null;
  /** The circles of the group's places. */
  #places = new Map();

  /** @param {{session: object, map: object, stage: HTMLElement, go: Function}} context */
  constructor(context) {
    this.#context = context;
    this.#map = context.map.leaflet;
    this.#hull = new Hull(this.#map);
    this.#layer = new ClusterLayer(this.#map, {
      className: "person",
      draw: (pin, features, marker) => this.#draw(pin, features, marker),
      label: (features) => this.#label(features),
      sizeOf: (features) => sizeOf(lookOf(membersOf(features), this.#about), features.length),
      padding: () => context.map.padding,
      onPick: (feature) => context.go("people", [feature.id]),
      onList: (features) => context.showHere(features.map((feature) => feature.id)),
      isFixed: (feature) => feature.properties.isWalkable,
    });
    this.#map.on("click", () => this.#selected !== null && context.go("people", []));
    // A long press of a finger is a request for the menu, too.
    this.#map.on("contextmenu", ({ latlng }) => this.#addPlace(latlng.wrap()));
    this.#map.on("moveend", () => {
      this.#edges.arrange();
      this.#drawAround();
    });
    this.#edges = new EdgePointers(context.stage, context.map, (user) => context.go("people", [user]));
    this.#fit = button("", () => this.fit(), { class: "icon floating", "aria-label": phrase("map.everyone"), title: phrase("map.everyone"), "data-testid": "fit" });
    this.#fit.append(lineIcon("fit"));
    this.#map.getPane("markerPane").addEventListener("keydown", (event) => this.#move(event));
    this.#map.getPane("markerPane").addEventListener("focusin", () => this.#rove());
    const locate = button("", () => this.#locate(), { class: "icon floating", "aria-label": phrase("map.me"), title: phrase("map.me"), "data-testid": "locate" });
    locate.append(lineIcon("locate"));
    this.#counts = button(phrase("map.counts"), () => this.#toggleCounts(), { class: "floating toggle", "aria-pressed": "false", "data-testid": "people-counts", hidden: true });
    context.stage.append(element("div", { class: "floating-column" }, this.#counts, this.#fit, locate));
  }

  #addPlace({ lat, lng: lon }) {
    const { client, current } = this.#context.session;
    if (current !== null) void attempt(async () => (await import("./group-places.js")).openAddPlaceDialog(client, current, { lat, lon }));
  }

  #drawPlaces({ client, current }) {
    const places = new Map((current?.places ?? []).map((place) => [place.id, place]));
    for (const [id, circle] of this.#places) {
      if (places.has(id)) continue;
      circle.remove();
      this.#places.delete(id);
    }
    for (const [id, { lat, lon, radius, name }] of places) {
      if (!this.#places.has(id)) {
        const circle = L.circle([lat, lon], { radius, className: "group-place" }).addTo(this.#map);
        circle.on("click", (event) => {
          L.DomEvent.stopPropagation(event);
          void attempt(async () => (await import("./group-places.js")).openPlaceDialog(client, this.#context.session.current, id));
        });
        this.#places.set(id, circle);
      }
      const circle = this.#places.get(id).setLatLng([lat, lon]).setRadius(radius);
      if (circle.called === name) continue;
      circle.called = name;
      circle.unbindTooltip().bindTooltip(element("span", {}, name), { direction: "top" });
    }
  }

  /** Draws the members. */
  draw() {
    const { session } = this.#context;
    const { me, now, gathering } = session;
    const asOf = this.#context.asOf();
    const all = session.members;
    this.#members = all.filter((member) => isOnMap(member, asOf ?? now));
    this.#names = new Map(all.map(({ user, name }) => [user, name]));
    const together = gathering === null ? [] : togetherNow(gathering, this.#members, asOf ?? now);
    this.#about = { me, now, asOf, all, together: new Set(together.length > 1 ? together.map(({ user }) => user) : []), since: gathering?.since ?? null, selected: this.#selected };
    this.#drawCounts(session);
    const walking = session.source.mode === "walk";
    const drawn = this.#countedGroup === null ? this.#members : this.#members.filter((member) => member.user === me);
    this.#layer.show(drawn.map((member) => ({
      type: "Feature", id: member.user, geometry: { type: "Point", coordinates: [member.lon, member.lat] },
      properties: { member, isWalkable: walking && member.user === me },
    })));
    this.#drawAround();
    this.#centre();
    this.#drawPlaces(session);
    this.#fit.hidden = this.#members.length === 0;
    if (this.#fitted !== session.group && this.#members.length > 0) {
      this.#fitted = session.group;
      this.#edges.forget(this.#members);
      if (this.#selected === null) this.#context.map.fit(this.#members, { animate: false });
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

  /** Moves the map to the gathered members and to the user. */
  showGathering() {
    const { me, gathering } = this.#context.session;
    const shown = this.#members.filter(({ user }) => user === me || gathering?.together.includes(user));
    this.#context.map.fit(shown.length > 0 ? shown : gathering ? [gathering.place] : []);
  }

  #locate() {
    const { session } = this.#context;
    if (session.here === null) return session.current === null ? undefined : void attempt(async () => (await import("../you/sharing-dialog.js")).openSharingDialog(session));
    this.#context.map.goTo(session.here.lat, session.here.lon, { zoom: Math.max(this.#map.getZoom(), NEAR) });
  }

  /** Members stay on the map in every section. */
  setActive(active) {
    if (!active) this.select(null);
  }

  /** Marks a member and centres on them; null marks none. */
  select(user) {
    if (user === this.#selected) return;
    this.#selected = user;
    this.#isCentred = user === null;
    this.draw();
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
    this.#hull.remove();
    for (const circle of this.#places.values()) circle.remove();
  }

  // Centred once: the position may come later, and the map must not follow every step.
  #centre() {
    if (this.#isCentred) return;
    const member = this.#members.find(({ user }) => user === this.#selected);
    if (!member) return;
    this.#isCentred = true;
    this.#map.stop();
    this.#context.map.goTo(member.lat, member.lon, { zoom: this.#zoomFor(member) });
  }

  #zoomFor(member) {
    const zoom = Math.max(this.#map.getZoom(), isAbout(member) ? NEAR_ABOUT : NEAR);
    const near = this.#members.filter((each) => each !== member && metresBetween(each, member) < 150);
    if (near.length === 0) return zoom;
    const apart = (at) => near.every((each) => this.#map.project([each.lat, each.lon], at).distanceTo(this.#map.project([member.lat, member.lon], at)) > 70);
    for (let at = zoom; at <= NEAREST; at += 1) if (apart(at)) return at;
    return zoom;
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
      className: "counted", level: BELOW_MARKERS, counted: (count) => phrase("count.people", { count }), title: phrase("people.onMap"),
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

  // Markers

  #label(features) {
    if (features.length > 1) return phrase("map.bubble", { names: people(membersOf(features).map(({ name }) => name)), people: phrase("count.people", { count: features.length }) });
    const { member, isWalkable } = features[0].properties;
    const { session } = this.#context;
    const about = { now: session.now, asOf: this.#about.asOf, isMe: member.user === session.me, here: session.here, gathering: session.gathering, names: this.#names };
    const { label } = describe(member, about);
    return isWalkable ? phrase("map.walkable", { label }) : label;
  }

  #draw(pin, features, { marker }) {
    const members = membersOf(features);
    const look = lookOf(members, this.#about);
    const walkable = features.some((feature) => feature.properties.isWalkable);
    const isSelected = members.some(({ user }) => user === this.#selected);
    drawMarker(pin, look, members, { isSelected, isWalkable: walkable });
    const handle = marker.getElement();
    setAttribute(handle, "data-people", `|${members.map((member) => member.name).join("|")}|`);
    setAttribute(handle, "data-testid", `marker-${look.lead.user}`);
    marker.setZIndexOffset(isSelected ? 1500 : look.kinds.includes("me") ? 1000 : members.length > 1 ? 500 : look.kinds.includes("stale") ? -500 : 0);
    this.#makeWalkable(marker, handle, walkable);
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

  // Discs of all members would hide the map: only the user and the chosen member have one of the accuracy. A pill has
  // none, because a disc would not match it.
  #drawAround() {
    const { me, selected } = { ...this.#about, selected: this.#selected };
    const isAlone = (member) => this.#layer.neighbours(member.user).length === 1;
    const wanted = new Map();
    for (const member of this.#members) {
      const isArea = isAbout(member) && member.user !== me;
      if (isArea && isAlone(member)) wanted.set(member.user, { member, radius: ABOUT, className: "about" });
      else if (!isArea && isAlone(member) && (member.user === me || member.user === selected) && member.accuracy >= SMALLEST_CIRCLE) wanted.set(member.user, { member, radius: member.accuracy, className: "accuracy" });
    }
    for (const [user, disc] of this.#discs) {
      if (wanted.get(user)?.className === disc.kind) continue;
      disc.circle.remove();
      this.#discs.delete(user);
    }
    for (const [user, { member, radius, className }] of wanted) {
      const at = [member.lat, member.lon];
      if (!this.#discs.has(user)) {
        this.#discs.set(user, { kind: className, circle: L.circle(at, { radius, className: `${className} hue-${hueOf(user)}`, interactive: false, pane: "accuracy" }).addTo(this.#map) });
      }
      this.#discs.get(user).circle.setLatLng(at).setRadius(radius);
    }
    this.#drawHull();
    this.#hideLabels();
    this.#rove();
  }

  // The people are one tab stop, in which arrow keys move from left to right.

  get #stops() {
    const left = ({ marker }) => this.#map.latLngToLayerPoint(marker.getLatLng()).x;
    return [...this.#layer.markers].sort((a, b) => left(a) - left(b)).map(({ marker }) => marker.getElement());
  }

  #rove() {
    const stops = this.#stops;
    const held = stops.find((stop) => stop === document.activeElement) ?? stops.find((stop) => stop.tabIndex === 0) ?? stops[0];
    for (const stop of stops) setAttribute(stop, "tabindex", stop === held || stop.querySelector(".walkable") ? 0 : -1);
  }

  #move(event) {
    const stops = this.#stops;
    const at = stops.indexOf(event.target);
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (at < 0 || next === undefined || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    stops[Math.max(0, Math.min(stops.length - 1, next))].focus();
  }

  // The label of a stale member is hidden where it would lie over another marker. Names of streets yield to the others.
  #hideLabels() {
    const drawn = this.#layer.markers.map(({ marker, pin, features }) => {
      const look = lookOf(membersOf(features), this.#about);
      const isStale = look.kinds.includes("stale") && !look.kinds.includes("me") && look.lead.user !== this.#selected;
      return { pin, isStale, ...this.#map.latLngToLayerPoint(marker.getLatLng()), size: sizeOf(look, features.length, { isWhole: true }) };
    });
    for (const one of drawn) one.isHidden = one.isStale && drawn.some((other) => other !== one && isOver(one, other));
    for (const { pin, isHidden } of drawn) pin.classList.toggle("no-label", isHidden);
    const origin = this.#map.getPixelOrigin();
    this.#context.map.keepFree(drawn.filter(({ isHidden }) => !isHidden).map((one) => labelBox(origin.x + one.x, origin.y + one.y, one.size)));
  }

  #drawHull() {
    const { together } = this.#about;
    const isIn = ({ features }) => features.some((feature) => together.has(String(feature.id)));
    const positions = together.size > 1 ? this.#layer.markers.filter(isIn).map(({ marker }) => marker.getLatLng()) : null;
    this.#hull.show(positions, gatheringWords(this.#about), { isPast: this.#context.asOf() !== null });
  }
}

function membersOf(features) {
  return features.map((feature) => feature.properties.member);
}
