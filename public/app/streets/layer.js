import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { yielding } from "./boxes.js";
import { EXTENT } from "./mvt.js";
import { Painter } from "./painter.js";
import { SIDE, credit, isInParts, tileURL } from "./source.js";
import { THEME_QUERIES, chosenTheme } from "./theme.js";

/** The greatest ratio of a picture's pixels to CSS pixels; a higher one costs time and is hardly seen. */
const MOST_RATIO = 2;

/** The time after which tiles that could not be loaded are requested again, in milliseconds. */
const RETRY = 10_000;

/**
 * The streets of the server's own map: a layer of Leaflet with pictures of tiles, and a canvas of names over the view.
 *
 * Panes: `parts` for the parts' boxes, `streets` for pictures, `names` for names.
 */
export class StreetLayer {
  #leaflet;
  #map;
  #fromZoom;
  #painter = new Painter();
  #tiles;
  #boxes = L.layerGroup();
  #boxRenderer = L.svg({ pane: "parts", padding: 0.5 });
  #names = L.DomUtil.create("canvas", "street-names leaflet-zoom-animated");
  #naming = null;
  #frame = null;
  /** The names in view with their boxes, those among them that are hidden, and where they were drawn. */
  #drawnNames = null;
  /** The boxes that names leave free, in pixels of the world. */
  #taken = [];
  /** The canvases in the grid, each with `draw` and `cancel`, and those whose tile could not be drawn. */
  #pictures = new Map();
  #failed = new Set();
  #retry = null;
  #credit = null;
  #ended = new AbortController();

