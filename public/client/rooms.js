import { Room } from "./room.js";

/** How many messages a page of the past has. */
const PAGE = 50;

/** After this long what could not be sent is tried again, in milliseconds. */
const AGAIN = 3_000;

/** Failures that may pass: what one said stays and is sent again, under the same key. */
const PASSING = new Set(["connection_lost", "timeout", "unavailable", "stopped"]);

/**
 * The rooms of one person, kept as the server has them over reconnects:
 *
 * 1. A push that does not reach above one's own version is dropped; one that begins above it is a hole. Else its messages
 *    are put by their numbers.
 * 2. A hole is read by `chat.changes`, one request at a time, until one's own version reaches the highest that was heard of.
 * 3. What one says has a key, and is sent again under it until the server has answered.
 */
export class Rooms {
  #ask;
  #tell;
  #me;
  #now;
  #isLive = false;
  #wanted = new Map();
  #reading = new Set();
  #sending = new Set();
  #keys = 0;
  #timer = null;
  /** Rooms by id. */
  all = new Map();
  /** The room that is said to be on the screen, or null. */
  focused = null;
  /** People whom one does not want to hear of. */
  blocked = new Set();

  /**
   * @param {object} options
   * @param {(type: string, fields: object) => Promise<object>} options.ask sends a request
   * @param {(type: string, detail: object) => void} options.tell told `rooms`, `chat` and `typing`
   * @param {() => string} options.me one's own id
   * @param {() => number} options.now the server's time
   */
  constructor({ ask, tell, me, now }) {
    this.#ask = ask;
    this.#tell = tell;
    this.#me = me;
    this.#now = now;
  }

  /** What the hello says that one holds. */
  get resume() {
    return Object.fromEntries([...this.all].map(([id, room]) => [id, room.resume]));
  }

  /** How much is unread in all rooms that are not muted. */
  get unread() {
    return [...this.all.values()].reduce((sum, room) => sum + (room.muted === "all" ? 0 : room.unread), 0);
  }

