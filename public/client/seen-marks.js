/** The maximum number of notifications in one frame. */
const PER_FRAME = 100;

/** Notifications marked as seen that the server has not acknowledged. */
export class SeenMarks {
  #ask;
  #upTo = 0;
  #numbers = new Set();

  /** @param {(type: string, fields: object) => Promise<object>} ask sends a request */
  constructor(ask) {
    this.#ask = ask;
  }

  /** Adds all notifications up to a number, or exactly these. */
  add(which) {
    if (Array.isArray(which)) for (const number of which) this.#numbers.add(number);
    else this.#upTo = Math.max(this.#upTo, which);
  }

  /** Sends the unacknowledged marks to the server. */
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
