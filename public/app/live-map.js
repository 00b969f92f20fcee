import * as L from "/vendor/leaflet/leaflet.esm.js";
import { hasPosition } from "../muster.js";
import { loadLand } from "./land.js";
import { MemberMarker } from "./member-marker.js";
import { spread } from "./spread.js";

/** From this zoom on the outline's coast, true to some kilometres, would only mislead: all is land. */
const OUTLINE_ENDS = 11;

/** After so many raster tiles failed and none came, they are given up until the network comes back. */
const TILE_PATIENCE = 12;

/** The map: a land outline, raster tiles over it, the members, and the place where they are together. */
export class LiveMap {
  #map;
  #markers = new Map();
  #place = null;
  #resized;
  #removed = false;
  // How much of the right and lower side is covered, below by the floating button; one point, shared with all callouts.
  #room = L.point(32, 80);
  #actions;

  /**
   * @param {HTMLElement} container
   * @param {object} config of the operator, see `config.json`
   * @param {object} actions see `MemberMarker`
   */
  constructor(container, config, actions) {
    this.#actions = actions;
    const moving = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#map = L.map(container, { zoomAnimation: moving, fadeAnimation: moving, inertia: moving, zoomControl: false, minZoom: 2, maxZoom: 19, worldCopyJump: true, zoomSnap: 0.5 });
    this.#map.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');
    this.#map.setView(config.center, config.zoom);
    L.control.zoom({ position: "bottomright" }).addTo(this.#map);
    L.control.scale({ position: "bottomright", imperial: false }).addTo(this.#map);
    for (const [name, level] of [["land", 100], ["grid", 120], ["places", 380], ["accuracy", 390]]) {
      this.#map.createPane(name).style.zIndex = level;
    }
    for (const name of ["land", "grid", "places", "accuracy"]) {
      const pane = this.#map.getPane(name);
      pane.style.pointerEvents = "none";
      // What is drawn there is said in words by the list; a reader would only find pictures without a name.
      pane.setAttribute("aria-hidden", "true");
    }
    const showScale = () => container.classList.toggle("near", this.#map.getZoom() >= OUTLINE_ENDS);
    this.#map.on("zoomend", () => {
      showScale();
      this.#arrange();
    });
    showScale();
    this.#addGrid();
    this.#addLand();
    if (config.tiles.url) this.#addTiles(config.tiles);
    this.#resized = new ResizeObserver(() => this.#map.invalidateSize({ animate: false }));
    this.#resized.observe(container);
  }

  /** Where the middle of the map is. */
  get center() {
    const { lat, lng } = this.#map.getCenter().wrap();
    return { lat, lon: lng };
  }

  /** Shows these members, and nobody else. `of(member)` gives how each is shown, see `MemberMarker.show`. */
  showMembers(members, of) {
    const shown = new Set();
    for (const member of members) {
      if (!hasPosition(member)) continue;
      shown.add(member.user);
      let marker = this.#markers.get(member.user);
      if (!marker) {
        marker = new MemberMarker(this.#map, member, this.#actions, this.#room);
        this.#markers.set(member.user, marker);
      }
      marker.show(member, of(member));
    }
    for (const [user, marker] of this.#markers) {
      if (shown.has(user)) continue;
      marker.remove();
      this.#markers.delete(user);
    }
    this.#arrange();
  }

  /** Lets markers that would hide each other stand side by side, at this zoom. */
  #arrange() {
    const points = [...this.#markers].map(([key, marker]) => ({ key, ...marker.point, isFixed: marker.isWalkable }));
    const offsets = spread(points);
    for (const [user, marker] of this.#markers) marker.lean(offsets.get(user) ?? { x: 0, y: 0 });
  }

  /** Shows where a group is together; null when it is not. */
  showGathering(gathering, radius) {
    if (gathering === null) {
      this.#place?.remove();
      this.#place = null;
      return;
    }
    const at = [gathering.place.lat, gathering.place.lon];
    this.#place ??= L.circle(at, { pane: "places", className: "place", interactive: false, radius }).addTo(this.#map);
    this.#place.setLatLng(at).setRadius(radius);
  }

  /** Keeps what is made visible out of so many pixels on the right side, which something else covers. */
  leaveRoom(pixels) {
    this.#room.x = 32 + pixels;
  }

  /** Makes everybody visible. */
  fit(members) {
    const positions = members.filter(hasPosition).map((member) => [member.lat, member.lon]);
    if (positions.length === 0) return;
    this.#map.fitBounds(L.latLngBounds(positions).pad(0.15), { maxZoom: 16, paddingTopLeft: [48, 48], paddingBottomRight: this.#room });
  }

  /** Centres on a place. */
  goTo(lat, lon) {
    this.#map.setView([lat, lon], Math.max(this.#map.getZoom(), 15));
  }

  /** Centres on a member and opens their callout. */
  focus(user) {
    this.#markers.get(user)?.focus();
  }

  /** Puts the keyboard on a member's marker. */
  focusKeyboard(user) {
    this.#markers.get(user)?.focusKeyboard();
  }

  /** Frees the map. */
  remove() {
    this.#removed = true;
    this.#resized.disconnect();
    for (const marker of this.#markers.values()) marker.remove();
    this.#map.stop();
    this.#map.remove();
  }

  // Lines that move with the map: without raster tiles they are what makes panning and zooming visible.
  #addGrid() {
    const Grid = L.GridLayer.extend({
      createTile() {
        const tile = document.createElement("div");
        tile.className = "grid-tile";
        return tile;
      },
    });
    new Grid({ pane: "grid", tileSize: 128 }).addTo(this.#map);
  }

  async #addLand() {
    const polygons = await loadLand();
    if (this.#removed) return;
    const renderer = L.svg({ pane: "land", padding: 0.5 });
    L.polygon(polygons, { pane: "land", renderer, interactive: false, className: "land", stroke: false, fillOpacity: 1 }).addTo(this.#map);
  }

  #addTiles({ url, attribution, maxZoom }) {
    const tiles = L.tileLayer(url, { attribution, maxZoom: maxZoom ?? 19, className: "raster" });
    let failed = 0;
    tiles.on("tileload", () => (failed = 0));
    tiles.on("tileerror", () => {
      failed += 1;
      if (failed === TILE_PATIENCE) tiles.remove();
    });
    tiles.addTo(this.#map);
    addEventListener("online", () => {
      failed = 0;
      if (!this.#removed && !this.#map.hasLayer(tiles)) tiles.addTo(this.#map);
    });
  }
}
