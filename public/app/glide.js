const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Farther than this in one step is not a walk: the marker jumps. About 5 km. */
const JUMP = 0.05;

/**
 * Moves something evenly from where it is shown to where it is now, a frame of the screen at a time.
 * The time taken is the time between reports, so that somebody who walks is seen walking without a stop.
 */
export class Glide {
  #apply;
  #from;
  #to;
  #startedAt = 0;
  #duration = 0;
  #toldAt = null;
  #frame = null;

  /** @param {(lat: number, lon: number) => void} apply shows a position */
  constructor(lat, lon, apply) {
    this.#apply = apply;
    this.#from = this.#to = { lat, lon };
  }

  /** Where it will be in the end. */
  get target() {
    return this.#to;
  }

  /** Goes to a position. */
  moveTo(lat, lon) {
    if (lat === this.#to.lat && lon === this.#to.lon) return;
    const now = performance.now();
    this.#from = this.#at(now);
    this.#to = { lat, lon };
    const pause = this.#toldAt === null ? 600 : now - this.#toldAt;
    this.#toldAt = now;
    this.#startedAt = now;
    this.#duration = Math.min(1500, Math.max(250, pause));
    const far = Math.abs(lat - this.#from.lat) + Math.abs(lon - this.#from.lon) > JUMP;
    if (still.matches || far || document.hidden) return this.jumpTo(lat, lon);
    this.#frame ??= requestAnimationFrame((time) => this.#step(time));
  }

  /** Is at a position at once. */
  jumpTo(lat, lon) {
    this.stop();
    this.#from = this.#to = { lat, lon };
    this.#duration = 0;
    this.#apply(lat, lon);
  }

  /** Stops where it is. */
  stop() {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  #at(now) {
    const part = this.#duration === 0 ? 1 : Math.min(1, Math.max(0, (now - this.#startedAt) / this.#duration));
    return {
      lat: this.#from.lat + (this.#to.lat - this.#from.lat) * part,
      lon: this.#from.lon + (this.#to.lon - this.#from.lon) * part,
    };
  }

  #step(now) {
    const { lat, lon } = this.#at(now);
    this.#apply(lat, lon);
    const done = now - this.#startedAt >= this.#duration;
    this.#frame = done ? null : requestAnimationFrame((time) => this.#step(time));
  }
}
