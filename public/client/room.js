import { UnreadMessages } from "./unread-messages.js";

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
  /** How far the server knows that one has read. */
  readThere = 0;
  muted = "none";
  slow = 0;
  /** The newest message that says something, and not by who is blocked; null where none is known. */
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
  #me;
  #isIgnored;
  #typing = new Map();
  #unread;
  /** The highest number that is no news any more. */
  #heard = 0;
  /** What came of an older page while it is read; null while none is. */
  #meanwhile = null;

  /**
   * @param {string} id
   * @param {{me: () => string, isIgnored: (user: string) => boolean}} about whose room it is, and whom they block
   */
  constructor(id, { me, isIgnored }) {
    this.id = id;
    this.#me = me;
    this.#isIgnored = isIgnored;
    this.#unread = new UnreadMessages({ me, isIgnored });
  }

  /** The lowest and the highest number that is held; null while none is. */
  get oldest() {
    return this.messages.size === 0 ? null : Math.min(...this.messages.keys());
  }

  get newest() {
    return this.messages.size === 0 ? null : Math.max(...this.messages.keys());
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
    return this.#unread.count;
  }

  get mentions() {
    return this.#unread.mentions;
  }

  /** How far the client has come, for the next hello. */
  get resume() {
    return { epoch: this.epoch, version: this.version, read: this.read };
  }

  /** Takes over how the server says that the room is. */
  take(status) {
    if (status.epoch !== this.epoch) {
      this.forget(status.epoch, status.version);
      Object.assign(this, { seq: status.seq, read: status.read, last: null });
      this.#heard = status.seq;
    }
    Object.assign(this, { seq: Math.max(this.seq, status.seq), first: status.first, muted: status.muted, slow: status.slow, readThere: status.read });
    this.event = status.event ?? null;
    if (status.last) this.#noteLast(status.last);
    this.read = Math.max(this.read, status.read);
    this.#unread.take(status, this.read);
    this.#learn();
  }

  /** Another numbering has begun at a version: nothing that was held counts in it. */
  forget(epoch, version) {
    this.messages.clear();
    this.isHeld = false;
    this.#meanwhile = null;
    this.#unread = new UnreadMessages({ me: this.#me, isIgnored: this.#isIgnored });
    this.epoch = epoch;
    this.version = version;
  }

  /** Notes that one has read up to a message, with what the server counts that is left, when it has said so. */
  markRead(seq, counted = {}) {
    if (seq < this.read) return;
    this.read = seq;
    this.#unread.markRead(seq, counted);
    this.#learn();
  }

  /** Puts messages that lead to a version; gives those that are new. */
  put(messages, upTo) {
    const { oldest } = this;
    const news = [];
    for (const message of messages) {
      // What comes while the first page is read may be newer than that. An empty page has no oldest.
      const isWanted = this.isReading || (this.isHeld && message.seq >= (oldest ?? 0));
      const known = this.messages.get(message.seq);
      if (isWanted) keep(this.messages, message);
      else if (this.#meanwhile) keep(this.#meanwhile, message);
      if (message.version <= this.version) continue;
      if (message.seq > this.#heard) news.push(message);
      this.#heard = Math.max(this.#heard, message.seq);
      this.seq = Math.max(this.seq, message.seq);
      this.#unread.put(message, known, this.read);
      this.settle(message);
      if (message.deleted && message.seq === this.last?.seq) this.last = this.#lastHeld;
      this.#noteLast(message);
      if (message.from) this.#typing.delete(message.from.id);
    }
    this.version = upTo;
    this.#learn();
    return news;
  }

  /** Whom one blocks has changed. */
  ignoreAnew() {
    if (this.last && !this.#isShown(this.last)) this.last = null;
    const held = this.#lastHeld;
    if (held) this.#noteLast(held);
  }

  /** Takes over the newest page, with what came while it was read. */
  begin(messages) {
    const oldest = messages.length === 0 ? 0 : Math.min(...messages.map(({ seq }) => seq));
    for (const seq of this.messages.keys()) if (seq < oldest) this.messages.delete(seq);
    for (const message of messages) {
      keep(this.messages, message);
      this.settle(message);
    }
    this.isHeld = true;
    this.ignoreAnew();
    this.#learn();
  }

  /** A page before what is held is being read: what comes of it meanwhile may be newer than the page. */
  awaitOlder() {
    this.#meanwhile = new Map();
  }

  /** Adds a page that lies before what is held; null: it did not come. */
  prepend(messages) {
    for (const message of messages ?? []) keep(this.messages, message);
    for (const message of this.#meanwhile?.values() ?? []) if (this.messages.has(message.seq)) keep(this.messages, message);
    this.#meanwhile = null;
    this.#learn();
  }

  /** Whether the page before what is held is being read. */
  get isReadingOlder() {
    return this.#meanwhile !== null;
  }

  /** Takes over what the server answers to who has said something: it is in the log. */
  sent(key, message) {
    this.#drop(key);
    if (this.isReading || (this.isHeld && message.seq >= (this.oldest ?? 0))) keep(this.messages, message);
    this.#noteLast(message);
  }

  /** Takes what one has said out of what waits, once it is in the log. */
  settle(message) {
    if (message.from?.id === this.#me() && message.key) this.#drop(message.key);
  }

  #drop(key) {
    this.pending = this.pending.filter((each) => each.key !== key);
  }

  #isShown({ deleted, kind, from }) {
    return !deleted && kind !== "system" && !this.#isIgnored(from?.id);
  }

  get #lastHeld() {
    return this.log.findLast((message) => this.#isShown(message)) ?? null;
  }

  #noteLast(message) {
    const { last } = this;
    const isNewer = !last || message.seq > last.seq || (message.seq === last.seq && message.version >= last.version);
    if (isNewer && this.#isShown(message)) this.last = message;
  }

  // Who holds all that is unread need not count what the server has counted.
  #learn() {
    const { oldest } = this;
    if (this.isHeld && this.version >= this.#unread.version && (oldest === null || oldest <= Math.max(this.read + 1, this.first))) this.#unread.learn(this.messages.values(), this.read);
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

/** Puts a message by its number where its version is higher. */
function keep(messages, message) {
  const known = messages.get(message.seq);
  if (!known || known.version < message.version) messages.set(message.seq, message);
}
