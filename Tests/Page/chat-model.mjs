/**
 * A naive server with one room and an unreliable link to one client: the model against which `Rooms` is tested.
 *
 * `step` runs one random event, `settle` completes all pending work. Nothing else runs by itself.
 */
import { dice } from "./dice.mjs";
import { Rooms } from "/client/rooms.js";

const ME = "7";
const BLOCKED = "13";
const OTHERS = ["8", "9", BLOCKED];
const PAGE = 50;

const rest = async () => {
  for (let turn = 0; turn < 12; turn += 1) await null;
};

export class Model {
  epoch = 1;
  version = 0;
  read = 0;
  log = [];
  /** The highest version pushed to the session. */
  sent = 0;
  isUp = false;
  up = [];
  down = [];
  timers = new Map();
  said = [];
  news = new Set();
  trouble = [];

  constructor(seed, { opens }) {
    this.random = dice(seed);
    this.opens = opens;
    this.rooms = new Rooms({
      ask: (type, fields) => new Promise((resolve, reject) => {
        const asked = { type, fields, resolve, reject };
        if (this.isUp) this.up.push(asked);
        else queueMicrotask(() => reject({ code: "connection_lost" }));
      }),
      tell: (type, { news = [] }) => {
        for (const { seq } of type === "chat" ? news : []) {
          if (this.news.has(`${this.epoch} ${seq}`)) this.trouble.push(`told twice: ${seq}`);
          this.news.add(`${this.epoch} ${seq}`);
        }
      },
      me: () => ME,
      now: () => 0,
    });
    this.rooms.blocked.add(BLOCKED);
  }

  below(count) {
    return Math.floor(this.random() * count);
  }

  // The server

  write(from, { key = null, kind = "text", text = "" } = {}) {
    const message = { seq: this.log.length + 1, version: ++this.version, key: key ?? `s${this.log.length}`, kind, from: { id: from, name: from }, at: 1, text, photo: null, replyTo: null, mentions: this.random() < 0.2 ? [ME] : [], editedAt: null, deleted: false };
    this.log.push(message);
    return message;
  }

  change(what) {
    const found = this.log.filter(({ deleted, kind }) => !deleted && kind !== "system");
    if (found.length === 0) return;
    // Mostly old messages, because those are above the page.
    const message = found[this.random() < 0.5 ? this.below(found.length) : this.below(Math.min(10, found.length))];
    const { seq, from, at } = message;
    this.log[seq - 1] = what === "edit" ? { ...message, version: ++this.version, text: `${message.text}+`, editedAt: 2 } : { seq, version: ++this.version, from, at, deleted: true };
  }

  counts({ seq, deleted, kind, from }, read = this.read) {
    return seq > read && !deleted && kind !== "system" && from.id !== ME && from.id !== BLOCKED;
  }

  get unread() {
    return this.log.filter((message) => this.counts(message));
  }

  get status() {
    const last = this.log.findLast(({ deleted, kind }) => !deleted && kind !== "system") ?? null;
    return { room: "81", epoch: `e${this.epoch}`, version: this.version, seq: this.log.length, first: 1, read: this.read, unread: Math.min(100, this.unread.length), mentions: Math.min(100, this.unread.filter(({ mentions }) => mentions.includes(ME)).length), muted: "none", slow: 0, last };
  }

  changes(after, limit = Infinity) {
    const found = this.log.filter(({ version }) => version > after).sort((a, b) => a.version - b.version);
    const messages = found.slice(0, limit);
    const more = messages.length < found.length;
    return { messages, more, upTo: more ? messages.at(-1).version : this.version };
  }

  say(frame) {
    this.down.push(() => this.rooms.receive(JSON.parse(JSON.stringify(frame))));
  }

  push() {
    if (this.sent >= this.version) return;
    // Sent messages may be sent again; a push over the limit is sent as a `chat_gap`.
    const after = this.random() < 0.3 ? Math.max(0, this.sent - this.below(4)) : this.sent;
    const epoch = `e${this.epoch}`;
    if (this.random() < 0.15) this.say({ type: "chat_gap", room: "81", epoch, upTo: this.version });
    else this.say({ type: "chat", room: "81", epoch, after, upTo: this.version, messages: this.changes(after).messages });
    this.sent = this.version;
  }

