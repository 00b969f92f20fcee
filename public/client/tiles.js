/** So long after a refusal that may pass it is asked again, in milliseconds, where the server names no time. */
const AGAIN = 5000;

/** What ends with a connection the next one says again. */
const LATER = new Set(["connection_lost", "stopped"]);

/**
 * The tiles of the layers that one watches, kept as the server tells of them.
 *
 * A layer has one watch at a time. One request is under way for a layer, and the newest wish waits for it: so what this
 * client holds is always what the server takes it to hold, however fast one moves about. What lies outside of a watch is
 * dropped when the server has taken the watch. After a reconnect each watch is said anew, and the tiles that then come
 * whole replace those that are held. Where this client cannot know what the server takes it to hold, because an answer has
 * not come or a tile has changed that it lacks, it ends the watch before it says it anew.
 */
export class TileWatches {
  #ask;
  #isLive;
  #onChange;
  #layers = new Map();

  /**
   * @param {object} options
   * @param {(type: string, fields: object) => Promise<object>} options.ask sends a request
   * @param {() => boolean} options.isLive whether frames can be sent
   * @param {(change: {layer: string, changed: {z: number, x: number, y: number}[]}) => void} options.onChange told after
   *   tiles were put, changed or dropped
   */
  constructor({ ask, isLive, onChange }) {
    this.#ask = ask;
    this.#isLive = isLive;
    this.#onChange = onChange;
  }

  /** What is held of a layer; null when it is not watched. */
  get(name) {
    const layer = this.#layers.get(name);
    return layer?.wanted ? layer.set : null;
  }

  /** Watches the tiles that cover a box; see `Client.watchTiles`. */
  watch({ layer: name, zoom, bbox }) {
    const layer = this.#layers.get(name) ?? this.#add(name);
    return this.#want(layer, { zoom, ...covering(zoom, bbox) });
  }

  /** Watches a layer no more. */
  async unwatch(name) {
    const layer = this.#layers.get(name);
    if (layer) await this.#want(layer, null);
  }

  /** Forgets a layer that one may not see any more; the server has ended its watch. */
  forget(name) {
    const layer = this.#layers.get(name);
    if (!layer) return;
    this.#layers.delete(name);
    layer.wanted = null;
    this.#drop(layer, () => true);
  }

  /** A new connection: what is wanted is said again. */
  async resume() {
    await Promise.all([...this.#layers.values()].map((layer) => {
      layer.inForce = null;
      layer.isUnsure = false;
      if (layer.wanted !== null) return this.#want(layer, layer.wanted);
      this.#drop(layer, () => true);
    }));
  }

  /** A frame `tiles` has come. */
  receive({ layer: name, tiles }) {
    const layer = this.#layers.get(name);
    if (!layer) return;
    const covered = tiles.filter((tile) => layer.covers(tile));
    const changed = covered.filter((tile) => layer.set.apply(tile));
    if (changed.length > 0) this.#tell(layer, changed);
    if (changed.length < covered.length) this.#startAnew(layer);
  }

  /** Has all tiles sent again, for the server takes one to be held that is not. */
  #startAnew(layer) {
    if (layer.isUnsure) return;
    layer.isUnsure = true;
    // A wish that is under way is followed by this one, and says what it says.
    if (layer.wanted !== null) this.#want(layer, layer.wanted).catch(() => {});
  }

  #add(name) {
    const layer = {
      name, set: new TileSet(), wanted: null, asked: null, inForce: null, isUnsure: false, turn: Promise.resolve(),
      covers: (tile) => layer.inForce?.cover.has(keyOf(tile)) || layer.asked?.cover.has(keyOf(tile)),
    };
    this.#layers.set(name, layer);
    return layer;
  }

  async #want(layer, wanted) {
    layer.wanted = wanted;
    layer.set.wanted = wanted;
    for (;;) {
      const turn = layer.turn.then(() => this.#say(layer, wanted));
      layer.turn = turn.catch(() => {});
      const { isInForce, again } = await turn;
      if (again === undefined) return isInForce;
      // Others need not wait so long: the turn is over.
      await new Promise((resolve) => setTimeout(resolve, again));
    }
  }

  /** Gives whether a wish is in force, or after how many milliseconds it may be asked for `again`. */
  async #say(layer, wanted) {
    // A newer wish has taken its place, or the next connection says it.
    if (layer.wanted !== wanted || !this.#isLive()) return { isInForce: false };
    if (layer.inForce === wanted && !layer.isUnsure) return { isInForce: true };
    try {
      if (wanted === null || layer.isUnsure) {
        await this.#ask("tiles.unwatch", { layer: layer.name });
        layer.inForce = null;
        layer.isUnsure = false;
      }
      layer.asked = wanted;
      if (wanted !== null) await this.#ask("tiles.watch", { layer: layer.name, zoom: wanted.zoom, bbox: wanted.bbox });
      layer.inForce = wanted;
      this.#drop(layer, (tile) => !layer.covers(tile));
      return { isInForce: layer.wanted === wanted };
    } catch (error) {
      if (error.code === "timeout") layer.isUnsure = true;
      if (LATER.has(error.code) || layer.wanted !== wanted) return { isInForce: false };
      if (error.retry) return { again: error.retryAfter ?? AGAIN };
      layer.wanted = layer.inForce;
      layer.set.wanted = layer.inForce;
      if (layer.inForce === null) this.#drop(layer, () => true);
      throw error;
    } finally {
      layer.asked = null;
    }
  }

  #drop(layer, isOutside) {
    const dropped = layer.set.drop(isOutside);
    if (dropped.length > 0) this.#tell(layer, dropped);
  }

  #tell(layer, changed) {
    this.#onChange({ layer: layer.name, changed: changed.map(({ z, x, y }) => ({ z, x, y })) });
  }
}

