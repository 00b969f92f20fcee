import { metresBetween } from "../map/geometry.js";

/** The minimum and maximum radius of a search for spots, in metres, and the maximum number of results. */
const NEAR = 5000;
const FAR = 50_000;
const MOST = 100;

/** The format of an id. */
const ID = /^\d{1,18}$/;

/** The spots around a place, as far as they are loaded. Dispatches `change`. */
export class Spots extends EventTarget {
  #client;
  #reach = NEAR;
  #known = new Map();
  /** The spot that was looked up last, at any distance. */
  #looked = null;
  /** `unread`, `reading`, `read` or `failed`; `error` says why. */
  state = "unread";
  error = null;
  /** The centre of the loaded area. */
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

  /** All loaded spots around the place, unordered. */
  get all() {
    return [...this.#known.values()];
  }

  /** A loaded spot, or the one that was looked up. */
  get(id) {
    return this.#known.get(id) ?? (this.#looked?.id === id ? this.#looked : null);
  }

  /** Looks up a spot at any distance, unless it is loaded. */
  async look(id) {
    if (this.get(id) !== null || !ID.test(id)) return;
    // The page starts below the next id, so this spot is its first entry, if it exists.
    const { spots: [found] } = await this.#client.request("spots.all", { limit: 1, after: String(BigInt(id) + 1n) });
    if (found?.id !== id) return;
    this.#looked = found;
    this.#become(this.state);
  }

  /** Loads the spots around a place, unless the loaded area already covers it. */
  readAround(place, reach = NEAR) {
    const wanted = Math.min(FAR, Math.max(NEAR, reach));
    const isCovered = this.around !== null && this.state !== "failed" && metresBetween(this.around, place) + wanted <= this.#reach * 1.5;
    if (isCovered) return;
    this.around = { lat: place.lat, lon: place.lon };
    this.#reach = wanted;
    this.read();
  }

  /** Reloads the spots around a place unconditionally. */
  readAt(place) {
    this.around = { lat: place.lat, lon: place.lon };
    return this.read();
  }

  /** Reloads the spots. */
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

  /** Adds or replaces a spot. */
  put(spot) {
    const isElsewhere = !this.#known.has(spot.id) && this.#looked?.id === spot.id;
    if (isElsewhere) this.#looked = { ...this.#looked, ...spot };
    else this.#known.set(spot.id, { ...this.#known.get(spot.id), ...spot });
    this.#become(this.state);
  }

  /** Removes a deleted spot. */
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