  answer({ type, fields }) {
    switch (type) {
      case "chat.send": {
        const known = this.said.find(({ key }) => key === fields.key);
        if (!known && this.random() < 0.1) throw { code: "rate_limited", retryAfter: 500 };
        const seq = known?.seq ?? this.write(ME, fields).seq;
        if (!known) this.said.push({ key: fields.key, seq });
        return { message: this.log[seq - 1], repeated: Boolean(known) };
      }
      case "chat.history": {
        const before = fields.before ?? Infinity;
        return { messages: this.log.filter(({ seq }) => seq < before).slice(-PAGE), epoch: `e${this.epoch}`, version: this.version };
      }
      case "chat.changes":
        if (fields.epoch !== `e${this.epoch}`) throw { code: "gone" };
        return this.changes(fields.after, 3);
      case "chat.read":
        this.read = Math.max(this.read, Math.min(fields.seq, this.log.length));
        return { unread: this.unread.length };
    }
  }

  // The link

  connect() {
    this.isUp = true;
    const held = JSON.parse(JSON.stringify(this.rooms.resume))["81"];
    this.rooms.resumed();
    const { status } = this;
    if (held?.epoch !== status.epoch || held.version !== status.version || held.read !== status.read) this.say({ type: "rooms", rooms: [status] });
    if (held?.epoch === status.epoch && held.version < this.version) {
      if (this.random() < 0.5) this.say({ type: "chat", room: "81", epoch: status.epoch, after: held.version, ...this.changes(held.version) });
      else this.say({ type: "chat_gap", room: "81", epoch: status.epoch, upTo: this.version });
    }
    this.sent = this.version;
  }

  /** Breaks the link: some pending requests are executed without an answer. */
  lose() {
    this.isUp = false;
    const lost = [...this.up, ...this.flying];
    for (const asked of this.up.slice(0, this.below(this.up.length + 1))) {
      try {
        this.answer(asked);
      } catch {
        // The answer is lost.
      }
    }
    this.up = [];
    this.down = [];
    this.flying.clear();
    this.rooms.lost();
    for (const { reject } of lost) reject({ code: "connection_lost" });
  }

  flying = new Set();

  serve() {
    const asked = this.up.shift();
    if (!asked) return;
    this.flying.add(asked);
    let finish;
    try {
      const answer = JSON.parse(JSON.stringify(this.answer(asked)));
      finish = () => asked.resolve(answer);
    } catch (error) {
      finish = () => asked.reject(error);
    }
    this.down.push(() => {
      this.flying.delete(asked);
      finish();
    });
  }

  deliver() {
    this.down.shift()?.();
  }

  // Time

  setTimeout(action) {
    const timer = this.timers.size === 0 ? 1 : Math.max(...this.timers.keys()) + 1;
    this.timers.set(timer, action);
    return timer;
  }

  clearTimeout(timer) {
    this.timers.delete(timer);
  }

  wait() {
    const names = [...this.timers.keys()];
    if (names.length === 0) return;
    const name = names[this.below(names.length)];
    const action = this.timers.get(name);
    this.timers.delete(name);
    action();
  }

  // What happens

  async step() {
    const dice = this.random();
    const room = this.rooms.all.get("81");
    if (dice < 0.16) this.write(OTHERS[this.below(3)], { text: "x", kind: this.random() < 0.1 ? "system" : "text" });
    else if (dice < 0.22) this.change("edit");
    else if (dice < 0.3) this.change("delete");
    else if (dice < 0.42) this.isUp && this.push();
    else if (dice < 0.55) this.serve();
    else if (dice < 0.78) this.isUp && this.deliver();
    else if (dice < 0.82) this.wait();
    else if (dice < 0.88) room && this.rooms.say("81", { text: "mine" });
    else if (dice < 0.92) this.opens && void this.rooms.open("81").catch(() => {});
    else if (dice < 0.95) room?.isHeld && void this.rooms.older("81").catch(() => {});
    else if (dice < 0.965) this.readHere(room);
    else if (dice < 0.97) this.readElsewhere();
    else if (dice < 0.973) this.renumber();
    else if (this.isUp) this.lose();
    else this.connect();
    await rest();
  }