/** The tiles of one layer: those of the watch, and while it is changed those of the one before. */
export class TileSet {
  #tiles = new Map();
  /** What is watched, `{zoom, bbox, cover}`: `cover` holds the names of its tiles, `z/x/y`. */
  wanted = null;

  /** The zoom that is watched. */
  get zoom() {
    return this.wanted?.zoom ?? null;
  }

  /** Whether every tile of the watch has come; empty ones come, too. */
  get isComplete() {
    return this.wanted !== null && [...this.wanted.cover].every((name) => this.#tiles.has(name));
  }

  /** One tile: `{z, x, y, version, features}`, its features by their ids; null when it is not held. */
  tile(z, x, y) {
    return this.#tiles.get(keyOf({ z, x, y })) ?? null;
  }

  /** The features of the zoom that is watched. */
  *features() {
    for (const { z, features } of this.#tiles.values()) if (z === this.zoom) yield* features.values();
  }

  /** Puts a tile, or what changed in one that is held; gives whether it could. */
  apply({ z, x, y, version, full, features, gone }) {
    const name = keyOf({ z, x, y });
    const held = full ? { z, x, y, version, features: new Map() } : this.#tiles.get(name);
    if (!held) return false;
    held.version = version;
    for (const id of gone ?? []) held.features.delete(id);
    for (const feature of features) held.features.set(feature.id, feature);
    this.#tiles.set(name, held);
    return true;
  }

  /** Drops tiles and gives them. */
  drop(isOutside) {
    const dropped = [...this.#tiles.values()].filter(isOutside);
    for (const tile of dropped) this.#tiles.delete(keyOf(tile));
    return dropped;
  }
}

function keyOf({ z, x, y }) {
  return `${z}/${x}/${y}`;
}

/**
 * The names of the tiles that cover a box, by the server's rule.
 * @param {number} zoom 0 … 22
 * @param {[number, number, number, number]} bbox west, south, east, north in degrees; west > east crosses the date line
 */
export function tileCover(zoom, bbox) {
  return covering(zoom, bbox).cover;
}

/**
 * The tiles that cover a box, and a box that they cover whoever computes it: its corners are the middles of tiles, so that
 * no rounding at an edge chooses others.
 */
function covering(zoom, [west, south, east, north]) {
  const size = 2 ** zoom;
  const within = (value) => Math.min(size - 1, Math.max(0, Math.floor(value)));
  const column = (lon) => within(((lon + 180) / 360) * size);
  const row = (lat) => within((0.5 - Math.asinh(Math.tan((Math.min(89, Math.max(-89, lat)) * Math.PI) / 180)) / (2 * Math.PI)) * size);
  const first = column(west);
  const last = column(east);
  const rows = range(row(north), Math.max(row(north), row(south)));
  const columns = west <= east ? range(first, last) : first <= last ? range(0, size - 1) : [...range(first, size - 1), ...range(0, last)];
  const longitude = (column) => ((column + 0.5) / size) * 360 - 180;
  const latitude = (y) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 0.5)) / size))) * 180) / Math.PI;
  return {
    cover: new Set(rows.flatMap((y) => columns.map((x) => keyOf({ z: zoom, x, y })))),
    bbox: [longitude(columns[0]), latitude(rows.at(-1)), longitude(columns.at(-1)), latitude(rows[0])],
  };
}

function range(first, last) {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
