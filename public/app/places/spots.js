import { metresBetween } from "../map/geometry.js";

/** How far around one looks for spots, in metres, at least and at most, and how many come. */
const NEAR = 5000;
const FAR = 50_000;
const MOST = 100;

/** The spots around a place, as far as they are read. Tells of each `change`. */
export class Spots extends EventTarget {
  #client;
  #reach = NEAR;
  #known = new Map();
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
      if (this.#known.has(spot.id)) this.put(spot);
    });
    client.addEventListener("spot_changed", ({ detail: { spot, likes, dislikes } }) => {
      if (this.#known.has(spot)) this.put({ id: spot, likes, dislikes });
    });
    client.addEventListener("spot_gone", ({ detail: { spot } }) => {
      if (this.#known.has(spot)) this.drop(spot);
    });
  }

  /** All of them, in no order. */
  get all() {
    return [...this.#known.values()];
  }

  /** One of them. */
  get(id) {
    return this.#known.get(id) ?? null;
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
    this.#known.set(spot.id, { ...this.#known.get(spot.id), ...spot });
    this.#become(this.state);
  }

  /** Notes that one is gone. */
  drop(id) {
    this.#known.delete(id);
    this.#become(this.state);
  }

  #become(state, error = null) {
    this.state = state;
    this.error = error;
    this.dispatchEvent(new CustomEvent("change"));
  }
}
