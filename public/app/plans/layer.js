import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { moving } from "../map/map.js";
import { element } from "../ui/dom.js";
import { points } from "./polyline.js";

/** A plan on the map: its numbered places, and the routes between them, dashed where they are estimated. */
export class PlanLayer {
  #map;
  #shown = L.layerGroup();
  #isActive = false;
  #fitted = null;

  /** @param {{map: object}} context */
  constructor({ map }) {
    this.#map = map;
  }

  /** Shows a plan in place of the previous one; null shows none. */
  show(plan) {
    this.#shown.clearLayers();
    if (plan === null) return;
    let from = plan.origin;
    const bounds = [];
    plan.stops.forEach(({ place, leg }, index) => {
      if (leg !== null && from !== null) {
        const course = leg.geometry === null ? [] : points(leg.geometry);
        const isKnown = leg.from === "router" && course.length > 1;
        const line = isKnown ? course : [[from.lat, from.lon], [place.lat, place.lon]];
        L.polyline(line, { className: `plan-line ${isKnown ? "" : "estimated"}`, interactive: false, pane: "accuracy", ...(isKnown ? {} : { dashArray: "6 8" }) }).addTo(this.#shown);
        bounds.push(...line);
      }
      bounds.push([place.lat, place.lon]);
      // The list states this number in words.
      const face = element("div", { class: "plan-number", "aria-hidden": "true" }, String(index + 1));
      const icon = L.divIcon({ className: "plan-marker", html: face, iconSize: [28, 28], iconAnchor: [14, 14] });
      L.marker([place.lat, place.lon], { icon, interactive: false, keyboard: false }).addTo(this.#shown);
      from = place;
    });
    const key = JSON.stringify(bounds);
    if (this.#isActive && key !== this.#fitted) this.#map.leaflet.fitBounds(L.latLngBounds(bounds), { padding: [48, 48], maxZoom: 16, animate: moving() });
    this.#fitted = key;
  }

  /** A changed plan is drawn by `show`. */
  draw() {}

  /** Shows or hides the layer. */
  setActive(active) {
    if (active === this.#isActive) return;
    this.#isActive = active;
    if (active) this.#shown.addTo(this.#map.leaflet);
    else this.#shown.remove();
    if (!active) this.#fitted = null;
  }

  /** Removes the layer from the map. */
  remove() {
    this.#shown.remove();
  }
}
