import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { byId } from "../ui/avatar.js";
import { element, setAttribute } from "../ui/dom.js";
import { cluster, merge } from "./clusters.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The distance in pixels above which a marker jumps instead of gliding: such a step is not a walk. */
const JUMP = 400;

/** The `expansion_zoom` of a server cluster from which on no zoom splits it. */
const INSEPARABLE = 17;

/** The number of features above which only those in or near the visible area have a marker. */
const CROWD = 80;

/** The maximum number of markers that glide at once; above it, markers jump. */
const GLIDERS = 24;

/**
 * Features on the map, with overlapping ones as one bubble.
 *
 * It accepts GeoJSON points, single or clustered in the convention of supercluster (`cluster`, `cluster_id`,
 * `point_count`, `expansion_zoom`). The layer's own options draw each of them.
 */
export class ClusterLayer {
  #map;
  #hand;
  #features = [];
  #markers = new Map();
  #leads = new Map();
  #active = true;
  #told = 0;
  #drawn = { zoom: null };
  #onZoomStart = () => this.#stopGliding();
  #onMoved = () => this.#arrange();

  /**
   * @param {L.Map} map
   * @param {object} hand
   * @param {(pin: HTMLElement, features: object[], marker: L.Marker) => void} hand.draw draws one feature, or several
   *   as a bubble
   * @param {(features: object[]) => string} hand.label the accessible name
   * @param {(feature: object) => void} hand.onPick called when a single feature is pressed
   * @param {(features: object[], at: L.LatLng) => void} hand.onList called when a bubble that cannot split is pressed
   * @param {(feature: object) => boolean} [hand.isFixed] whether the feature keeps its own position regardless of its
   *   neighbours
   * @param {(features: object[]) => {width: number, above: number, below: number}} [hand.sizeOf] the extent of a
   *   drawing in pixels; those that would overlap become one
   * @param {() => object} [hand.padding] the room around features when a bubble is opened, as Leaflet's options
   * @param {string} hand.className of the markers
   */
  constructor(map, hand) {
    this.#map = map;
    this.#hand = hand;
    map.on("zoomstart", this.#onZoomStart);
    map.on("zoomend moveend", this.#onMoved);
  }

  /** Shows exactly these features. */
  show(features) {
    this.#features = features;
    this.#arrange({ glides: true });
  }

  /** Shows or hides the layer. */
  setActive(active) {
    this.#active = active;
    this.#arrange();
  }

  /** The marker of a feature or of its bubble; null when it is not visible. */
  markerOf(id) {
    const lead = this.#leads.get(id);
    return lead === undefined ? null : (this.#markers.get(lead) ?? null);
  }

  /** The features in the same bubble as a feature, itself included. */
  neighbours(id) {
    return this.markerOf(id)?.features ?? [];
  }

  /** The shown markers: `{marker, pin, features}` each. */
  get markers() {
    return [...this.#markers.values()];
  }

  /** Removes the layer from the map. */
  remove() {
    this.#map.off("zoomstart", this.#onZoomStart);
    this.#map.off("zoomend moveend", this.#onMoved);
    for (const marker of this.#markers.values()) marker.marker.remove();
    this.#markers.clear();
  }

  /** Zooms in until a bubble splits, or calls `onList` when no zoom splits it. */
  open(features, at) {
    const zoom = this.#expansionZoom(features);
    if (zoom === null) return this.#hand.onList(features, at);
    const bounds = L.latLngBounds(features.map(placeOf));
    this.#map.flyToBounds(bounds, { maxZoom: Math.max(zoom, this.#map.getZoom() + 1), ...(this.#hand.padding?.() ?? { padding: [60, 60] }), duration: 0.4, animate: !still.matches });
  }

  #expansionZoom(features) {
    const told = features.length === 1 ? features[0].properties.expansion_zoom : undefined;
    // Tiles count zooms of 512 pixels, the map counts zooms of 256.
    if (told !== undefined) return told >= INSEPARABLE ? null : told + 1;
    for (let zoom = Math.floor(this.#map.getZoom()) + 1; zoom <= this.#map.getMaxZoom(); zoom += 1) {
      if (this.#grouped(features, zoom).length > 1) return zoom;
    }
    return null;
  }

  #grouped(features, zoom) {
    const groups = cluster(this.#points(features, zoom));
    return this.#hand.sizeOf ? merge(groups, (points) => this.#hand.sizeOf(points.map((point) => point.feature))) : groups;
  }

  #points(features, zoom) {
    return features.map((feature) => {
      const { x, y } = this.#map.project(placeOf(feature), zoom);
      return { key: feature.id, x, y, weight: feature.properties.point_count ?? 1, isFixed: this.#hand.isFixed?.(feature) === true, feature };
    });
  }

  #arrange({ glides = false } = {}) {
    const zoom = this.#map.getZoom();
    const shown = this.#active ? this.#grouped(this.#features, zoom) : [];
    const view = this.#map.getPixelBounds();
    const margin = view.getSize().divideBy(2);
    const inSight = ({ x, y }) => shown.length < CROWD || x > view.min.x - margin.x && x < view.max.x + margin.x && y > view.min.y - margin.y && y < view.max.y + margin.y;
    const before = this.#leads;
    const places = new Map([...this.#markers].map(([lead, { marker }]) => [lead, marker.getLatLng()]));
    this.#leads = new Map();
    const used = new Set();
    const now = performance.now();
    const pause = Math.min(1500, Math.max(250, now - this.#told));
    if (glides) this.#told = now;
    let gliders = 0;
    for (const each of shown) {
      if (!inSight(each) && each.points.every((point) => !point.isFixed)) continue;
      const features = each.points.map((point) => point.feature).sort((a, b) => byId(String(a.id), String(b.id)));
      const fixed = each.points.find((point) => point.isFixed)?.feature;
      const lead = String((fixed ?? features[0]).id);
      const at = features.length === 1 ? placeOf(features[0]) : this.#map.unproject([each.x, each.y], zoom);
      for (const feature of features) this.#leads.set(String(feature.id), lead);
      used.add(lead);
      const held = this.#markers.get(lead);
      const marker = held ?? this.#add(lead, at, features);
      marker.features = features;
      if (held) {
        const glide = glides && gliders < GLIDERS && this.#drawn.zoom === zoom;
        if (this.#move(held, L.latLng(at), glide ? pause : 0)) gliders += 1;
      } else {
        const from = places.get(before.get(lead) ?? "") ?? null;
        if (from) this.#part(marker, from);
      }
      this.#draw(marker, features);
    }
    for (const [lead, marker] of this.#markers) {
      if (used.has(lead)) continue;
      marker.marker.remove();
      this.#markers.delete(lead);
    }
    this.#drawn.zoom = zoom;
  }

  #add(lead, at, features) {
    const pin = element("div", { class: "pin" });
    const icon = L.divIcon({ className: this.#hand.className, html: pin, iconSize: [44, 44], iconAnchor: [22, 22] });
    const marker = L.marker(at, { icon, riseOnHover: true, keyboard: false, draggable: false });
    marker.addTo(this.#map);
    const made = { lead, marker, pin, features, isDragged: false };
    const handle = marker.getElement();
    handle.setAttribute("role", "button");
    handle.setAttribute("tabindex", "-1");
    marker.on("click", () => this.#pressed(made));
    handle.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.#pressed(made);
    });
    this.#markers.set(lead, made);
    return made;
  }

  #pressed(marker) {
    const { features } = marker;
    const isBubble = features.length > 1 || features[0].properties.cluster === true;
    if (isBubble) this.open(features, marker.marker.getLatLng());
    else this.#hand.onPick(features[0]);
  }

  #draw(marker, features) {
    const handle = marker.marker.getElement();
    setAttribute(handle, "aria-label", this.#hand.label(features));
    const { lat, lng } = marker.marker.getLatLng();
    handle.dataset.lat = features.length === 1 ? features[0].geometry.coordinates[1] : lat;
    handle.dataset.lon = features.length === 1 ? features[0].geometry.coordinates[0] : lng;
    handle.dataset.count = features.reduce((sum, feature) => sum + (feature.properties.point_count ?? 1), 0);
    this.#hand.draw(marker.pin, features, marker);
  }

  /** Moves a marker and returns whether it glides. The browser's compositor moves it, at no cost to the page. */
  #move(held, at, milliseconds) {
    if (held.isDragged) return false;
    const { marker } = held;
    const from = marker.getLatLng();
    if (from.equals(at, 1e-9)) return false;
    const handle = marker.getElement();
    const way = this.#map.latLngToLayerPoint(from).distanceTo(this.#map.latLngToLayerPoint(at));
    const glides = milliseconds > 0 && way > 0.5 && way < JUMP && !still.matches && !document.hidden && this.#map.getBounds().contains(at);
    handle.style.transition = glides ? `transform ${Math.round(milliseconds)}ms linear` : "";
    marker.setLatLng(at);
    return glides;
  }

  /** Animates a marker out of the bubble that contained it. */
  #part({ marker, pin }, from) {
    if (still.matches || document.hidden) return;
    const way = this.#map.latLngToLayerPoint(from).subtract(this.#map.latLngToLayerPoint(marker.getLatLng()));
    if (Math.hypot(way.x, way.y) > JUMP) return;
    pin.animate([{ translate: `${way.x}px ${way.y}px` }, { translate: "0 0" }], { duration: 250, easing: "ease-out" });
  }

  #stopGliding() {
    for (const { marker } of this.#markers.values()) marker.getElement().style.transition = "";
  }
}

function placeOf(feature) {
  const [lon, lat] = feature.geometry.coordinates;
  return [lat, lon];
}
