import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { element, setAttribute } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { drawCluster } from "./look.js";
import { Passage, still } from "./passage.js";

/** The number of pins created in one frame; more follow in the next frames, so that a crowd does not block the page. */
const AT_ONCE = 24;

/** The maximum number of gliding pins, and the duration and maximum distance of a glide; otherwise pins jump. */
const GLIDERS = 24;
const GLIDE = 600;
const FAR = 400;

/** The height of the lines in which pins are sorted into reading order. */
const LINE = 56;

/** The direction of each arrow key. */
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * The pins of one layer, each a button, in a pane of their own, in reading order. Only shown pins exist, and elements
 * are reused.
 *
 * Tab reaches one of the pins, and the arrow keys move from there to the others. When the focused pin is replaced by
 * its parts or by a cluster, the nearest of these gets the focus.
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
  /** The zoom of the shown tiles; null while there are none. */
  zoom = null;

  /**
   * @param {L.Map} map
   * @param {object} hand
   * @param {string} hand.className of each pin
   * @param {number} [hand.level] the z-index among the map's panes
   * @param {string} hand.title the accessible name of the layer
   * @param {(face: HTMLElement, pin: HTMLElement, feature: object) => void} hand.draw draws a single point
   * @param {(feature: object) => string} hand.label the accessible name of a pin
   * @param {(feature: object, pin: HTMLElement) => void} hand.onPress
   */
  constructor(map, hand) {
    this.#map = map;
    this.#hand = hand;
    this.#pane = element("div", { class: "leaflet-pane tile-pins", role: "group", "aria-label": phrase("tiles.keys", { title: hand.title }) });
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

  /** Shows exactly these features of a tile zoom. */
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

  /** Removes all pins. */
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

  // Adding, keeping and removing pins

  #measured(feature) {
    const [lon, lat] = feature.geometry.coordinates;
    // Of the repeated worlds side by side, the middle one has the pins.
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
      // Moving an element would lose its focus.
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

  // Moves of the map

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
    // The press must not reach the map, and the end of a drag of the map is not a press.
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

/** A 2D transform, as in Leaflet: with 3D transforms the browser would keep a texture for each of hundreds of pins. */
function moveTo(own, { x, y }) {
  own.style.transform = `translate(${x}px, ${y}px)`;
}

/** The nearest pin in a direction; a sideways offset counts as additional distance. */
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
