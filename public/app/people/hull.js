import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { element, setText } from "../ui/dom.js";

/** The distance of the line from the faces' positions in pixels, and the number of corners around each. */
const AROUND = 30;
const CORNERS = 16;

/** The shape around the members who are together, with a chip that says so. Screen readers have it in words. */
export class Hull {
  #map;
  #shape = null;
  #chip = null;
  #words = element("span", { class: "chip-words" });

  /** @param {L.Map} map */
  constructor(map) {
    this.#map = map;
  }

  /** Draws the shape around these positions on the map; null or a single position draws none. */
  show(positions, words, { isPast = false } = {}) {
    if (positions === null || positions.length < 2) return this.remove();
    const zoom = this.#map.getZoom();
    const outline = around(positions.map((position) => this.#map.project(position, zoom)));
    const corners = outline.map((point) => this.#map.unproject(point, zoom));
    const className = isPast ? "hull past" : "hull";
    if (this.#shape !== null && this.#shape.options.className !== className) this.remove();
    this.#shape ??= L.polygon(corners, { pane: "places", className, interactive: false, smoothFactor: 0 }).addTo(this.#map);
    this.#shape.setLatLngs(corners);
    const top = outline.reduce((best, point) => (point.y < best.y ? point : best));
    const middle = outline.reduce((sum, { x }) => sum + x, 0) / outline.length;
    const at = this.#map.unproject(L.point(middle, top.y), zoom);
    setText(this.#words, words);
    this.#chip ??= L.marker(at, { icon: L.divIcon({ className: "hull-chip", html: this.#words, iconSize: [0, 0] }), interactive: false, keyboard: false, zIndexOffset: 900 }).addTo(this.#map);
    this.#chip.setLatLng(at);
    this.#chip.getElement().setAttribute("aria-hidden", "true");
    this.#chip.getElement().classList.toggle("past", isPast);
  }

  /** Removes the shape. */
  remove() {
    this.#shape?.remove();
    this.#chip?.remove();
    this.#shape = this.#chip = null;
  }
}

/** The convex hull of circles around these points, by Andrew's monotone chain. */
function around(points) {
  const corners = points.flatMap(({ x, y }) => Array.from({ length: CORNERS }, (_, index) => {
    const angle = (index / CORNERS) * 2 * Math.PI;
    return L.point(x + AROUND * Math.cos(angle), y + AROUND * Math.sin(angle));
  })).sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (all) => all.reduce((line, point) => {
    while (line.length > 1 && isRightTurn(line.at(-2), line.at(-1), point)) line.pop();
    return [...line, point];
  }, []);
  const lower = chain(corners);
  const upper = chain(corners.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function isRightTurn(from, over, to) {
  return (over.x - from.x) * (to.y - from.y) - (over.y - from.y) * (to.x - from.x) <= 0;
}
