/** The default delay before a retry after a temporary refusal, in milliseconds. */
const AGAIN = 5000;

/** Errors of an ended connection, after which the next connection repeats the request. */
const LATER = new Set(["connection_lost", "stopped"]);

/**
 * The tiles of the subscribed layers, kept current by the server.
 *
 * A layer has one subscription and at most one open request; the newest wanted box waits for it. The client's tiles
 * thus always equal the set that the server assumes, however fast the map moves. Tiles outside of a subscription are
 * dropped when the server has confirmed it.
 *
 * After a reconnect each subscription is renewed, and full tiles replace the cached ones. If an answer is missing, or a
 * missing tile has changed, the client does not know the server's assumed set. It then unsubscribes before it
 * subscribes again.
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
   * @param {(change: {layer: string, changed: {z: number, x: number, y: number}[]}) => void} options.onChange called
   *   after tiles were put, changed or dropped
   */
  constructor({ ask, isLive, onChange }) {
    this.#ask = ask;
    this.#isLive = isLive;
    this.#onChange = onChange;
  }

  /** The cached tiles of a layer; null when it is not subscribed. */
  get(name) {
    const layer = this.#layers.get(name);
    return layer?.wanted ? layer.set : null;
  }

  /** Subscribes to the tiles that cover a box; see `Client.watchTiles`. */
  watch({ layer: name, zoom, bbox }) {
    const layer = this.#layers.get(name) ?? this.#add(name);
    return this.#want(layer, { zoom, ...covering(zoom, bbox) });
  }

  /** Unsubscribes from a layer. */
  async unwatch(name) {
    const layer = this.#layers.get(name);
    if (layer) await this.#want(layer, null);
  }

  /** Removes a layer that the user may not see any more; the server has ended its subscription. */
  forget(name) {
    const layer = this.#layers.get(name);
    if (!layer) return;
    this.#layers.delete(name);
    layer.wanted = null;
    this.#drop(layer, () => true);
  }

  /** Renews all subscriptions on a new connection. */
  async resume() {
    await Promise.all([...this.#layers.values()].map((layer) => {
      layer.inForce = null;
      layer.isUnsure = false;
      if (layer.wanted !== null) return this.#want(layer, layer.wanted);
      this.#drop(layer, () => true);
    }));
  }

  /** Applies a `tiles` frame. */
  receive({ layer: name, tiles }) {
    const layer = this.#layers.get(name);
    if (!layer) return;
    const covered = tiles.filter((tile) => layer.covers(tile));
    const changed = covered.filter((tile) => layer.set.apply(tile));
    if (changed.length > 0) this.#tell(layer, changed);
    if (changed.length < covered.length) this.#startAnew(layer);
  }

  /** Requests all tiles again, because the server assumes a tile that the client does not have. */
  #startAnew(layer) {
    if (layer.isUnsure) return;
    layer.isUnsure = true;
    // This request follows an open one and repeats its contents.
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
      // The layer's queue is free during this delay, so other requests do not wait for it.
      await new Promise((resolve) => setTimeout(resolve, again));
    }
  }

  /** Returns whether a request is in force, or the delay in milliseconds before it may be sent `again`. */
  async #say(layer, wanted) {
    // A newer request has replaced this one, or the next connection sends it.
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

/** The tiles of one layer: those of the subscription, and during a change those of the previous one. */
export class TileSet {
  #tiles = new Map();
  /** The subscription, `{zoom, bbox, cover}`: `cover` contains the names of its tiles, `z/x/y`. */
  wanted = null;

  /** The subscribed zoom. */
  get zoom() {
    return this.wanted?.zoom ?? null;
  }

  /** Whether every tile of the subscription has arrived; empty tiles arrive, too. */
  get isComplete() {
    return this.wanted !== null && [...this.wanted.cover].every((name) => this.#tiles.has(name));
  }

  /** One tile: `{z, x, y, version, features}`, its features by their ids; null when it is not cached. */
  tile(z, x, y) {
    return this.#tiles.get(keyOf({ z, x, y })) ?? null;
  }

  /** The features of the subscribed zoom. */
  *features() {
    for (const { z, features } of this.#tiles.values()) if (z === this.zoom) yield* features.values();
  }

  /** Stores a full tile, or applies the difference to a cached one; returns whether that was possible. */
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

  /** Drops tiles and returns them. */
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
 * The tiles that cover a box, and a box that has the same cover under any rounding: its corners are the centres of
 * tiles.
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
