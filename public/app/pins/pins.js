/** The number of pins in a page. */
const PAGE = 50;

/** The pause after the last change on the map before the list is read again, in milliseconds. */
const REST = 300;

/** All users' pins, newest first, as far as they are loaded, and the user's own. Dispatches `change`. */
export class Pins extends EventTarget {
  #client;
  #pins = [];
  #next = null;
  #asked = 0;
  #timer = null;
  /** The user's own pin; null when there is none, undefined until it is loaded. */
  own = undefined;
  /** The total number of pins. */
  total = 0;
  /** The attributions of place labels. */
  attribution = [];
  /** `unread`, `reading`, `read` or `failed`; `error` says why. */
  state = "unread";
  error = null;

  /** @param {object} client */
  constructor(client) {
    super();
    this.#client = client;
    // The tiles of the map tell of each change; a list of several pages would lose the reader's place.
    client.addEventListener("tiles", ({ detail }) => {
      if (detail.layer !== "pins" || this.state === "unread" || this.#pins.length > PAGE) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.read(), REST);
    });
  }

  /** The loaded pins. */
  get all() {
    return this.#pins;
  }

  /** Whether more pages exist. */
  get hasMore() {
    return this.#next !== null;
  }

  /** A loaded pin by its id. */
  get(id) {
    return this.#pins.find((pin) => pin.id === id) ?? (this.own?.id === id ? this.own : null);
  }

  /** Reloads the first page and the user's own pin. */
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

  /** Loads the next page. */
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

  /** Posts a pin, or replaces the user's own when its revision is given; returns the pin. */
  async post(fields) {
    const { pin } = await this.#client.request("pin.post", fields);
    this.own = pin;
    await this.read();
    return pin;
  }

  /** Deletes the user's own pin. */
  async deleteOwn() {
    try {
      await this.#client.request("pin.delete");
    } catch (error) {
      // Another device has already deleted it.
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