  /**
   * @param {L.Map} leaflet
   * @param {object} map of `readStreetMap`
   * @param {{nearZoom: number, hasRaster: boolean, onReplaced: () => void}} options the parts' boxes are drawn from
   *   `nearZoom` on; over raster tiles the streets are, too; `onReplaced` is called when the server has another map
   */
  constructor(leaflet, map, { nearZoom, hasRaster, onReplaced }) {
    this.#leaflet = leaflet;
    this.#map = map;
    this.#fromZoom = nearZoom;
    this.#names.setAttribute("aria-hidden", "true");
    this.#names.dataset.testid = "street-names";
    leaflet.getPane("names").append(this.#names);
    this.#tiles = this.#makeTiles(hasRaster ? nearZoom : map.minzoom + 1);
    this.#tiles.addTo(leaflet);
    leaflet.on("moveend", this.#moved, this);
    leaflet.on("zoomanim", this.#zooming, this);
    leaflet.on("zoom viewreset", this.#placeNames, this);
    const { signal } = this.#ended;
    this.#painter.addEventListener("replaced", onReplaced);
    for (const query of Object.values(THEME_QUERIES)) matchMedia(query).addEventListener("change", () => this.#redraw(), { signal });
    addEventListener("online", () => this.#drawFailed(), { signal });
    this.#drawBoxes();
    this.#moved();
  }

  /** Removes the layer and ends its worker. */
  remove() {
    this.#ended.abort();
    this.#painter.close();
    clearTimeout(this.#retry);
    cancelAnimationFrame(this.#frame);
    this.#leaflet.off("moveend", this.#moved, this);
    this.#leaflet.off("zoomanim", this.#zooming, this);
    this.#leaflet.off("zoom viewreset", this.#placeNames, this);
    this.#tiles.remove();
    this.#boxes.remove();
    this.#names.remove();
    this.#showCredit(null);
  }

  /** Leaves boxes free of names, in pixels of the world at the zoom of the map: the labels of people. */
  keepFree(boxes) {
    this.#taken = boxes;
    this.#yield();
  }

  #makeTiles(minZoom) {
    const createTile = (coords, done) => this.#createTile(coords, done);
    const Tiles = L.GridLayer.extend({ createTile });
    const tiles = new Tiles({ pane: "streets", className: "street-tiles", tileSize: SIDE, minZoom, maxZoom: this.#leaflet.getMaxZoom(), updateWhenZooming: false, updateInterval: 100, keepBuffer: 1 });
    tiles.on("tileunload", ({ tile }) => {
      this.#pictures.get(tile)?.cancel();
      this.#pictures.delete(tile);
      this.#failed.delete(tile);
    });
    tiles.on("load", () => this.#nameSoon());
    return tiles;
  }

  #createTile(coords, done) {
    const canvas = document.createElement("canvas");
    const drawn = pieceOf(coords, this.#map.maxzoom);
    if (!isInParts(this.#map, drawn.zoom, drawn.x, drawn.y)) {
      queueMicrotask(() => done(null, canvas));
      return canvas;
    }
    const picture = { draw: null, cancel: null };
    picture.draw = async () => {
      const theme = chosenTheme();
      const { answer, cancel } = this.#painter.request("picture", {
        tiles: [{ url: tileURL(this.#map, drawn.zoom, drawn.x, drawn.y), ...drawn.view }],
        side: SIDE, zoom: coords.z, ratio: ratio(), theme,
      });
      picture.cancel = cancel;
      try {
        const { bitmap } = await answer;
        show(canvas, bitmap);
        canvas.dataset.theme = theme;
        // Leaflet hides a tile that failed, and does not learn that it was drawn later.
        canvas.classList.add("leaflet-tile-loaded");
      } catch (error) {
        this.#failed.add(canvas);
        this.#retry ??= setTimeout(() => this.#drawFailed(), RETRY);
        throw error;
      }
    };
    this.#pictures.set(canvas, picture);
    picture.draw().then(() => done(null, canvas), (error) => done(error, canvas));
    return canvas;
  }

  /** Tries again to draw the tiles that could not be drawn. */
  #drawFailed() {
    clearTimeout(this.#retry);
    this.#retry = null;
    const failed = [...this.#failed];
    this.#failed.clear();
    // A tile that fails once more is in the set again.
    for (const canvas of failed) this.#pictures.get(canvas).draw().then(() => this.#nameSoon(), () => {});
  }

  // Names

  #moved() {
    this.#nameSoon();
    const [view, zoom] = [this.#leaflet.getBounds(), this.#leaflet.getZoom()];
    const { parts, attribution } = this.#map;
    const isSeen = zoom >= this.#tiles.options.minZoom && parts.some(({ bounds }) => view.intersects(corners(bounds)));
    this.#showCredit(isSeen ? attribution : null);
    if (zoom >= this.#fromZoom) this.#boxes.addTo(this.#leaflet);
    else this.#boxes.remove();
  }

  #nameSoon() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#name();
    });
  }

  async #name() {
    const zoom = this.#leaflet.getZoom();
    const { min, max } = this.#leaflet.getPixelBounds();
    const size = this.#leaflet.getSize();
    const corner = this.#leaflet.containerPointToLatLng([0, 0]);
    this.#naming?.cancel();
    const taken = this.#taken;
    this.#naming = this.#painter.request("names", {
      ...this.#tilesBetween(min, max, zoom),
      left: min.x, top: min.y, width: size.x, height: size.y, zoom, ratio: ratio(), theme: chosenTheme(), textScale: textScale(), taken,
    });
    const { bitmap, names } = await this.#naming.answer.catch(() => ({}));
    if (!bitmap) return;
    this.#naming = null;
    show(this.#names, bitmap);
    this.#names.style.width = `${size.x}px`;
    this.#names.style.height = `${size.y}px`;
    const hidden = yielding(names, taken);
    this.#names.dataset.names = names.filter((_, at) => !hidden.includes(at)).map(({ text }) => text).join("|");
    this.#drawnNames = { corner, zoom, names, hidden: hidden.join() };
    this.#placeNames();
    this.#yield();
  }

  /** Draws the names anew if others of them have to yield than those that are hidden. */
  #yield() {
    // Names that are being drawn are compared when they are there; those of another zoom are drawn anew in any case.
    if (this.#naming !== null || this.#drawnNames?.zoom !== this.#leaflet.getZoom()) return;
    const { names, hidden } = this.#drawnNames;
    if (yielding(names, this.#taken).join() !== hidden) this.#nameSoon();
  }

  /** Moves the names to their place at the zoom of the map, which may have changed since they were drawn. */
  #placeNames() {
    if (this.#drawnNames === null) return;
    const { corner, zoom } = this.#drawnNames;
    L.DomUtil.setTransform(this.#names, this.#leaflet.latLngToLayerPoint(corner), this.#leaflet.getZoomScale(this.#leaflet.getZoom(), zoom));
  }

  /** The tiles between two corners in pixels of the world, and their side at this zoom, which may lie between two whole ones. */
  #tilesBetween(min, max, zoom) {
    const tileZoom = Math.min(Math.max(0, Math.round(zoom) - 1), this.#map.maxzoom);
    const side = SIDE * 2 ** (zoom - 1 - tileZoom);
    const tiles = [];
    if (zoom < this.#tiles.options.minZoom) return { tiles, side };
    for (let x = Math.floor(min.x / side); x * side <= max.x; x += 1) {
      for (let y = Math.floor(min.y / side); y * side <= max.y; y += 1) {
        if (isInParts(this.#map, tileZoom, x, y)) tiles.push({ url: tileURL(this.#map, tileZoom, x, y), x: x * side, y: y * side });
      }
    }
    return { tiles, side };
  }

  #zooming({ center, zoom }) {
    if (this.#drawnNames === null) return;
    const { corner, zoom: drawn } = this.#drawnNames;
    // Leaflet moves its own canvases by the same method.
    L.DomUtil.setTransform(this.#names, this.#leaflet._latLngToNewLayerPoint(corner, zoom, center), this.#leaflet.getZoomScale(zoom, drawn));
  }

  // Changes

  #redraw() {
    this.#tiles.redraw();
    this.#moved();
  }

  /** Draws another map than before; one without tiles draws nothing. */
  show(map) {
    if (map.version === this.#map.version) return;
    this.#map = map.tiles.length > 0 ? map : { ...map, parts: [], maxzoom: this.#map.maxzoom };
    this.#drawBoxes();
    this.#redraw();
  }

  #drawBoxes() {
    this.#boxes.clearLayers();
    const options = { pane: "parts", renderer: this.#boxRenderer, interactive: false, className: "map-part", weight: 1, fillOpacity: 1 };
    for (const { bounds } of this.#map.parts) L.rectangle(corners(bounds), options).addTo(this.#boxes);
  }

  #showCredit(attribution) {
    const html = attribution ? credit(attribution).innerHTML : null;
    if (html === this.#credit) return;
    if (this.#credit !== null) this.#leaflet.attributionControl.removeAttribution(this.#credit);
    if (html !== null) this.#leaflet.attributionControl.addAttribution(html);
    this.#credit = html;
  }
}

/** The tile that a square of the grid shows, and which piece of it: beyond the last zoom, one tile has many squares. */
function pieceOf({ x, y, z }, maxZoom) {
  const zoom = Math.min(z - 1, maxZoom);
  const shift = z - 1 - zoom;
  const [column, row] = [x >> shift, y >> shift];
  const scale = (SIDE * 2 ** shift) / EXTENT;
  return { zoom, x: column, y: row, view: { scale, left: (x - (column << shift)) * SIDE, top: (y - (row << shift)) * SIDE } };
}

function corners([west, south, east, north]) {
  return [[south, west], [north, east]];
}

function show(canvas, bitmap) {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
}

function ratio() {
  return Math.min(MOST_RATIO, devicePixelRatio);
}

/** The reader's text size, as a multiple of the usual one. */
function textScale() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
