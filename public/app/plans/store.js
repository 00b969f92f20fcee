/** The user's own plans as far as they are loaded, and the last suggestions. Dispatches `change`. */
export class Plans extends EventTarget {
  #client;
  #next = null;
  #asked = 0;
  /** The loaded plans, newest first. */
  all = [];
  /** `unread`, `reading`, `read` or `failed`; `error` says why. */
  state = "unread";
  error = null;
  /** The last answer of `plan.suggest`; null before. */
  suggestion = null;

  /** @param {object} client */
  constructor(client) {
    super();
    this.#client = client;
    client.addEventListener("plan_changed", ({ detail }) => this.#answered(detail));
  }

  /** Whether more pages exist. */
  get hasMore() {
    return this.#next !== null;
  }

  /** Reloads the first page. */
  read() {
    return this.#read({});
  }

  /** Loads the next page. */
  readMore() {
    return this.#read({ after: this.#next });
  }

  /** Requests the current state of a plan. */
  async get(id) {
    const { plan } = await this.#client.request("plan.get", { plan: id });
    return plan;
  }

  /** Requests suggestions. */
  async suggest(wish) {
    this.suggestion = await this.#client.request("plan.suggest", wish, { timeout: 15_000 });
    this.#changed();
  }

  /** Saves one of the suggested plans; returns it. */
  async save(index, name) {
    const { plan } = await this.#client.request("plan.save", { suggestion: this.suggestion.suggestion, index, name });
    this.all = [plan, ...this.all];
    this.#changed();
    return plan;
  }

  /** Deletes a plan of the user. */
  async delete(id) {
    await this.#client.request("plan.delete", { plan: id });
    this.all = this.all.filter((plan) => plan.id !== id);
    this.#changed();
  }

  async #read(fields) {
    const asked = ++this.#asked;
    this.state = "reading";
    this.#changed();
    try {
      const page = await this.#client.request("plans.list", fields);
      if (asked !== this.#asked) return;
      const known = new Set(page.plans.map(({ id }) => id));
      this.all = fields.after ? [...this.all.filter(({ id }) => !known.has(id)), ...page.plans] : page.plans;
      this.#next = page.next;
      this.state = "read";
    } catch (error) {
      if (asked !== this.#asked) return;
      this.state = "failed";
      this.error = error;
    }
    this.#changed();
  }

  #answered({ plan, group, answers }) {
    const share = this.all.find(({ id }) => id === plan)?.shares.find((each) => each.group === group);
    if (!share) return;
    share.answers = answers;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}
