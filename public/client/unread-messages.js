/** The server counts up to so many. */
const MOST = 100;

/**
 * What is unread in a room: the messages that came, by their numbers, and a count of those before them that only the
 * server knows, as of a version of the room.
 *
 * A message is in one of the two: up to `#upTo` the server has counted it, above it has come. So what comes twice, as
 * a status and as the messages behind it, counts once, and what is deleted counts no more in either.
 */
export class UnreadMessages {
  #me;
  #isIgnored;
  /** Those that came, `{from, calls}` by their numbers. */
  #known = new Map();
  #counted = 0;
  #countedMentions = 0;
  #upTo = 0;
  /** Deleted ones that were taken from the count. */
  #taken = new Set();
  /** The version of the room as of which the server has counted. */
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

  /** Takes over what the server counts up to a message; one has read up to `read`, which it may not know. */
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

  /** Notes that one has read up to a message; `unread` and `mentions`: what the server counts that is left, if it has said. */
  markRead(read, { unread, mentions }) {
    this.#forget(read);
    if (unread !== undefined) this.#counted = Math.min(this.#counted, Math.max(0, unread - this.#shown.length));
    const called = this.#shown.filter(({ calls }) => calls).length;
    if (mentions !== undefined) this.#countedMentions = Math.min(this.#countedMentions, Math.max(0, mentions - called));
    this.#countedMentions = Math.min(this.#countedMentions, this.#counted);
  }

  /** Notes a message that came; `known`: as it was before, when that is held. */
  put(message, known, read) {
    const { seq } = message;
    if (seq > this.#upTo) this.#note(message, read);
    else if (message.deleted && seq > read && message.version > this.version) this.#uncount(message, known);
  }

  /** Takes over all messages that are held, of which none above `read` is missing. */
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
