/** A token bucket of `rate` items a second and bursts of `burst` items. The caller supplies the time. */
export class TokenBucket {
  #rate;
  #burst;
  #tokens;
  #filledAt = null;

  /** @param {{rate: number, burst: number}} options */
  constructor({ rate, burst }) {
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** The number of items allowed at `now` (milliseconds). */
  available(now) {
    if (this.#filledAt !== null) {
      const gained = (Math.max(0, now - this.#filledAt) / 1000) * this.#rate;
      this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    }
    this.#filledAt = now;
    return Math.floor(this.#tokens);
  }

  /** Spends tokens for `count` items. */
  spend(count) {
    this.#tokens -= count;
  }

  /** Milliseconds until the next item is allowed. */
  get wait() {
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#rate) * 1000;
  }
}
