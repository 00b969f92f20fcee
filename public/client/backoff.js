/**
 * Computes the delay before the next attempt: full jitter, so that a thousand clients of one lost server do not
 * reconnect in step.
 *
 * The n-th delay is drawn uniformly from 0 … min(cap, base · 2ⁿ) milliseconds.
 */
export class Backoff {
  #base;
  #cap;
  #random;
  #attempt = 0;

  /** @param {{base?: number, cap?: number, random?: () => number}} options milliseconds; `random` returns 0 … 1 */
  constructor({ base = 500, cap = 30_000, random = Math.random } = {}) {
    this.#base = base;
    this.#cap = cap;
    this.#random = random;
  }

  /** The upper bound of the next delay. */
  get ceiling() {
    // 2 ** 40 is above any sensible cap; a larger exponent would only lose precision.
    return Math.min(this.#cap, this.#base * 2 ** Math.min(this.#attempt, 40));
  }

  /** Draws the next delay and raises the bound of the one after it. */
  next() {
    const wait = this.#random() * this.ceiling;
    this.#attempt += 1;
    return wait;
  }

  /** Resets the delay after a successful attempt. */
  reset() {
    this.#attempt = 0;
  }
}
