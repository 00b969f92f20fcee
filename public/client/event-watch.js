/** So long after a refusal that may pass it is asked again, in milliseconds. */
const AGAIN = 5_000;

/**
 * The events that one watches, as the server keeps them up to date; said again after every reconnect.
 */
export class EventWatch {
  #ask;
  #isLive;
  #onChange;
  #wanted = null;
  #isServed = true;
  #asked = 0;
  /** How many requests for none are not answered. */
  #leaving = 0;
  #timer = null;
  /** Those that match, by id, at most the first 200. */
  events = new Map();
  /** How many there are, and whether that is more than are held. */
  total = 0;
  more = false;

  /**
   * @param {object} options
   * @param {(fields: object) => Promise<object>} options.ask sends `events.watch`
   * @param {() => boolean} options.isLive whether frames can be sent
   * @param {() => void} options.onChange told of each change
   */
  constructor({ ask, isLive, onChange }) {
    this.#ask = ask;
    this.#isLive = isLive;
    this.#onChange = onChange;
  }

  /** Watches by the fields of `events.watch`; null watches nothing. Gives whether it is in force. */
  async choose(wanted) {
    if (wanted === null && this.#wanted === null) return true;
    this.#wanted = wanted;
    if (wanted === null) {
      this.events.clear();
      Object.assign(this, { total: 0, more: false });
      this.#onChange();
    }
    return this.#isLive() ? this.#subscribe() : false;
  }

  /** A new connection: what is wanted is said again, and what was held comes anew. */
  async resume() {
    this.#isServed = true;
    if (this.#wanted === null) return false;
    this.events.clear();
    return this.#subscribe();
  }

  /**
   * Takes in a push. What an earlier watch was still sent counts too: the later ones build on it, unless none was watched
   * in between.
   */
  receive({ put, gone, more }) {
    if (this.#wanted === null || this.#leaving > 0) return;
    for (const id of gone) this.events.delete(id);
    for (const event of put) this.#put(event);
    this.more = more;
    if (!more) this.total = this.events.size;
    this.#onChange();
  }

  /** Takes in one's own view of an event. */
  own(event) {
    if (!this.events.has(event.id)) return;
    this.#put(event);
    this.#onChange();
  }

  // How one stands to an event is absent where it has not changed.
  #put(event) {
    const { rsvp = null, waitingPlace = null } = this.events.get(event.id) ?? {};
    this.events.set(event.id, { rsvp, waitingPlace, ...event });
  }

  async #subscribe() {
    clearTimeout(this.#timer);
    if (!this.#isServed) return false;
    const asked = ++this.#asked;
    const isLeaving = this.#wanted === null;
    this.#leaving += isLeaving ? 1 : 0;
    try {
      const { total, more } = await this.#ask(this.#wanted ?? { scope: "none" });
      if (asked !== this.#asked || isLeaving) return isLeaving;
      Object.assign(this, { total, more });
      this.#onChange();
      return true;
    } catch (error) {
      // An older server has no events.
      if (error.code === "unknown_type") this.#isServed = false;
      else if (error.retry && error.code !== "connection_lost") this.#timer = setTimeout(() => this.#subscribe(), error.retryAfter ?? AGAIN);
      else if (!error.retry && error.code !== "stopped") throw error;
      return false;
    } finally {
      this.#leaving -= isLeaving ? 1 : 0;
    }
  }
}
