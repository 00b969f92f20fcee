import { yielding } from "./boxes.js";
import { candidates, drawNames, placeNames } from "./labels.js";
import { EXTENT, decodeTile } from "./mvt.js";
import { paintTile } from "./paint.js";
import { THEMES } from "./style.js";

/** The number of decoded tiles that are kept, those used last. */
const KEPT = 48;

/** The number of measured widths of texts that are kept. */
const KEPT_WIDTHS = 20_000;

/** The distance in pixels around the view within which names compete for their place, so that they stay when it moves. */
const AROUND = 200;

/**
 * Loads, decodes and draws tiles. It runs in a worker, or in a browser without `OffscreenCanvas` on the page's thread.
 *
 * A request is a message `{kind, id, …}`, and its answer `{id, bitmap, …}`, or `{id, error}`.
 */
export class Renderer {
  #answer;
  #makeCanvas;
  #tiles = new Map();
  #pending = new Set();
  #placed = { names: [], key: null };
  #widths = new Map();
  #measuring;

  /**
   * @param {(message: object, transferred: object[]) => void} answer
   * @param {(width: number, height: number) => OffscreenCanvas|HTMLCanvasElement} makeCanvas
   */
  constructor(answer, makeCanvas) {
    this.#answer = answer;
    this.#makeCanvas = makeCanvas;
    this.#measuring = makeCanvas(1, 1).getContext("2d");
  }

  /** Handles a request. */
  async handle(request) {
    const { kind, id } = request;
    if (kind === "cancel") return this.#pending.delete(id);
    this.#pending.add(id);
    try {
      const drawn = kind === "names" ? this.#drawNames(request) : await this.#drawPicture(request);
      if (drawn === null || !this.#pending.has(id)) return;
      const { canvas, ...told } = drawn;
      const bitmap = canvas.transferToImageBitmap?.() ?? await createImageBitmap(canvas);
      this.#answer({ id, bitmap, ...told }, [bitmap]);
    } catch (error) {
      if (this.#pending.has(id)) this.#answer({ id, error: error.message }, []);
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Draws the tiles of a square picture; several tiles are cut at their edges. */
  async #drawPicture({ id, tiles, side, zoom, ratio, theme, ground }) {
    const loaded = await Promise.all(tiles.map(({ url }) => this.#load(url)));
    if (!this.#pending.has(id)) return null;
    const colours = THEMES[theme];
    const { canvas, context } = this.#canvas(side, side, ratio);
    if (ground) {
      context.fillStyle = colours.land;
      context.fillRect(0, 0, side, side);
    }
    tiles.forEach(({ scale, left, top }, at) => {
      context.save();
      if (tiles.length > 1) {
        context.beginPath();
        context.rect(-left, -top, EXTENT * scale, EXTENT * scale);
        context.clip();
      }
      paintTile(context, loaded[at], { scale, left, top, side, zoom }, colours);
      context.restore();
    });
    return { canvas };
  }

  /**
   * Draws the names of those tiles that are there; a later request has those of the others.
   *
   * Names that meet a box of `taken` keep their place, and are not drawn: so none moves when people do.
   */
  #drawNames({ tiles, side, left, top, width, height, zoom, ratio, theme, textScale, taken }) {
    const bounds = { left: left - AROUND, top: top - AROUND, right: left + width + AROUND, bottom: top + height + AROUND };
    const ready = tiles.map((tile) => ({ ...tile, layers: this.#tiles.get(tile.url)?.layers })).filter(({ layers }) => layers);
    const found = ready.flatMap(({ url, layers, x, y }) => candidates(layers, { x, y }, side, zoom, bounds).map((each) => ({ ...each, url })));
    const key = `${zoom} ${textScale}`;
    const urls = new Set(ready.map(({ url }) => url));
    const before = this.#placed.key === key ? this.#placed.names.filter(({ url }) => urls.has(url)) : [];
    const names = placeNames(found, (font, text) => this.#measure(font, text), bounds, { textScale, before });
    // A tile that is still missing may have more important names.
    this.#placed = { names, key: ready.length === tiles.length ? key : null };
    const { canvas, context } = this.#canvas(width, height, ratio);
    const hidden = new Set(yielding(names, taken));
    drawNames(context, names.filter((_, at) => !hidden.has(at)), { x: left, y: top }, THEMES[theme]);
    const isSeen = ({ x, y }) => x >= left && y >= top && x <= left + width && y <= top + height;
    return { canvas, names: names.filter(({ middle }) => isSeen(middle)).map(({ text, boxes }) => ({ text, boxes })) };
  }

  #canvas(width, height, ratio) {
    const canvas = this.#makeCanvas(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)));
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    return { canvas, context };
  }

  #measure(font, text) {
    const key = `${font} ${text}`;
    let known = this.#widths.get(key);
    if (known === undefined) {
      if (this.#widths.size >= KEPT_WIDTHS) this.#widths.clear();
      this.#measuring.font = font;
      known = this.#measuring.measureText(text).width;
      this.#widths.set(key, known);
    }
    return known;
  }

  #load(url) {
    const tile = this.#tiles.get(url) ?? this.#fetch(url);
    this.#tiles.delete(url);
    this.#tiles.set(url, tile);
    if (this.#tiles.size > KEPT) this.#tiles.delete(this.#tiles.keys().next().value);
    return tile.loading;
  }

  #fetch(url) {
    const tile = { layers: null };
    tile.loading = this.#read(url).then((layers) => (tile.layers = layers));
    tile.loading.catch(() => {
      if (this.#tiles.get(url) === tile) this.#tiles.delete(url);
    });
    return tile;
  }

  async #read(url) {
    const answer = await fetch(url);
    // The server answers another version than its own with the address of its own.
    if (answer.redirected || answer.status === 404) this.#answer({ kind: "replaced" }, []);
    if (answer.status === 204) return new Map();
    if (!answer.ok) throw new Error(`The tile ${url} was answered with ${answer.status}.`);
    return decodeTile(await answer.arrayBuffer());
  }
}
