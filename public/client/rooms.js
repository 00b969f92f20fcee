import { Room } from "./room.js";

/** The number of messages in a page of the history. */
const PAGE = 50;

/** The default delay before a failed request is tried again, in milliseconds. */
const AGAIN = 3_000;

/** The minimum interval between read receipts of one room, in milliseconds. */
const PACE = 1_000;

/** Temporary failures, after which a request is tried again. */
const PASSING = new Set(["connection_lost", "timeout", "unavailable", "stopped"]);

/**
 * The rooms of one user, kept equal to the server's state over reconnects:
 *
 * 1. A push that does not exceed the client's version is dropped; one that begins above it leaves a gap. Otherwise its
 *    messages are stored by their numbers. A push of another epoch clears the cache.
 * 2. A gap is filled by `chat.changes`, one request at a time, until the client's version reaches the highest known
 *    one.
 * 3. A sent message has a key and is sent again under it until the server answers. Read receipts are repeated likewise.
 * 4. A message fails if the server refuses it, or if a live connection leaves it unanswered; the next message is then
 *    sent. The next connection, or the user, sends an unanswered message again under its key.
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
  #marking = new Set();
  #keys = 0;
  /** Timers of retries, by action and room: one room does not wait for another. */
  #timers = new Map();
  /** Rooms by id. */
  all = new Map();
  /** The room that is reported as visible, or null. */
  focused = null;
  /** The users whom the user blocks. */
  blocked = new Set();

  /**
   * @param {object} options
   * @param {(type: string, fields: object) => Promise<object>} options.ask sends a request
   * @param {(type: string, detail: object) => void} options.tell receives `rooms`, `chat` and `typing`
   * @param {() => string} options.me the user's own id
   * @param {() => number} options.now the server's time
   */
  constructor({ ask, tell, me, now }) {
    this.#ask = ask;
    this.#tell = tell;
    this.#me = me;
    this.#now = now;
  }

  /** The versions of all rooms for the hello. */
  get resume() {
    return Object.fromEntries([...this.all].map(([id, room]) => [id, room.resume]));
  }

  /** The state of all rooms as plain data, each with up to `most` messages; for `restore`. */
  snapshot(most) {
    return [...this.all.values()].filter(({ epoch }) => epoch !== null).map((room) => room.snapshot(most));
  }

  /** Takes over the state of a `snapshot`, before the first connection. */
  restore(rooms) {
    for (const snapshot of rooms) {
      const room = this.#make(snapshot.status.room);
      room.restore(snapshot);
      this.all.set(room.id, room);
    }
  }

  /**
   * Takes over a pending message of an earlier page: it is sent under its key, unless it is in the log.
   * @returns {boolean} whether its room is known
   */
  adopt(id, message) {
    const room = this.all.get(id);
    if (!room) return false;
    const isKnown = room.pending.some(({ key }) => key === message.key) || room.log.some(({ key, from }) => key === message.key && from?.id === this.#me());
    if (isKnown) return true;
    room.pending.push({ ...message, state: "pending", error: null });
    this.#tell("chat", { room: id, news: [] });
    void this.#flush(room);
    return true;
  }

  #make(id) {
    return new Room(id, { me: () => this.#me(), isIgnored: (user) => this.blocked.has(user) });
  }

  /** The number of unread messages in all rooms that are not muted. */
  get unread() {
    return [...this.all.values()].reduce((sum, room) => sum + (room.muted === "all" ? 0 : room.unread), 0);
  }

  /** Applies a frame; returns whether it was about rooms. */
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
        this.#readElsewhere(frame);
        this.#tell("rooms", { changed: [frame.room] });
        return true;
      case "typing":
        this.all.get(frame.room)?.noteTyping(frame.users.filter((user) => user !== this.#me()), this.#now());
        this.#tell("typing", { room: frame.room });
        return true;
    }
    return false;
  }

  /** Sends pending messages and fills gaps on a new connection. */
  resumed() {
    this.#isLive = true;
    this.#forgetTimers();
    for (const id of this.#wanted.keys()) void this.#fill(id);
    for (const room of this.all.values()) {
      // The old connection may have been dead without a close.
      for (const message of room.pending) if (message.error?.code === "timeout") Object.assign(message, { state: "pending", error: null });
      void this.#flush(room);
      void this.#tellRead(room);
    }
  }

  /** Stops all retries after a lost connection. */
  lost() {
    this.#isLive = false;
    this.#forgetTimers();
  }

  /** Cancels all timers. */
  close() {
    this.#forgetTimers();
  }

  // Actions of the user

  /** Sends a message: it is in `pending` at once, and in the log when the server has accepted it. Returns its key. */
  say(id, { text = null, photo = null, replyTo = null, mentions = [] }) {
    const room = this.all.get(id);
    const key = `${Date.now().toString(36)}-${(++this.#keys).toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;
    room.pending.push({ key, text, photo, replyTo, mentions, at: this.#now(), state: "pending", error: null });
    this.#tell("chat", { room: id, news: [] });
    void this.#flush(room);
    return key;
  }

  /** Sends a failed message again, under the same key. */
  sayAgain(id, key) {
    const room = this.all.get(id);
    const message = room?.pending.find((each) => each.key === key);
    if (!message) return;
    Object.assign(message, { state: "pending", error: null });
    this.#tell("chat", { room: id, news: [] });
    void this.#flush(room);
  }

  /** Discards a failed message. */
  discard(id, key) {
    const room = this.all.get(id);
    if (!room) return;
    room.pending = room.pending.filter((each) => each.key !== key);
    this.#tell("chat", { room: id, news: [] });
  }

  /** Loads the newest page of a room, unless one is cached. */
  async open(id) {
    const room = this.all.get(id);
    if (!room || room.isHeld || room.isReading) return;
    room.isReading = true;
    try {
      // A page of another epoch does not belong to this room.
      while (!room.isHeld && this.all.get(id) === room) await this.#newest(room);
    } finally {
      room.isReading = false;
      if (!room.isHeld) room.messages.clear();
    }
  }

  /** Loads the page before the cached messages. */
  async older(id) {
    const room = this.all.get(id);
    if (!room?.hasOlder || room.isReadingOlder) return;
    const { epoch } = room;
    let page = null;
    room.awaitOlder();
    try {
      page = (await this.#ask("chat.history", { room: id, limit: PAGE, before: room.oldest })).messages;
    } finally {
      if (room.epoch === epoch) room.prepend(page);
    }
    this.#tell("chat", { room: id, news: [] });
  }

  /** Records that the user has read up to a message, and schedules the read receipt to the server. */
  markRead(id, seq) {
    const room = this.all.get(id);
    if (!room || (seq <= room.read && room.unread === 0)) return;
    room.markRead(seq);
    this.#tell("rooms", { changed: [id] });
    void this.#tellRead(room);
  }

  /** Changes the user's `muted` setting of a room, or, as its host, its `slow` setting. */
  async set(id, fields) {
    const { muted, slow } = (await this.#ask("room.set", { room: id, ...fields })).room;
    const room = this.all.get(id);
    if (!room) return;
    // The room's version arrives in a separate frame.
    Object.assign(room, { muted, slow });
    this.#tell("rooms", { changed: [id] });
  }

  /** Applies a changed title, host or start of an event to its room. */
  noteEvent({ id, title, host, startsAt }) {
    const room = this.all.get(id);
    if (!room?.event) return;
    room.event = { title, host: host.id, startsAt };
    this.#tell("rooms", { changed: [id] });
  }

  /** Records that the user blocks or unblocks a user. */
  setBlocked(user, isBlocked) {
    if (isBlocked) this.blocked.add(user);
    else this.blocked.delete(user);
    this.ignoreAnew();
    this.#tell("rooms", { changed: [...this.all.keys()] });
  }

  /** Applies the current set of blocked users to all rooms. */
  ignoreAnew() {
    for (const room of this.all.values()) room.ignoreAnew();
  }

  // Handling of frames

  #takeRooms(statuses) {
    for (const status of statuses) {
      if (status.gone) {
        this.all.delete(status.room);
        this.#wanted.delete(status.room);
        continue;
      }
      const known = this.all.get(status.room);
      const room = known ?? this.#make(status.room);
      if (known && known.epoch !== status.epoch) this.#wanted.delete(status.room);
      // For a cached room, `chat` or `chat_gap` delivers the messages in between.
      room.take(status);
      this.all.set(status.room, room);
      void this.#tellRead(room);
    }
    this.#tell("rooms", { changed: statuses.map(({ room }) => room) });
  }

  #push({ room: id, epoch, after, upTo, messages }) {
    const room = this.#heardOf(id, epoch, after);
    if (!room || upTo <= room.version) return;
    if (after > room.version) return this.#want(id, upTo);
    this.#put(room, messages, upTo);
  }

  #gap({ room: id, epoch, upTo }) {
    const room = this.#heardOf(id, epoch, upTo);
    if (room && upTo > room.version) this.#want(id, upTo);
  }

  // A frame of another epoch resets the room at that version.
  #heardOf(id, epoch, version) {
    const room = this.all.get(id);
    if (room && room.epoch !== epoch) {
      this.#wanted.delete(id);
      room.forget(epoch, version);
      this.#tell("rooms", { changed: [id] });
    }
    return room;
  }

  #put(room, messages, upTo) {
    const news = room.put(messages, upTo);
    this.#tell("chat", { room: room.id, news });
  }

  #readElsewhere({ room: id, seq, unread, mentions }) {
    const room = this.all.get(id);
    if (!room) return;
    room.readThere = Math.max(room.readThere, seq);
    room.markRead(seq, { unread, mentions });
  }

  // Sends at most one receipt per interval, with the newest position.
  async #tellRead(room) {
    const seq = room.read;
    if (!this.#isLive || seq <= room.readThere || this.#marking.has(room.id)) return;
    this.#marking.add(room.id);
    let wait = PACE;
    try {
      const { unread } = await this.#ask("chat.read", { room: room.id, seq });
      room.readThere = Math.max(room.readThere, seq);
      room.markRead(seq, { unread });
      this.#tell("rooms", { changed: [room.id] });
    } catch (error) {
      if (PASSING.has(error.code) || error.code === "rate_limited") wait = error.retryAfter ?? AGAIN;
      else room.readThere = Math.max(room.readThere, seq);
    }
    setTimeout(() => {
      this.#marking.delete(room.id);
      const known = this.all.get(room.id);
      if (known) void this.#tellRead(known);
    }, wait);
  }

  #want(id, upTo) {
    this.#wanted.set(id, Math.max(this.#wanted.get(id) ?? 0, upTo));
    void this.#fill(id);
  }

  #isHole(id) {
    return this.all.has(id) && (this.#wanted.get(id) ?? 0) > this.all.get(id).version;
  }

  async #fill(id) {
    if (this.#reading.has(id) || this.#timers.has(`changes ${id}`)) return;
    this.#reading.add(id);
    const again = (after) => this.#later(`changes ${id}`, after, () => this.#fill(id));
    try {
      while (this.#isLive && this.#isHole(id)) {
        const room = this.all.get(id);
        const { epoch, version } = room;
        const answer = await this.#ask("chat.changes", { room: id, epoch, after: version });
        if (room.epoch === epoch && answer.upTo > room.version) this.#put(room, answer.messages, answer.upTo);
        else if (room.epoch === epoch && room.version === version && !answer.more) break;
      }
      if (!this.#isHole(id)) this.#wanted.delete(id);
      else if (this.#isLive) again();
    } catch (error) {
      if (error.code === "gone" || error.code === "not_member") this.#wanted.delete(id);
      else again(error.retryAfter);
    } finally {
      this.#reading.delete(id);
    }
  }

  async #newest(room) {
    const { epoch } = room;
    const { messages, version } = await this.#ask("chat.history", { room: room.id, limit: PAGE });
    if (room.epoch !== epoch) return;
    room.begin(messages);
    // A room without a version starts at the page; later pushes are in it, or above.
    if (version > room.version) this.#want(room.id, version);
    this.#tell("chat", { room: room.id, news: [] });
  }

  // Sends one message after the other, so that the log keeps the order of sending.
  async #flush(room) {
    if (this.#sending.has(room.id) || this.#timers.has(`send ${room.id}`)) return;
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
      // The request's own key: a message that was deleted meanwhile has none.
      room.sent(key, answer.message);
      this.#tell("chat", { room: room.id, news: [] });
      return true;
    } catch (error) {
      const isSilent = error.code === "timeout" && this.#isLive;
      if ((PASSING.has(error.code) && !isSilent) || error.code === "rate_limited") {
        this.#later(`send ${room.id}`, error.retryAfter, () => this.#flush(room));
        return false;
      }
      Object.assign(message, { state: "failed", error });
      this.#tell("chat", { room: room.id, news: [] });
      return true;
    }
  }

  #later(name, after, again) {
    if (this.#timers.has(name)) return;
    this.#timers.set(name, setTimeout(() => {
      this.#timers.delete(name);
      if (this.#isLive) void again();
    }, after ?? AGAIN));
  }

  #forgetTimers() {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
