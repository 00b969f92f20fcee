/** Lets `rate` things a second pass, and `burst` at once after a rest. Time is given, never read. */
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

  /** How many may pass at `now` (milliseconds). */
  available(now) {
    if (this.#filledAt !== null) {
      const gained = (Math.max(0, now - this.#filledAt) / 1000) * this.#rate;
      this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    }
    this.#filledAt = now;
    return Math.floor(this.#tokens);
  }

  /** Takes what has passed. */
  spend(count) {
    this.#tokens -= count;
  }

  /** Milliseconds until one may pass. */
  get wait() {
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#rate) * 1000;
  }
}
