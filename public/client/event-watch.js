/** The default delay before a retry after a temporary refusal, in milliseconds. */
const AGAIN = 5_000;

/** The user's event subscription, kept current by the server and renewed after every reconnect. */
export class EventWatch {
  #ask;
  #isLive;
  #onChange;
  #wanted = null;
  #isServed = true;
  #asked = 0;
  /** The number of unanswered requests to unsubscribe. */
  #leaving = 0;
  #timer = null;
  /** The matching events by id, at most the first 200. */
  events = new Map();
  /** The number of matching events, and whether it exceeds the number in `events`. */
  total = 0;
  more = false;
  /** Whether the server has answered the newest subscription. */
  isAnswered = false;

  /**
   * @param {object} options
   * @param {(fields: object) => Promise<object>} options.ask sends `events.watch`
   * @param {() => boolean} options.isLive whether frames can be sent
   * @param {() => void} options.onChange called after each change
   */
  constructor({ ask, isLive, onChange }) {
    this.#ask = ask;
    this.#isLive = isLive;
    this.#onChange = onChange;
  }

  /** Subscribes by the fields of `events.watch`; null unsubscribes. Returns whether the request is in force. */
  async choose(wanted) {
    if (wanted === null && this.#wanted === null) return true;
    this.#wanted = wanted;
    this.isAnswered = false;
    if (wanted === null) {
      this.events.clear();
      Object.assign(this, { total: 0, more: false });
      this.#onChange();
    }
    return this.#isLive() ? this.#subscribe() : false;
  }

  /** Renews the subscription on a new connection; the server sends all events again. */
  async resume() {
    this.#isServed = true;
    if (this.#wanted === null) return false;
    this.isAnswered = false;
    this.events.clear();
    return this.#subscribe();
  }

  /**
   * Applies a push. Pushes of an earlier subscription count too, because later ones build on them.
   *
   * The exception: the client was unsubscribed in between.
   */
  receive({ put, gone, more }) {
    if (this.#wanted === null || this.#leaving > 0) return;
    for (const id of gone) this.events.delete(id);
    for (const event of put) this.#put(event);
    this.more = more;
    if (!more) this.total = this.events.size;
    this.#onChange();
  }

  /** Applies the user's own view of an event. */
  own(event) {
    if (!this.events.has(event.id)) return;
    this.#put(event);
    this.#onChange();
  }

  // The fields of the user's RSVP are absent where they have not changed.
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
      Object.assign(this, { total, more, isAnswered: true });
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
