/**
 * How long to wait before the next attempt: full jitter, so that a thousand clients that lost one server do not
 * come back in step. The n-th wait is drawn evenly from 0 … min(cap, base · 2ⁿ) milliseconds.
 */
export class Backoff {
  #base;
  #cap;
  #random;
  #attempt = 0;

  /** @param {{base?: number, cap?: number, random?: () => number}} options milliseconds; `random` gives 0 … 1 */
  constructor({ base = 500, cap = 30_000, random = Math.random } = {}) {
    this.#base = base;
    this.#cap = cap;
    this.#random = random;
  }

  /** The most that the next wait can be. */
  get ceiling() {
    // 2 ** 40 is past any sensible cap; more would only lose precision.
    return Math.min(this.#cap, this.#base * 2 ** Math.min(this.#attempt, 40));
  }

  /** Draws the next wait, and makes the one after it longer. */
  next() {
    const wait = this.#random() * this.ceiling;
    this.#attempt += 1;
    return wait;
  }

  /** Starts over, after an attempt that succeeded. */
  reset() {
    this.#attempt = 0;
  }
}