  // The server counts unread messages later than it answers, so a client that lacks unread messages reads up to the
  // end.
  readHere(room) {
    if (!room?.isHeld || room.newest === null || room.newest < room.seq) return;
    this.rooms.markRead("81", room.newest - (room.oldest <= room.read + 1 ? this.below(3) : 0));
  }

  readElsewhere() {
    if (!this.isUp) return;
    this.push();
    // The frame does not say up to which message it counts, so its count is exact only for a client that is current.
    const isCurrent = this.down.length === 0 && this.rooms.all.get("81")?.version === this.version;
    this.read = Math.max(this.read, this.log.length - (isCurrent ? this.below(5) : 0));
    const { unread, mentions } = this.status;
    this.say({ type: "chat_read", room: "81", seq: this.read, unread, mentions });
  }

  renumber() {
    this.epoch += 1;
    this.version += 7;
    this.log = this.log.map((message) => ({ ...message, version: message.version + 7 }));
    if (!this.isUp) return;
    this.say({ type: "rooms", rooms: [this.status] });
    this.sent = this.version;
  }

  async settle() {
    if (!this.isUp) this.connect();
    for (let turn = 0; turn < 4000; turn += 1) {
      // As the page does: an open room whose messages are no longer cached is read again.
      const room = this.rooms.all.get("81");
      if (this.opens && room && !room.isHeld && !room.isReading) void this.rooms.open("81").catch(() => {});
      this.push();
      this.serve();
      this.deliver();
      if (turn % 3 === 0) this.wait();
      await rest();
      if (this.up.length + this.down.length + this.flying.size + this.timers.size === 0 && this.sent === this.version && (!this.opens || room?.isHeld)) return;
    }
    this.trouble.push("it never comes to rest");
  }

  /** The differences between client and server after all pending work is complete. */
  get differences() {
    const found = [...this.trouble];
    const room = this.rooms.all.get("81");
    if (room.pending.length > 0) found.push(`pending: ${room.pending.length}`);
    if (new Set(this.said.map(({ key }) => key)).size !== this.log.filter(({ from }) => from.id === ME).length) found.push("said twice, or not at all");
    if (room.version !== this.version || room.epoch !== `e${this.epoch}`) found.push(`version ${room.version} of ${this.version}`);
    if (room.isHeld) {
      const wanted = this.log.slice((room.oldest ?? 1) - 1);
      if (JSON.stringify(room.log) !== JSON.stringify(wanted)) found.push(`log: ${room.log.map(({ seq, version }) => `${seq}.${version}`)} for ${wanted.map(({ seq, version }) => `${seq}.${version}`)}`);
    } else if (this.opens) found.push("not held");
    if (room.read !== this.read) found.push(`read ${room.read}, ${this.read} on the server`);
    if (room.unread !== this.unread.length) found.push(`unread ${room.unread} for ${this.unread.length}`);
    return found;
  }
}

/** Runs one seed and returns the final differences. */
export async function tried(seed, options) {
  const model = new Model(seed, options);
  const real = [globalThis.setTimeout, globalThis.clearTimeout];
  globalThis.setTimeout = (action) => model.setTimeout(action);
  globalThis.clearTimeout = (timer) => model.clearTimeout(timer);
  try {
    for (let turn = 0; turn < 40; turn += 1) model.write(OTHERS[turn % 3], { text: "old" });
    if (options.long) for (let turn = 0; turn < 120; turn += 1) model.write(OTHERS[turn % 3], { text: "older" });
    model.read = model.log.length - model.below(20);
    model.connect();
    for (let turn = 0; turn < 250; turn += 1) await model.step();
    await model.settle();
    return model.differences;
  } finally {
    [globalThis.setTimeout, globalThis.clearTimeout] = real;
  }
}
