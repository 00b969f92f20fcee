import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { hasStreets, credit, readStreetMap } from "../streets/source.js";
import { THEME_QUERIES, chosenTheme, groundColours } from "../streets/theme.js";
import { element } from "../ui/dom.js";
import { phrase } from "../ui/words.js";
import { loadLand } from "./land.js";

/** The zoom from which on the outline's coast is hidden: it is accurate only to some kilometres. */
const OUTLINE_ENDS = 11;

/** The panes below the markers, from the lowest up, with their levels. */
const PANES = [["land", 100], ["grid", 120], ["raster", 130], ["parts", 140], ["streets", 150], ["names", 160], ["places", 380], ["accuracy", 390]];

/** For how long the outline waits for what the map shows first, in milliseconds. */
const LAND_WAITS = 2_000;

/** How often a map that the operator has replaced is looked for: when the map moves or comes into view, and in a still one, in milliseconds. */
const LOOK = { moved: 10_000, still: 300_000 };

/** The number of failed raster tiles without a success after which they are disabled until the network returns. */
const TILE_PATIENCE = 6;

/** The whole world, shown before a position is known. */
const WORLD = L.latLngBounds([[-50, -130], [65, 150]]);

const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The option for Leaflet's animated moves: undefined leaves the decision to Leaflet, which ignores the user's
 * preference.
 */
export function moving() {
  return still.matches ? false : undefined;
}

/** The one map of the page: land, the streets of the server's own map, and the layers of the sections. */
export class LiveMap {
  #config;
  #resized;
  #removed = false;
  #ended = new AbortController();
  #streets = null;
  #lookedAt = performance.now();
  #stillLook;
  /** What is being read: "moved" for a look by chance, "known" for one at a map that is known to be new. */
  #looking = null;
  /** The boxes that names of streets leave free. */
  #taken = [];

  /** Leaflet's own map, for layers. */
  leaflet;

  /** The parts that other parts of the page cover: `{top, right, bottom, left}` in pixels. */
  covered = () => ({ top: 0, right: 0, bottom: 0, left: 0 });

