import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { element, setAttribute } from "../ui/dom.js";
import { drawCluster } from "./look.js";
import { Passage, still } from "./passage.js";

/** So many pins are made in one picture; more come in the next, so that no crowd holds the page up. */
const AT_ONCE = 60;

/** So many pins may glide at once, for so long and so far; of more, the others step. */
const GLIDERS = 24;
const GLIDE = 600;
const FAR = 400;

/** Pins are ordered in lines of this height, as one reads. */
const LINE = 56;

/** Which way an arrow key leads. */
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * The pins of one layer, each a button: in a pane of their own, in the order in which one reads. There are only those that
 * are shown, and an element that is not needed any more is used for another one.
 *
 * The keyboard reaches one of them by Tab, and from there each by the arrow keys. When the pin with the focus is replaced,
 * by its parts or by what it became part of, the nearest of these has the focus.
 */
export class Pins {
  #map;
  #hand;
  #pane;
  #pins = new Map();
  #pool = [];
  #pending = [];
  #frame = null;
  #current = null;
  #sight = null;
  #passage;
  #listeners;
  /** The zoom of the tiles that are shown; null while there are none. */
  zoom = null;

  /**
   * @param {L.Map} map
   * @param {object} hand
   * @param {string} hand.className of each pin
   * @param {number} [hand.level] how high they lie among the map's panes
   * @param {string} hand.title what readers call all of them
   * @param {(face: HTMLElement, pin: HTMLElement, feature: object) => void} hand.draw draws a point that stands alone
   * @param {(feature: object) => string} hand.label what a reader hears
   * @param {(feature: object, pin: HTMLElement) => void} hand.onPress
   */
  constructor(map, hand) {
    this.#map = map;
    this.#hand = hand;
    this.#pane = element("div", { class: "leaflet-pane tile-pins", role: "group", "aria-label": `${hand.title}, arrow keys go from one to the next` });
    if (hand.level !== undefined) this.#pane.style.zIndex = hand.level;
    map.getPane("mapPane").append(this.#pane);
    this.#passage = new Passage((pin) => this.#recycle(pin));
    this.#listeners = { zoomstart: () => this.#rest(), zoomanim: (event) => this.#follow(event), "zoom zoomend viewreset": () => this.#placeAll() };
    map.on(this.#listeners);
    this.#pane.addEventListener("click", (event) => this.#pressed(event));
    this.#pane.addEventListener("dblclick", (event) => event.stopPropagation());
    this.#pane.addEventListener("keydown", (event) => this.#key(event));
    this.#pane.addEventListener("focusin", ({ target }) => this.#setCurrent(this.#pinOf(target)));
  }

  /** Shows these features of a zoom of tiles, and no others. */
  show(features, zoom) {
    const change = this.zoom === null ? 0 : zoom - this.zoom;
    this.zoom = zoom;
    const wanted = new Map(features.map((feature) => [String(feature.id), feature]));
    const before = [...this.#pins.values()];
    const leaving = before.filter(({ id }) => !wanted.has(id));
    const lost = leaving.find((pin) => pin.element === document.activeElement) ?? null;
    this.#stay(wanted);
    const added = [...wanted.values()].filter((feature) => !this.#pins.has(String(feature.id))).map((feature) => this.#measured(feature));
    for (const pin of leaving) this.#pins.delete(pin.id);
    this.#passage.begin(before, change, this.#sight);
    this.#sight = this.#map.getBounds();
    this.#pending = inReadingOrder(added);
    const heir = lost === null ? null : nearest(lost.point, [...added, ...this.#pins.values()]);
    if (heir !== null && heir.element === undefined) this.#pending.sort((one, other) => Number(other === heir) - Number(one === heir));
    this.#make();
    if (lost !== null) this.#inherit(heir);
    this.#passage.end(leaving, [...added, ...this.#pins.values()], this.#sight);
  }

  /** Takes all of them away. */
  clear() {
    this.zoom = null;
    this.#sight = null;
    this.#pending = [];
    for (const pin of this.#pins.values()) this.#recycle(pin);
    this.#pins.clear();
    this.#current = null;
  }

  /** Frees everything. */
  remove() {
    this.clear();
    cancelAnimationFrame(this.#frame);
    this.#map.off(this.#listeners);
    this.#pane.remove();
  }

  // Pins as they come, stay and go

  #measured(feature) {
    const [lon, lat] = feature.geometry.coordinates;
    // Of the worlds side by side the one in the middle has the pins.
    const latlng = L.latLng(lat, lon + 360 * Math.round((this.#map.getCenter().lng - lon) / 360));
    return { id: String(feature.id), feature, latlng, point: this.#map.latLngToLayerPoint(latlng), element: undefined };
  }

  #stay(wanted) {
    let gliders = 0;
    for (const pin of this.#pins.values()) {
      const feature = wanted.get(pin.id);
      if (!feature) continue;
      const { latlng, point } = this.#measured(feature);
      Object.assign(pin, { feature, latlng });
      if (!pin.point.equals(point)) {
        const glides = gliders < GLIDERS && !still.matches && pin.point.distanceTo(point) < FAR;
        if (glides) gliders += 1;
        pin.element.style.transition = glides ? `transform ${GLIDE}ms linear` : "";
        this.#place(pin, point);
      }
      this.#draw(pin);
    }
  }

  #make() {
    for (const pin of this.#pending.splice(0, AT_ONCE)) {
      pin.element = this.#pool.pop() ?? element("button", { type: "button" }, element("span"));
      pin.element.className = `tile-pin leaflet-zoom-animated ${this.#hand.className}`;
      pin.element.tabIndex = -1;
      this.#pins.set(pin.id, pin);
      this.#place(pin, this.#map.latLngToLayerPoint(pin.latlng));
      this.#draw(pin);
      this.#pane.append(pin.element);
      this.#passage.arrive(pin);
    }
    if (this.#pending.length > 0) this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#make();
    });
    else this.#settle();
  }

  #settle() {
    const ordered = inReadingOrder([...this.#pins.values()]);
    let place = this.#pane.firstElementChild;
    for (const { element: own } of ordered) {
      while (place !== null && place.inert) place = place.nextElementSibling;
      if (place === own) place = place.nextElementSibling;
      // Moved, an element would lose the focus.
      else if (own !== document.activeElement) this.#pane.insertBefore(own, place);
    }
    const current = this.#current;
    const isThere = current !== null && this.#pins.get(current.id) === current;
    if (isThere && (current.element === document.activeElement || this.#isInSight(current))) return;
    this.#setCurrent(ordered.find((pin) => this.#isInSight(pin)) ?? ordered[0] ?? null);
  }

  #draw({ element: own, feature }) {
    const { cluster, point_count: count } = feature.properties;
    const face = own.firstElementChild;
    own.dataset.feature = feature.id;
    own.dataset.count = count ?? 1;
    if (cluster) drawCluster(face, count);
    else this.#hand.draw(face, own, feature);
    setAttribute(own, "aria-label", this.#hand.label(feature));
  }

  #place(pin, point) {
    pin.point = point;
    moveTo(pin.element, point);
  }

  #recycle({ element: own }) {
    own.remove();
    for (const name of Object.keys(own.dataset)) delete own.dataset[name];
    own.removeAttribute("style");
    own.inert = false;
    this.#pool.push(own);
  }

  // The map moves

  #rest() {
    this.#passage.stop();
    for (const { element: own } of this.#pins.values()) own.style.transition = "";
  }

  #follow({ zoom, center }) {
    for (const { element: own, latlng } of this.#pins.values()) moveTo(own, this.#map._latLngToNewLayerPoint(latlng, zoom, center).round());
  }

  #placeAll() {
    for (const pin of this.#pins.values()) this.#place(pin, this.#map.latLngToLayerPoint(pin.latlng));
  }

  // The keyboard

  #pinOf(target) {
    const own = target.closest(".tile-pin");
    return own === null ? null : (this.#pins.get(own.dataset.feature) ?? null);
  }

  #setCurrent(pin) {
    this.#current?.element?.setAttribute("tabindex", "-1");
    this.#current = pin;
    pin?.element.setAttribute("tabindex", "0");
  }

  #isInSight({ latlng }) {
    return this.#map.getBounds().contains(latlng);
  }

  #inherit(heir) {
    if (heir === null) return this.#map.getContainer().focus({ preventScroll: true });
    this.#setCurrent(heir);
    heir.element.focus({ preventScroll: true });
  }

  #pressed(event) {
    // Not a press on the map as well; and who drags the map by a pin does not press it.
    event.stopPropagation();
    const pin = this.#pinOf(event.target);
    if (pin !== null && !this.#map.dragging.moved()) this.#hand.onPress(pin.feature, pin.element);
  }

  #key(event) {
    const way = WAYS[event.key];
    const from = this.#pinOf(event.target);
    if (!way || from === null) return;
    event.preventDefault();
    event.stopPropagation();
    const next = nextOn(way, from, [...this.#pins.values()]);
    if (next === null) return;
    if (!this.#isInSight(next)) this.#map.panTo(next.latlng, { animate: still.matches ? false : undefined });
    this.#inherit(next);
  }
}

/** In the plane and not in space, as Leaflet does it: of hundreds the browser would keep a picture each. */
function moveTo(own, { x, y }) {
  own.style.transform = `translate(${x}px, ${y}px)`;
}

/** The nearest in a direction; what lies aside of it counts as further. */
function nextOn([x, y], from, pins) {
  let found = null;
  let least = Infinity;
  for (const pin of pins) {
    const { x: east, y: south } = pin.point.subtract(from.point);
    const ahead = east * x + south * y;
    const aside = Math.abs(east * y) + Math.abs(south * x);
    if (pin === from || ahead <= 0 || aside > 2 * ahead) continue;
    if (ahead + 2 * aside >= least) continue;
    least = ahead + 2 * aside;
    found = pin;
  }
  return found;
}

function nearest(point, pins) {
  return pins.reduce((found, pin) => (found === null || pin.point.distanceTo(point) < found.point.distanceTo(point) ? pin : found), null);
}

function inReadingOrder(pins) {
  const line = ({ point }) => Math.floor(point.y / LINE);
  return pins.sort((one, other) => line(one) - line(other) || one.point.x - other.point.x);
}
