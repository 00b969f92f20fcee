import { UnreadMessages } from "./unread-messages.js";

/** The duration for which a typing member is shown, in milliseconds. */
const TYPING = 6_000;

/**
 * The client's state of one room: its version, its unread messages, and the newest messages as far back as they were
 * loaded.
 *
 * A message replaces one with the same number if its version is higher. The cached page has no gaps.
 */
export class Room {
  /** The id of the room, equal to the id of its group or event. */
  id;
  epoch = null;
  version = 0;
  /** The newest message, the first readable message, and the last one that the user has read. */
  seq = 0;
  first = 1;
  read = 0;
  /** The read position that the server knows. */
  readThere = 0;
  muted = "none";
  slow = 0;
  /**
   * The newest message that is shown: not deleted, not a system message, not from a blocked user. Null when none is
   * known.
   */
  last = null;
  /** The event that the room belongs to, `{title, host, startsAt}`; null for a group's room. */
  event = null;
  /** Messages by their numbers, from `oldest` on; empty until they are loaded. */
  messages = new Map();
  /** Whether the newest page is loaded, so that pushed messages extend it; and whether it is loading. */
  isHeld = false;
  isReading = false;
  /**
   * The user's messages that the server has not accepted yet:
   * `{key, text, photo, replyTo, mentions, at, state, error}`.
   */
  pending = [];
  #me;
  #isIgnored;
  #typing = new Map();
  #unread;
  /** The highest message number that no longer counts as new. */
  #heard = 0;
  /** Messages pushed while an older page loads; null while none loads. */
  #meanwhile = null;

  /**
   * @param {string} id
   * @param {{me: () => string, isIgnored: (user: string) => boolean}} about the user's id, and whether they block a
   *   user
   */
  constructor(id, { me, isIgnored }) {
    this.id = id;
    this.#me = me;
    this.#isIgnored = isIgnored;
    this.#unread = new UnreadMessages({ me, isIgnored });
  }

  /** The lowest and the highest cached number; null while the cache is empty. */
  get oldest() {
    return this.messages.size === 0 ? null : Math.min(...this.messages.keys());
  }

  get newest() {
    return this.messages.size === 0 ? null : Math.max(...this.messages.keys());
  }

  /** Whether readable messages exist before the cached ones. */
  get hasOlder() {
    const { oldest } = this;
    return oldest !== null && oldest > this.first;
  }

  /** The cached messages, in order. */
  get log() {
    return [...this.messages.values()].sort((a, b) => a.seq - b.seq);
  }

  /** The number of unread messages, and of those that mention the user. */
  get unread() {
    return this.#unread.count;
  }

  get mentions() {
    return this.#unread.mentions;
  }

  /** The client's version of the room, for the next hello. */
  get resume() {
    return { epoch: this.epoch, version: this.version, read: this.read };
  }

  /** The status as the server would send it, with the newest cached messages; for `restore`. */
  snapshot(most) {
    const { id, epoch, version, seq, first, read, muted, slow, last, event, unread, mentions } = this;
    const messages = this.isHeld ? this.log.slice(-most) : null;
    return { status: { room: id, epoch, version, seq, first, read, muted, slow, last, event, unread, mentions }, messages };
  }

  /** Takes over the state of a `snapshot`. */
  restore({ status, messages }) {
    this.take(status);
    if (messages !== null) this.begin(messages);
  }

  /** Applies the server's status of the room. */
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

  /** Clears the cache and adopts a new epoch at a version: numbers of the old epoch are invalid. */
  forget(epoch, version) {
    this.messages.clear();
    this.isHeld = false;
    this.#meanwhile = null;
    this.#unread = new UnreadMessages({ me: this.#me, isIgnored: this.#isIgnored });
    this.epoch = epoch;
    this.version = version;
  }

  /** Records that the user has read up to a message, with the server's remaining counts, if known. */
  markRead(seq, counted = {}) {
    if (seq < this.read) return;
    this.read = seq;
    this.#unread.markRead(seq, counted);
    this.#learn();
  }

  /** Applies messages that lead to a version; returns the new ones. */
  put(messages, upTo) {
    const { oldest } = this;
    const news = [];
    for (const message of messages) {
      // A message pushed while the first page loads may be newer than the page. An empty page has no oldest.
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

  /** Updates the last message after the set of blocked users changed. */
  ignoreAnew() {
    if (this.last && !this.#isShown(this.last)) this.last = null;
    const held = this.#lastHeld;
    if (held) this.#noteLast(held);
  }

  /** Applies the newest page to the messages that were pushed while it loaded. */
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

  /** Starts to collect pushed messages while an older page loads: they may be newer than the page. */
  awaitOlder() {
    this.#meanwhile = new Map();
  }

  /** Adds a page before the cached messages; null means that loading failed. */
  prepend(messages) {
    for (const message of messages ?? []) keep(this.messages, message);
    for (const message of this.#meanwhile?.values() ?? []) if (this.messages.has(message.seq)) keep(this.messages, message);
    this.#meanwhile = null;
    this.#learn();
  }

  /** Whether the page before the cached messages is loading. */
  get isReadingOlder() {
    return this.#meanwhile !== null;
  }

  /** Handles the server's answer to a sent message, which is now in the log. */
  sent(key, message) {
    this.#drop(key);
    if (this.isReading || (this.isHeld && message.seq >= (this.oldest ?? 0))) keep(this.messages, message);
    this.#noteLast(message);
  }

  /** Removes a message of the user from `pending` once it is in the log. */
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

  // If all unread messages are cached, the client's own count replaces the server's.
  #learn() {
    const { oldest } = this;
    if (this.isHeld && this.version >= this.#unread.version && (oldest === null || oldest <= Math.max(this.read + 1, this.first))) this.#unread.learn(this.messages.values(), this.read);
  }

  /** Records the members who type. */
  noteTyping(users, now) {
    this.#typing = new Map(users.map((user) => [user, now + TYPING]));
  }

  /** The members who type now. */
  typing(now) {
    return [...this.#typing].filter(([, until]) => until > now).map(([user]) => user);
  }
}

/** Stores a message by its number if its version is higher. */
function keep(messages, message) {
  const known = messages.get(message.seq);
  if (!known || known.version < message.version) messages.set(message.seq, message);
}
