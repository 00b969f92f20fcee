import { keepLast, keptLast, keptMessages, keepMessages } from "./kept.js";

/** The minimum interval between two copies, in milliseconds. */
const PACE = 10_000;

/** The number of kept messages of each room. */
const MESSAGES = 50;

/**
 * Keeps the last known state and unsent messages for the next page of this login, which may open without a network.
 *
 * The server recognises each unsent message by its key. So a message that two pages send is added once.
 */
export class Keeper {
  #client;
  #token;
  #timer = null;
  #wasLive = false;
  #ended = new AbortController();
  /** Unsent messages of this page, as they are kept: JSON by key. */
  #mine = new Map();

  /** @param {object} client @param {string} token the login that the state belongs to */
  constructor(client, token) {
    this.#client = client;
    this.#token = token;
  }

  /**
   * Restores the kept state in the client, and stores each later one.
   * @returns {number|null} the time of the state; null when there is none
   */
  begin() {
    const client = this.#client;
    const last = keptLast(this.#token);
    if (last !== null) client.restore(last);
    this.#adopt();
    const { signal } = this.#ended;
    for (const type of ["welcome", "groups", "sharing", "roster", "rooms"]) client.addEventListener(type, () => this.#soon(), { signal });
    client.addEventListener("rooms", () => this.#adopt(), { signal });
    client.addEventListener("chat", () => {
      this.#keepMessages();
      this.#soon();
    }, { signal });
    // The last moment at which the state is current.
    client.addEventListener("state", () => {
      if (this.#wasLive && client.status.state !== "live") this.#store();
      this.#wasLive = client.status.state === "live";
    }, { signal });
    addEventListener("pagehide", () => this.#keep(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && this.#keep(), { signal });
    return last?.at ?? null;
  }

  /** Stops keeping. */
  close() {
    this.#ended.abort();
    clearTimeout(this.#timer);
  }

  #soon() {
    this.#timer ??= setTimeout(() => this.#keep(), PACE);
  }

  #keep() {
    clearTimeout(this.#timer);
    this.#timer = null;
    // Without a connection the state is as old as it was.
    if (this.#client.status.state === "live") this.#store();
  }

  #store() {
    if (this.#client.user !== null) keepLast(this.#token, this.#client.snapshot({ messages: MESSAGES }));
  }

  // Rooms that the kept state lacks arrive later.
  #adopt() {
    for (const { room, ...message } of keptMessages(this.#token)) {
      if (this.#mine.has(message.key) || !this.#client.rooms.adopt(room, message)) continue;
      this.#mine.set(message.key, null);
    }
    this.#keepMessages();
  }

  #keepMessages() {
    const pending = new Map();
    for (const [room, { pending: messages }] of this.#client.rooms.all) {
      for (const { key, text, photo, replyTo, mentions, at } of messages) pending.set(key, { room, key, text, photo: photo && { id: photo.id }, replyTo, mentions, at });
    }
    const isSame = pending.size === this.#mine.size && [...pending.keys()].every((key) => this.#mine.has(key));
    if (isSame) return;
    // Other pages keep theirs in the same list.
    const others = keptMessages(this.#token).filter(({ key }) => !this.#mine.has(key) && !pending.has(key));
    this.#mine = pending;
    keepMessages(this.#token, [...others, ...pending.values()]);
  }
}