  /**
   * @param {HTMLElement} container
   * @param {object} config of `loadConfig`
   */
  constructor(container, config) {
    this.#config = config;
    const surface = element("div", { class: "map", role: "group", "aria-label": phrase("map.title"), "data-testid": "map" });
    container.prepend(surface);
    this.leaflet = L.map(surface, { zoomAnimation: !still.matches, fadeAnimation: !still.matches, inertia: !still.matches, zoomControl: false, minZoom: 1, maxZoom: 19, worldCopyJump: true, zoomSnap: 0.5 });
    this.leaflet.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');
    this.leaflet.fitBounds(WORLD, { animate: false });
    // The keys and buttons zoom around the middle of the uncovered part, so what one looks at stays in view.
    this.leaflet.setZoom = (zoom, options) => this.leaflet.setZoomAround(this.#middle, zoom, options);
    this.leaflet.attributionControl.setPosition("bottomleft");
    L.control.zoom({ position: "bottomright", zoomInTitle: phrase("map.zoomIn"), zoomOutTitle: phrase("map.zoomOut") }).addTo(this.leaflet);
    L.control.scale({ position: "bottomright", imperial: false }).addTo(this.leaflet);
    for (const [name, level] of PANES) {
      const pane = this.leaflet.createPane(name);
      pane.style.zIndex = level;
      pane.style.pointerEvents = "none";
      // The list states these contents in words; a screen reader would only find images without a name.
      pane.setAttribute("aria-hidden", "true");
    }
    const showScale = () => {
      surface.dataset.zoom = this.leaflet.getZoom();
      surface.classList.toggle("near", this.leaflet.getZoom() >= OUTLINE_ENDS);
    };
    this.leaflet.on("zoomend", showScale);
    showScale();
    this.#addGrid();
    this.#addLandLate();
    this.#colour(surface);
    for (const query of Object.values(THEME_QUERIES)) matchMedia(query).addEventListener("change", () => this.#colour(surface), { signal: this.#ended.signal });
    if (config.streets?.raster) this.#addRaster(config.streets.raster);
    if (hasStreets(config.streets)) this.#addStreets(config.streets);
    this.#stillLook = setInterval(() => this.#look(), LOOK.still);
    this.leaflet.on("moveend", () => this.#look());
    document.addEventListener("visibilitychange", () => this.#look(), { signal: this.#ended.signal });
    this.#resized = new ResizeObserver(() => this.leaflet.invalidateSize({ animate: false, pan: false }));
    this.#resized.observe(surface);
  }

  /** The centre of the map. */
  get center() {
    const { lat, lng } = this.leaflet.getCenter().wrap();
    return { lat, lon: lng };
  }

  /** The start of a walk by hand for a user without a position. */
  get demoPlace() {
    const [lat, lon] = this.#config.center;
    return { lat, lon };
  }

  /** The distance from the centre to the corner, in metres. */
  get reach() {
    return this.leaflet.distance(this.leaflet.getCenter(), this.leaflet.getBounds().getNorthEast());
  }

  /** Moves the map so that these positions are visible. */
  fit(positions, { animate = moving() } = {}) {
    if (positions.length === 0) return;
    const bounds = L.latLngBounds(positions.map(({ lat, lon }) => [lat, lon]));
    this.leaflet.fitBounds(bounds, { maxZoom: 16, ...this.padding, animate });
  }

  /** The room around what is fitted, as Leaflet's options: markers and their labels extend beyond their points. */
  get padding() {
    const { x, y } = this.leaflet.getSize();
    const { top, right, bottom, left } = this.covered();
    const [wide, high] = [Math.min(64, (x - left - right) / 5), Math.min(64, (y - top - bottom) / 5)];
    return { paddingTopLeft: [left + wide, top + high], paddingBottomRight: [right + wide, bottom + high] };
  }

  /** The middle of the uncovered part, in pixels of the map. */
  get #middle() {
    const { x, y } = this.leaflet.getSize();
    const { top, right, bottom, left } = this.covered();
    return L.point((left + x - right) / 2, (top + y - bottom) / 2);
  }

  /** Moves a place to the middle of the uncovered part. */
  goTo(lat, lon, { zoom = Math.max(this.leaflet.getZoom(), 15) } = {}) {
    const { top, right, bottom, left } = this.covered();
    const middle = this.leaflet.project([lat, lon], zoom).add([(right - left) / 2, (bottom - top) / 2]);
    this.leaflet.setView(this.leaflet.unproject(middle, zoom), zoom, { animate: moving() });
  }

  /** Whether a position is visible. */
  shows({ lat, lon }) {
    const { x, y } = this.leaflet.latLngToContainerPoint([lat, lon]);
    const size = this.leaflet.getSize();
    const { top, right, bottom, left } = this.covered();
    return x > left && x < size.x - right && y > top && y < size.y - bottom;
  }

  /** Hides names of streets in these boxes, in pixels of the world at the zoom of the map: the labels of people. */
  keepFree(boxes) {
    this.#taken = boxes;
    this.#streets?.keepFree(boxes);
  }

  /** Frees the map. */
  remove() {
    this.#removed = true;
    this.#ended.abort();
    clearInterval(this.#stillLook);
    this.#streets?.remove();
    this.#resized.disconnect();
    this.leaflet.stop();
    this.leaflet.remove();
  }

  /** Gives the ground the colours of the streets' theme. */
  #colour(surface) {
    const { water, land, beyond, rail } = groundColours(chosenTheme());
    for (const [name, colour] of Object.entries({ sea: water, land, beyond, "part-edge": rail })) surface.style.setProperty(`--${name}`, colour);
  }

  // Lines that move with the map: where there are no streets they make panning and zooming visible.
  #addGrid() {
    const Grid = L.GridLayer.extend({
      createTile() {
        const tile = document.createElement("div");
        tile.className = "grid-tile";
        return tile;
      },
    });
    new Grid({ pane: "grid", tileSize: 256 }).addTo(this.leaflet);
  }

  // The outline weighs as much as the page, and is only shown from afar: it loads after the people and the streets.
  #addLandLate() {
    const add = () => {
      if (this.leaflet.getZoom() >= OUTLINE_ENDS) return;
      this.leaflet.off("zoomend", add);
      void this.#addLand();
    };
    setTimeout(() => {
      if (this.#removed) return;
      this.leaflet.on("zoomend", add);
      add();
    }, LAND_WAITS);
  }

  async #addLand() {
    const polygons = await loadLand();
    if (this.#removed) return;
    const renderer = L.svg({ pane: "land", padding: 0.5 });
    L.polygon(polygons, { pane: "land", renderer, interactive: false, className: "land", stroke: false, fillOpacity: 1 }).addTo(this.leaflet);
  }

  // The operator may import a first map, another part, or a newer one while the page is open.
  async #look(reason = "moved") {
    const now = performance.now();
    if (reason === this.#looking) return;
    if (reason === "moved" && (document.hidden || !navigator.onLine || now - this.#lookedAt < LOOK.moved)) return;
    this.#lookedAt = now;
    this.#looking = reason;
    const streets = await readStreetMap("no-cache");
    // A look by chance may have come too early.
    if (this.#looking === reason) this.#looking = null;
    if (this.#removed || streets === null) return;
    if (this.#streets !== null) this.#streets.show(streets);
    else if (hasStreets(streets)) await this.#addStreets(streets);
  }

  async #addStreets(streets) {
    const { StreetLayer } = await import("../streets/layer.js");
    if (this.#removed || this.#streets !== null) return;
    this.#streets = new StreetLayer(this.leaflet, streets, { nearZoom: OUTLINE_ENDS, hasRaster: Boolean(streets.raster), onReplaced: () => this.#look("known") });
    this.#streets.keepFree(this.#taken);
  }

  #addRaster({ url, attribution }) {
    const tiles = L.tileLayer(url, { pane: "raster", attribution: credit(attribution).innerHTML, maxZoom: this.leaflet.getMaxZoom(), className: "raster" });
    let failed = 0;
    // Deferred, because the layer's own event still uses its map afterwards.
    const giveUp = () => queueMicrotask(() => {
      if (this.#removed || !this.leaflet.hasLayer(tiles)) return;
      tiles.remove();
    });
    tiles.on("tileload", () => {
      failed = 0;
    });
    tiles.on("tileerror", () => {
      failed += 1;
      if (failed === TILE_PATIENCE) giveUp();
    });
    // All needed tiles were tried; at the zoom of the whole world they are fewer than the limit.
    tiles.on("load", () => {
      if (failed > 0) giveUp();
    });
    tiles.addTo(this.leaflet);
    addEventListener("online", () => {
      failed = 0;
      if (!this.leaflet.hasLayer(tiles)) tiles.addTo(this.leaflet);
    }, { signal: this.#ended.signal });
  }
}
