/** The maximum of the server's count. */
const MOST = 100;

/**
 * The unread messages of a room: the received ones by their numbers, and the server's count of those before, as of a
 * room version.
 *
 * Each message is in one of the two sets: up to `#upTo` in the server's count, above it among the received ones. So a
 * message counts once even if both a status and the log contain it. A deleted message counts in neither.
 */
export class UnreadMessages {
  #me;
  #isIgnored;
  /** The received messages, `{from, calls}` by their numbers. */
  #known = new Map();
  #counted = 0;
  #countedMentions = 0;
  #upTo = 0;
  /** Deleted messages that were subtracted from the count. */
  #taken = new Set();
  /** The room version of the server's count. */
  version = 0;

  /** @param {{me: () => string, isIgnored: (user: string) => boolean}} about */
  constructor({ me, isIgnored }) {
    this.#me = me;
    this.#isIgnored = isIgnored;
  }

  get count() {
    return this.#counted + this.#shown.length;
  }

  get mentions() {
    return this.#countedMentions + this.#shown.filter(({ calls }) => calls).length;
  }

  /** Applies the server's counts up to a message; the user's own read position `read` may be ahead of the server's. */
  take({ seq, version, read: readThere, unread, mentions }, read) {
    Object.assign(this, { version });
    this.#upTo = seq;
    this.#taken.clear();
    for (const known of this.#known.keys()) if (known <= seq) this.#known.delete(known);
    const left = readThere < read ? Math.max(0, seq - read) : MOST;
    this.#counted = Math.min(unread, left);
    this.#countedMentions = Math.min(mentions, left);
    this.#forget(read);
  }

  /**
   * Records that the user has read up to a message; `unread` and `mentions` are the server's remaining counts, if
   * known.
   */
  markRead(read, { unread, mentions }) {
    this.#forget(read);
    if (unread !== undefined) this.#counted = Math.min(this.#counted, Math.max(0, unread - this.#shown.length));
    const called = this.#shown.filter(({ calls }) => calls).length;
    if (mentions !== undefined) this.#countedMentions = Math.min(this.#countedMentions, Math.max(0, mentions - called));
    this.#countedMentions = Math.min(this.#countedMentions, this.#counted);
  }

  /** Adds a received message; `known` is its cached previous state, if any. */
  put(message, known, read) {
    const { seq } = message;
    if (seq > this.#upTo) this.#note(message, read);
    else if (message.deleted && seq > read && message.version > this.version) this.#uncount(message, known);
  }

  /** Replaces all counts by the cached messages, among which none above `read` is missing. */
  learn(messages, read) {
    this.#known.clear();
    this.#counted = 0;
    this.#countedMentions = 0;
    this.#upTo = 0;
    for (const message of messages) this.#note(message, read);
  }

  #note(message, read) {
    if (this.#counts(message) && message.seq > read) this.#known.set(message.seq, { from: message.from?.id, calls: Boolean(message.mentions?.includes(this.#me())) });
    else this.#known.delete(message.seq);
  }

  #counts({ deleted, kind, from }) {
    return !deleted && kind !== "system" && from?.id !== this.#me();
  }

  #uncount({ seq, from }, known) {
    if (this.#taken.has(seq) || this.#counted === 0 || this.#counted >= MOST) return;
    const author = known?.from?.id ?? from?.id;
    if (author === this.#me() || this.#isIgnored(author) || known?.kind === "system") return;
    this.#taken.add(seq);
    this.#counted -= 1;
    if (known?.mentions?.includes(this.#me())) this.#countedMentions -= 1;
    this.#countedMentions = Math.max(0, Math.min(this.#countedMentions, this.#counted));
  }

  #forget(read) {
    for (const seq of this.#known.keys()) if (seq <= read) this.#known.delete(seq);
    if (read < this.#upTo) return;
    this.#counted = 0;
    this.#countedMentions = 0;
  }

  get #shown() {
    return [...this.#known.values()].filter(({ from }) => !this.#isIgnored(from));
  }
}
