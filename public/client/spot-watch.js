/** How many spots are remembered, so that none is told twice, and how many of them over a reload. */
const MOST = 500;
const KEPT = 20;

/** So long after a refusal that may pass it is asked again, in milliseconds. */
const AGAIN = 10_000;

/** Before every spot: who watched, holds none, and was away asks for what is newer than this. */
const NONE = "1";

/**
 * What of the spots one wants to be told, kept up over reconnects, and which of them one holds: a spot that comes twice
 * is told once, and what came while one was away is asked for by the newest spot held.
 */
export class SpotWatch {
  #ask;
  #isLive;
  #wanted = null;
  #isServed = true;
  #since = null;
  #newest;
  #held;
  #isGoingOn;
  /** Whether a watch was in force, and whether that was on an earlier connection. */
  #hasWatched = false;
  #wasAway = false;
  #timer = null;
  #keep;

  /**
   * @param {object} options
   * @param {(fields: object) => Promise<object>} options.ask sends `spots.watch`
   * @param {() => boolean} options.isLive whether frames can be sent
   * @param {string[]} options.held the newest spots that an earlier run held
   * @param {(ids: string[]) => void} options.keep keeps the newest spots held for a later run
   */
  constructor({ ask, isLive, held, keep }) {
    this.#ask = ask;
    this.#isLive = isLive;
    this.#keep = keep;
    this.#held = new Set(held);
    this.#newest = held.reduce((newest, id) => (newest === null || isNewer(id, newest) ? id : newest), null);
    this.#isGoingOn = held.length > 0;
  }

  /** Chooses `{scope, radius}`; gives whether it is in force: said to a server that knows of it. */
  async choose(wanted) {
    this.#wanted = wanted;
    return this.#isLive() ? this.#subscribe() : false;
  }

  /** A new connection, at the server's time `at`: what is wanted is said again. */
  async resume(at) {
    this.#since ??= at;
    this.#isServed = true;
    this.#wasAway = this.#hasWatched;
    return this.#wanted !== null && this.#subscribe();
  }

  /** Notes spots of answers: they are held, and not told as new. */
  hold(spots) {
    for (const { id } of spots) {
      this.#held.delete(id);
      this.#held.add(id);
      if (this.#newest === null || isNewer(id, this.#newest)) this.#newest = id;
    }
    for (const id of this.#held) {
      if (this.#held.size <= MOST) break;
      this.#held.delete(id);
    }
    this.#keep([...this.#held].sort((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, KEPT));
  }

  /** Whether a spot that was pushed is news: not told before, and not older than this client's first watch. */
  isNews(spot) {
    const isHeld = this.#held.has(spot.id);
    this.hold([spot]);
    // Who held no spot at all is sent those that have long been there.
    return !isHeld && (this.#isGoingOn || this.#since === null || spot.at >= this.#since);
  }

  async #subscribe() {
    clearTimeout(this.#timer);
    if (!this.#isServed) return false;
    const { scope, radius } = this.#wanted;
    // Who begins has missed nothing.
    const after = this.#newest ?? (this.#wasAway ? NONE : null);
    const fields = scope === "none" ? { scope } : { scope, ...(after !== null && { after }), ...(radius !== undefined && { radius }) };
    try {
      await this.#ask(fields);
      this.#hasWatched = true;
      return true;
    } catch (error) {
      // An older server has no such request: one does without until the next connection, which may be to another.
      if (error.code === "unknown_type") this.#isServed = false;
      // What a lost connection has swallowed the next one says again.
      else if (error.retry && error.code !== "connection_lost") this.#timer = setTimeout(() => this.#subscribe(), error.retryAfter ?? AGAIN);
      else if (!error.retry && error.code !== "stopped") throw error;
      return false;
    }
  }
}

/** Whether one id is greater than another; they are numbers too great for a number. */
function isNewer(one, other) {
  return one.length > other.length || (one.length === other.length && one > other);
}
