/** How many notifications one frame may name. */
const PER_FRAME = 100;

/** Which notifications are seen, until the server has taken it. */
export class SeenMarks {
  #ask;
  #upTo = 0;
  #numbers = new Set();

  /** @param {(type: string, fields: object) => Promise<object>} ask sends a request */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Notes those up to a number, or just these. */
  add(which) {
    if (Array.isArray(which)) for (const number of which) this.#numbers.add(number);
    else this.#upTo = Math.max(this.#upTo, which);
  }

  /** Tells the server what it has not taken yet. */
  async tell() {
    const upTo = this.#upTo;
    if (upTo > 0) {
      await this.#ask("seen", { upTo });
      if (this.#upTo === upTo) this.#upTo = 0;
    }
    const notifications = [...this.#numbers].slice(0, PER_FRAME);
    if (notifications.length === 0) return;
    await this.#ask("seen", { notifications });
    for (const number of notifications) this.#numbers.delete(number);
  }
}
