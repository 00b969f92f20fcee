/** How many pins are read at once. */
const PAGE = 50;

/** Everybody's pins, the newest first, as far as they are read, and one's own. Tells of each `change`. */
export class Pins extends EventTarget {
  #client;
  #pins = [];
  #next = null;
  #asked = 0;
  /** One's own pin; null when there is none, undefined until it is read. */
  own = undefined;
  /** How many there are in all. */
  total = 0;
  /** Whom to name beside what places are called. */
  attribution = [];
  /** `unread`, `reading`, `read` or `failed`; `error` says why. */
  state = "unread";
  error = null;

  /** @param {object} client */
  constructor(client) {
    super();
    this.#client = client;
  }

  /** Those that are read. */
  get all() {
    return this.#pins;
  }

  /** Whether there are more. */
  get hasMore() {
    return this.#next !== null;
  }

  /** One of those that are read. */
  get(id) {
    return this.#pins.find((pin) => pin.id === id) ?? (this.own?.id === id ? this.own : null);
  }

  /** Reads the first page and one's own pin anew. */
  async read() {
    await this.#ask(async () => {
      const [{ pin }, page] = await Promise.all([this.#client.request("pin.get"), this.#client.request("pins.all", { limit: PAGE })]);
      return () => {
        this.own = pin;
        this.#pins = page.pins;
        this.#take(page);
      };
    });
  }

  /** Reads the next page. */
  async readMore() {
    await this.#ask(async () => {
      const page = await this.#client.request("pins.all", { limit: PAGE, after: this.#next });
      return () => {
        const known = new Set(this.#pins.map(({ id }) => id));
        this.#pins = [...this.#pins, ...page.pins.filter(({ id }) => !known.has(id))];
        this.#take(page);
      };
    });
  }

  /** Posts a pin, in place of one's own when its revision is named; gives it. */
  async post(fields) {
    const { pin } = await this.#client.request("pin.post", fields);
    this.own = pin;
    await this.read();
    return pin;
  }

  /** Deletes one's own pin. */
  async deleteOwn() {
    try {
      await this.#client.request("pin.delete");
    } catch (error) {
      // On another device it was deleted before.
      if (error.code !== "not_found") throw error;
    }
    this.own = null;
    await this.read();
  }

  #take({ next, total, attribution = [] }) {
    this.#next = next;
    this.total = total;
    this.attribution = attribution;
  }

  async #ask(read) {
    const asked = ++this.#asked;
    this.#become("reading");
    try {
      const take = await read();
      if (asked !== this.#asked) return;
      take();
      this.#become("read");
    } catch (error) {
      if (asked === this.#asked) this.#become("failed", error);
    }
  }

  #become(state, error = null) {
    this.state = state;
    this.error = error;
    this.dispatchEvent(new CustomEvent("change"));
  }
}