  /** Takes in a frame; gives whether it was about rooms. */
  receive(frame) {
    switch (frame.type) {
      case "rooms":
        this.#takeRooms(frame.rooms);
        return true;
      case "chat":
        this.#push(frame);
        return true;
      case "chat_gap":
        this.#gap(frame);
        return true;
      case "chat_read":
        this.all.get(frame.room)?.markRead(frame.seq, frame);
        this.#tell("rooms", { changed: [frame.room] });
        return true;
      case "typing":
        this.all.get(frame.room)?.noteTyping(frame.users.filter((user) => user !== this.#me()), this.#now());
        this.#tell("typing", { room: frame.room });
        return true;
    }
    return false;
  }

  /** A new connection: what waits is sent, and holes are read. */
  resumed() {
    this.#isLive = true;
    for (const id of this.#wanted.keys()) void this.#fill(id);
    for (const room of this.all.values()) void this.#flush(room);
  }

  /** The connection is gone. */
  lost() {
    this.#isLive = false;
  }

  /** Frees everything. */
  close() {
    clearTimeout(this.#timer);
  }

  // What one does

  /** Says something: it is in `pending` at once, and in the log when the server has it. Gives its key. */
  say(id, { text = null, photo = null, replyTo = null, mentions = [] }) {
    const room = this.all.get(id);
    const key = `${Date.now().toString(36)}-${(++this.#keys).toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;
    room.pending.push({ key, text, photo, replyTo, mentions, at: this.#now(), state: "pending", error: null });
    this.#tell("chat", { room: id, news: [] });
    void this.#flush(room);
    return key;
  }

  /** Sends again what was refused, under the same key. */
  sayAgain(id, key) {
    const room = this.all.get(id);
    const message = room?.pending.find((each) => each.key === key);
    if (!message) return;
    Object.assign(message, { state: "pending", error: null });
    this.#tell("chat", { room: id, news: [] });
    void this.#flush(room);
  }

  /** Gives up what was refused. */
  discard(id, key) {
    const room = this.all.get(id);
    if (!room) return;
    room.pending = room.pending.filter((each) => each.key !== key);
    this.#tell("chat", { room: id, news: [] });
  }

  /** Reads the newest page of a room, unless one is held. */
  async open(id) {
    const room = this.all.get(id);
    if (!room || room.isHeld || room.isReading) return;
    room.isReading = true;
    try {
      await this.#page(room, {});
    } finally {
      room.isReading = false;
      if (!room.isHeld) room.messages.clear();
    }
  }

  /** Reads the page before what is held. */
  async older(id) {
    const room = this.all.get(id);
    if (room?.hasOlder) await this.#page(room, { before: room.oldest });
  }

  /** Notes that one has read up to a message, here and on the server. */
  async markRead(id, seq) {
    const room = this.all.get(id);
    if (!room || (seq <= room.read && room.unread === 0)) return;
    room.markRead(seq);
    this.#tell("rooms", { changed: [id] });
    await this.#ask("chat.read", { room: id, seq });
  }

  /** Takes over how an event is called now, and whose it is. */
  noteEvent({ id, title, host, startsAt }) {
    const room = this.all.get(id);
    if (!room?.event) return;
    room.event = { title, host: host.id, startsAt };
    this.#tell("rooms", { changed: [id] });
  }

  /** Notes that one does not want to hear of a person, or does again. */
  setBlocked(user, isBlocked) {
    if (isBlocked) this.blocked.add(user);
    else this.blocked.delete(user);
    this.#tell("rooms", { changed: [...this.all.keys()] });
  }

  // What comes

  #takeRooms(statuses) {
    for (const status of statuses) {
      if (status.gone) {
        this.all.delete(status.room);
        this.#wanted.delete(status.room);
        continue;
      }
      const known = this.all.get(status.room);
      const room = known ?? new Room(status.room);
      // Of a room that is held, what is between comes by `chat` or `chat_gap`.
      if (!known) room.version = status.version;
      if (known && known.epoch !== status.epoch) this.#wanted.delete(status.room);
      room.take(status);
      this.all.set(status.room, room);
    }
    this.#tell("rooms", { changed: statuses.map(({ room }) => room) });
  }

  #push({ room: id, epoch, after, upTo, messages }) {
    const room = this.all.get(id);
    if (!room || room.epoch !== epoch || upTo <= room.version) return;
    if (after > room.version) return this.#want(id, upTo);
    this.#put(room, messages, upTo);
  }

  #gap({ room: id, epoch, upTo }) {
    const room = this.all.get(id);
    if (room?.epoch === epoch && upTo > room.version) this.#want(id, upTo);
  }

  #put(room, messages, upTo) {
    const news = room.put(messages, { me: this.#me(), isIgnored: (user) => this.blocked.has(user) });
    room.version = upTo;
    this.#tell("chat", { room: room.id, news });
  }

  #want(id, upTo) {
    this.#wanted.set(id, Math.max(this.#wanted.get(id) ?? 0, upTo));
    void this.#fill(id);
  }

  async #fill(id) {
    if (this.#reading.has(id)) return;
    this.#reading.add(id);
    try {
      while (this.#isLive && this.all.has(id) && (this.#wanted.get(id) ?? 0) > this.all.get(id).version) {
        const room = this.all.get(id);
        const { epoch, version } = room;
        const answer = await this.#ask("chat.changes", { room: id, epoch, after: version });
        if (room.epoch === epoch && answer.upTo > room.version) this.#put(room, answer.messages, answer.upTo);
        else if (!answer.more) break;
      }
      if ((this.#wanted.get(id) ?? 0) <= (this.all.get(id)?.version ?? 0)) this.#wanted.delete(id);
    } catch (error) {
      if (error.code === "gone" || error.code === "not_member") this.#wanted.delete(id);
      else this.#later();
    } finally {
      this.#reading.delete(id);
    }
  }

  async #page(room, span) {
    const { epoch } = room;
    const { messages, version } = await this.#ask("chat.history", { room: room.id, limit: PAGE, ...span });
    if (room.epoch !== epoch) return;
    if (span.before === undefined) room.begin(messages);
    else room.prepend(messages);
    // Who has nothing yet begins with the page; what was pushed since is in it, or above.
    if (span.before === undefined && version > room.version) this.#want(room.id, version);
    this.#tell("chat", { room: room.id, news: [] });
  }

  // One after the other, so that they are written in the order in which they were said.
  async #flush(room) {
    if (this.#sending.has(room.id)) return;
    this.#sending.add(room.id);
    try {
      let next;
      while (this.#isLive && (next = room.pending.find(({ state }) => state === "pending"))) {
        if (!(await this.#send(room, next))) break;
      }
    } finally {
      this.#sending.delete(room.id);
    }
  }

  async #send(room, message) {
    const { key, text, photo, replyTo, mentions } = message;
    const fields = { room: room.id, key, ...(text !== null && { text }), ...(photo && { photo: photo.id }), ...(replyTo && { replyTo }), ...(mentions.length > 0 && { mentions }) };
    try {
      const answer = await this.#ask("chat.send", fields);
      room.settle(answer.message, this.#me());
      if (room.isHeld || room.isReading) room.prepend([answer.message]);
      if (answer.message.seq >= (room.last?.seq ?? 0)) room.last = answer.message;
      this.#tell("chat", { room: room.id, news: [] });
      return true;
    } catch (error) {
      if (PASSING.has(error.code)) {
        this.#later();
      } else if (error.code === "rate_limited") {
        this.#later(error.retryAfter);
      } else {
        Object.assign(message, { state: "failed", error });
        this.#tell("chat", { room: room.id, news: [] });
        return true;
      }
      return false;
    }
  }

  #later(after = AGAIN) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#isLive && this.resumed(), after);
  }
}
