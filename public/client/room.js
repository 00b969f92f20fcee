/** Who writes is said to write for so long, in milliseconds. */
const TYPING = 6_000;

/**
 * One room as this client has it: how far it is, what of it is unread, and the newest messages as far back as they were read.
 *
 * Messages are put by their number where their version is higher; the page that is held has no holes.
 */
export class Room {
  /** The id, which is the group's or event's. */
  id;
  epoch = null;
  version = 0;
  /** The newest message, the first that one may read, and the last that one has read. */
  seq = 0;
  first = 1;
  read = 0;
  muted = "none";
  slow = 0;
  /** The newest message that says something, or null. */
  last = null;
  /** The event whose room it is, `{title, host, startsAt}`; null for a group's. */
  event = null;
  /** Messages by their numbers, from `oldest` on; empty until they are read. */
  messages = new Map();
  /** Whether the newest page was read, so that what comes is put behind it; and whether it is being read. */
  isHeld = false;
  isReading = false;
  /** What one says that the server has not taken yet: `{key, text, photo, replyTo, mentions, at, state, error}`. */
  pending = [];
  #typing = new Map();
  #unread = new Set();
  #mentioned = new Set();
  /** What the server has counted that is unread, of messages that are not held. */
  #counted = 0;
  #countedMentions = 0;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
  }

  /** The lowest number that is held; null while none is. */
  get oldest() {
    return this.messages.size === 0 ? null : Math.min(...this.messages.keys());
  }

  /** Whether messages that one may read lie before those that are held. */
  get hasOlder() {
    const { oldest } = this;
    return oldest !== null && oldest > this.first;
  }

  /** The messages that are held, in order. */
  get log() {
    return [...this.messages.values()].sort((a, b) => a.seq - b.seq);
  }

  /** How much is unread, and how much of that calls one. */
  get unread() {
    return this.#counted + this.#unread.size;
  }

  get mentions() {
    return this.#countedMentions + this.#mentioned.size;
  }

  /** How far the client has come, for the next hello. */
  get resume() {
    return { epoch: this.epoch, version: this.version, read: this.read };
  }

  /** Takes over how the server says that the room is. */
  take(status) {
    if (status.epoch !== this.epoch) {
      this.messages.clear();
      this.isHeld = false;
      this.epoch = status.epoch;
      this.version = status.version;
    }
    Object.assign(this, { seq: Math.max(this.seq, status.seq), first: status.first, muted: status.muted, slow: status.slow });
    this.event = status.event ?? null;
    if (status.last && (!this.last || status.last.seq >= this.last.seq)) this.last = status.last;
    this.markRead(status.read, status);
  }

  /** Notes that one has read up to a message, with what the server counts that is left. */
  markRead(seq, { unread = 0, mentions = 0 } = {}) {
    this.read = Math.max(this.read, seq);
    this.#unread.clear();
    this.#mentioned.clear();
    this.#counted = unread;
    this.#countedMentions = mentions;
  }

  /**
   * Puts messages that lead to a version; gives those that are new.
   * @param {object[]} messages
   * @param {{me: string, isIgnored: (user: string) => boolean}} about
   */
  put(messages, { me, isIgnored }) {
    const { oldest } = this;
    const news = [];
    for (const message of messages) {
      const known = this.messages.get(message.seq);
      // What comes while the first page is read may be newer than that. An empty page has no oldest.
      const isWanted = this.isReading || (this.isHeld && message.seq >= (oldest ?? 0));
      if (isWanted && (!known || known.version < message.version)) this.messages.set(message.seq, message);
      if (message.seq > this.seq) news.push(message);
      this.seq = Math.max(this.seq, message.seq);
      this.#count(message, me, isIgnored);
      this.settle(message, me);
      const speaks = !message.deleted && message.kind !== "system";
      if (speaks && message.seq >= (this.last?.seq ?? 0)) this.last = message;
      if (message.deleted && message.seq === this.last?.seq) this.last = this.log.filter(({ deleted, kind }) => !deleted && kind !== "system").at(-1) ?? null;
      if (message.from) this.#typing.delete(message.from.id);
    }
    return news;
  }

  #count(message, me, isIgnored) {
    const counts = !message.deleted && message.kind !== "system" && message.seq > this.read && message.from?.id !== me && !isIgnored(message.from?.id);
    if (!counts) {
      this.#unread.delete(message.seq);
      this.#mentioned.delete(message.seq);
    } else if (message.editedAt === null) {
      this.#unread.add(message.seq);
      if (message.mentions?.includes(me)) this.#mentioned.add(message.seq);
    }
  }

  /** Takes over the newest page, with what came while it was read. */
  begin(messages) {
    const oldest = messages.length === 0 ? 0 : Math.min(...messages.map(({ seq }) => seq));
    for (const seq of this.messages.keys()) if (seq < oldest) this.messages.delete(seq);
    this.prepend(messages);
    this.isHeld = true;
  }

  /** Adds a page that lies before what is held. */
  prepend(messages) {
    for (const message of messages) {
      const known = this.messages.get(message.seq);
      if (!known || known.version < message.version) this.messages.set(message.seq, message);
    }
  }

  /** Takes what one has said out of what waits, once it is in the log. */
  settle(message, me) {
    if (message.from?.id === me) this.pending = this.pending.filter(({ key }) => key !== message.key);
  }

  /** Notes who writes. */
  noteTyping(users, now) {
    this.#typing = new Map(users.map((user) => [user, now + TYPING]));
  }

  /** Who writes now. */
  typing(now) {
    return [...this.#typing].filter(([, until]) => until > now).map(([user]) => user);
  }
}
