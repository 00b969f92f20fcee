import { metresBetween } from "../map/geometry.js";

/** How far around one looks for spots, in metres, at least and at most, and how many come. */
const NEAR = 5000;
const FAR = 50_000;
const MOST = 100;

/** What an id looks like. */
const ID = /^\d{1,18}$/;

/** The spots around a place, as far as they are read. Tells of each `change`. */
export class Spots extends EventTarget {
  #client;
  #reach = NEAR;
  #known = new Map();
  /** The one that was looked up last, wherever it is. */
  #looked = null;
  /** `unread`, `reading`, `read` or `failed`; `error` says why. */
  state = "unread";
  error = null;
  /** Around which place they were read. */
  around = null;

  /** @param {object} client */
  constructor(client) {
    super();
    this.#client = client;
    client.addEventListener("new_spot", ({ detail: { spot } }) => {
      if (this.around !== null && metresBetween(this.around, spot) <= this.#reach) this.put(spot);
    });
    client.addEventListener("spot", ({ detail: { spot } }) => {
      if (this.get(spot.id) !== null) this.put(spot);
    });
    client.addEventListener("spot_changed", ({ detail: { spot, likes, dislikes } }) => {
      if (this.get(spot) !== null) this.put({ id: spot, likes, dislikes });
    });
    client.addEventListener("spot_gone", ({ detail: { spot } }) => {
      if (this.get(spot) !== null) this.drop(spot);
    });
  }

  /** All of those around the place, in no order. */
  get all() {
    return [...this.#known.values()];
  }

  /** One of them, or the one that was looked up. */
  get(id) {
    return this.#known.get(id) ?? (this.#looked?.id === id ? this.#looked : null);
  }

  /** Looks one up that may be anywhere, unless it is known. */
  async look(id) {
    if (this.get(id) !== null || !ID.test(id)) return;
    // Of a page that goes on from the next id the first is this one, when it is there.
    const { spots: [found] } = await this.#client.request("spots.all", { limit: 1, after: String(BigInt(id) + 1n) });
    if (found?.id !== id) return;
    this.#looked = found;
    this.#become(this.state);
  }

  /** Reads around a place, unless what is read already covers it. */
  readAround(place, reach = NEAR) {
    const wanted = Math.min(FAR, Math.max(NEAR, reach));
    const isCovered = this.around !== null && this.state !== "failed" && metresBetween(this.around, place) + wanted <= this.#reach * 1.5;
    if (isCovered) return;
    this.around = { lat: place.lat, lon: place.lon };
    this.#reach = wanted;
    this.read();
  }

  /** Reads them anew around a place, whatever is known of it. */
  readAt(place) {
    this.around = { lat: place.lat, lon: place.lon };
    return this.read();
  }

  /** Reads them anew. */
  async read() {
    const { around } = this;
    if (around === null) return;
    this.#become("reading");
    try {
      const { spots } = await this.#client.request("spots.nearby", { ...around, radius: Math.round(this.#reach), limit: MOST });
      if (around !== this.around) return;
      this.#known = new Map(spots.map((spot) => [spot.id, spot]));
      this.#become("read");
    } catch (error) {
      if (around === this.around) this.#become("failed", error);
    }
  }

  /** Notes a spot that was added or changed. */
  put(spot) {
    const isElsewhere = !this.#known.has(spot.id) && this.#looked?.id === spot.id;
    if (isElsewhere) this.#looked = { ...this.#looked, ...spot };
    else this.#known.set(spot.id, { ...this.#known.get(spot.id), ...spot });
    this.#become(this.state);
  }

  /** Notes that one is gone. */
  drop(id) {
    this.#known.delete(id);
    if (this.#looked?.id === id) this.#looked = null;
    this.#become(this.state);
  }

  #become(state, error = null) {
    this.state = state;
    this.error = error;
    this.dispatchEvent(new CustomEvent("change"));
  }
}
