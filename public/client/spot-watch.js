/** The number of remembered spots, so that none is reported twice, and the number kept over a reload. */
const MOST = 500;
const KEPT = 20;

/** The default delay before a retry after a temporary refusal, in milliseconds. */
const AGAIN = 10_000;

/** An id below every spot's. A client that was subscribed, knows no spot and was away requests all spots above it. */
const NONE = "1";

/**
 * The user's spot subscription, kept over reconnects, and the spots that the client knows.
 *
 * A spot that arrives twice is reported once. After an absence the client requests the spots above the newest known
 * one.
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
  /** Whether a subscription was in force, and whether that was on an earlier connection. */
  #hasWatched = false;
  #wasAway = false;
  #timer = null;
  #keep;

  /**
   * @param {object} options
   * @param {(fields: object) => Promise<object>} options.ask sends `spots.watch`
   * @param {() => boolean} options.isLive whether frames can be sent
   * @param {string[]} options.held the newest spots known to an earlier run
   * @param {(ids: string[]) => void} options.keep stores the newest known spots for a later run
   */
  constructor({ ask, isLive, held, keep }) {
    this.#ask = ask;
    this.#isLive = isLive;
    this.#keep = keep;
    this.#held = new Set(held);
    this.#newest = held.reduce((newest, id) => (newest === null || isNewer(id, newest) ? id : newest), null);
    this.#isGoingOn = held.length > 0;
  }

  /** Subscribes with `{scope, radius}`; returns whether the subscription is in force on a server that supports it. */
  async choose(wanted) {
    this.#wanted = wanted;
    return this.#isLive() ? this.#subscribe() : false;
  }

  /** Renews the subscription on a new connection; `at` is the server's time. */
  async resume(at) {
    this.#since ??= at;
    this.#isServed = true;
    this.#wasAway = this.#hasWatched;
    return this.#wanted !== null && this.#subscribe();
  }

  /** Records spots of answers as known, so that they are not reported as new. */
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

  /** Whether a pushed spot is new: not reported before, and not older than this client's first connection. */
  isNews(spot) {
    const isHeld = this.#held.has(spot.id);
    this.hold([spot]);
    // The server also sends old spots to a client that knows none.
    return !isHeld && (this.#isGoingOn || this.#since === null || spot.at >= this.#since);
  }

  async #subscribe() {
    clearTimeout(this.#timer);
    if (!this.#isServed) return false;
    const { scope, radius } = this.#wanted;
    // A new client has missed nothing.
    const after = this.#newest ?? (this.#wasAway ? NONE : null);
    const fields = scope === "none" ? { scope } : { scope, ...(after !== null && { after }), ...(radius !== undefined && { radius }) };
    try {
      await this.#ask(fields);
      this.#hasWatched = true;
      return true;
    } catch (error) {
      // An older server has no such request. The client stays unsubscribed until the next connection, perhaps to
      // another server.
      if (error.code === "unknown_type") this.#isServed = false;
      // The next connection repeats a request that a lost connection left unanswered.
      else if (error.retry && error.code !== "connection_lost") this.#timer = setTimeout(() => this.#subscribe(), error.retryAfter ?? AGAIN);
      else if (!error.retry && error.code !== "stopped") throw error;
      return false;
    }
  }
}

/** Whether one id is greater than another; ids exceed the exact range of a number. */
function isNewer(one, other) {
  return one.length > other.length || (one.length === other.length && one > other);
}
