/**
 * What the page's modules need of a browser, as far as they work without a document. Every test imports this file
 * first, and then the page's modules by their addresses: `await import("/muster.js")`.
 *
 * Nothing here waits for real time or a real network: `PlayedClock` replaces the clock and the timers, `PlayedServer`
 * the server and its sockets.
 */
import assert from "node:assert/strict";
import { register } from "node:module";

register("./modules.mjs", import.meta.url);

// Node 18 has no CustomEvent.
globalThis.CustomEvent ??= class CustomEvent extends Event {
  constructor(type, { detail = null, ...options } = {}) {
    super(type, options);
    this.detail = detail;
  }
};

// The texts of the page are those in English.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true, writable: true });
await (await import("/app/ui/words.js")).loadWords();

export const ORIGIN = "http://played.example";

/** The time at which every played clock starts, in milliseconds since the Unix epoch. */
export const START = 1_732_060_800_000;

/** The time for which `until` waits, in played milliseconds. */
const PATIENCE = 10_000;

let waiting = 0;

/** Runs an action as a task of its own, as a browser does with each frame: promises settle before the next task. */
function enqueue(action) {
  waiting += 1;
  setImmediate(() => {
    waiting -= 1;
    action();
  });
}

/** Waits until no task is left, and no promise that does not wait for a timer. */
export async function settled() {
  do await new Promise((done) => setImmediate(done));
  while (waiting > 0);
}

/** Replaces properties of an object until the test ends. */
export function replace(test, object, values) {
  for (const [name, value] of Object.entries(values)) {
    const real = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: true });
    test.after(() => (real ? Object.defineProperty(object, name, real) : delete object[name]));
  }
}

/** Values of `localStorage` or `sessionStorage`. */
export class Storage {
  #values = new Map();

  getItem(key) {
    return this.#values.get(key) ?? null;
  }

  setItem(key, value) {
    this.#values.set(key, String(value));
  }

  removeItem(key) {
    this.#values.delete(key);
  }

  get length() {
    return this.#values.size;
  }

  key(index) {
    return [...this.#values.keys()][index] ?? null;
  }
}

/** A clock with timers that stands still until the test moves it. It replaces the real ones until the test ends. */
export class PlayedClock {
  #now = START;
  #timers = new Map();
  #last = 0;

  constructor(test) {
    const clear = (timer) => void this.#timers.delete(timer);
    replace(test, Date, { now: () => this.#now });
    replace(test, globalThis, {
      performance: { now: () => this.#now - START },
      setTimeout: (action, wait = 0) => this.#set(action, wait, null),
      setInterval: (action, wait) => this.#set(action, wait, wait),
      clearTimeout: clear,
      clearInterval: clear,
    });
  }

  /** Moves the time forward; timers fire at their times. */
  async run(milliseconds) {
    const end = this.#now + milliseconds;
    while (await this.#fireNext(end));
    this.#now = end;
  }

  /** Moves the time forward at once, as in a hidden tab: each due timer fires once, and late. */
  async jump(milliseconds) {
    await settled();
    this.#now += milliseconds;
    const due = [...this.#timers].filter(([, { at }]) => at <= this.#now).sort(([, one], [, other]) => one.at - other.at);
    for (const [id] of due) {
      this.#fire(id);
      await settled();
    }
  }

  /** Moves the time forward until a condition holds. */
  async until(condition, missing = () => `${condition}`) {
    const end = this.#now + PATIENCE;
    do {
      await settled();
      if (condition()) return;
    } while (await this.#fireNext(end));
    assert.fail(`this did not happen: ${missing()}`);
  }

  #set(action, wait, interval) {
    const id = (this.#last += 1);
    this.#timers.set(id, { action, at: this.#now + Math.max(1, wait), interval });
    return id;
  }

  async #fireNext(end) {
    await settled();
    let next = null;
    for (const [id, { at }] of this.#timers) if (at <= end && (next === null || at < this.#timers.get(next).at)) next = id;
    if (next === null) return false;
    this.#now = Math.max(this.#now, this.#timers.get(next).at);
    this.#fire(next);
    return true;
  }

  #fire(id) {
    const timer = this.#timers.get(id);
    if (!timer) return;
    if (timer.interval === null) this.#timers.delete(id);
    else timer.at = this.#now + timer.interval;
    timer.action();
  }
}

export const WELCOME = {
  type: "welcome", session: "9001", user: { id: "7", name: "Ada", avatar: null },
  device: { id: "31", ackedSeq: 0 }, at: START, tick: 1000, ping: 25000,
  limits: { frameBytes: 65536, fixesPerSecond: 10, fixesPerFrame: 200 },
  groups: [{ id: "81", name: "Climbers", role: "owner", settings: { radius: 100, dwell: 180, maxAbsent: 1, cooldown: 1800 } }],
};

/** A socket of the page to a played server. Frames pass as text and in order, never within the call that sends them. */
class PlayedSocket {
  static OPEN = 1;
  readyState = 0;
  #server;

  constructor(server, protocol) {
    this.#server = server;
    this.protocol = protocol;
    enqueue(() => {
      if (this.readyState !== 0) return;
      this.readyState = PlayedSocket.OPEN;
      this.onopen?.({});
    });
  }

  send(text) {
    assert.equal(this.readyState, PlayedSocket.OPEN, "a frame is sent on an open socket only");
    enqueue(() => this.#server.receive(this, JSON.parse(text)));
  }

  /** The page closes. */
  close(code = 1005) {
    this.closedByPage = true;
    this.end(code);
  }

  /** Either side closes. */
  end(code) {
    if (this.readyState > PlayedSocket.OPEN) return;
    this.readyState = 3;
    enqueue(() => this.onclose?.({ code }));
  }

  /** The server sends. */
  deliver(frame) {
    const data = JSON.stringify(frame);
    enqueue(() => {
      if (this.readyState === PlayedSocket.OPEN) this.onmessage?.({ data });
    });
  }
}

/** A server that records received frames and sends what the test tells it to. It answers a hello by itself. */
export class PlayedServer {
  /** The sockets and the received frames, oldest first. */
  sockets = [];
  frames = [];
  /** The last acknowledged fix in the next welcome. */
  acked = 0;
  /** The code with which a hello is answered instead of a welcome; null for a welcome. */
  closesWith = null;
  #clock;

  constructor(test, clock) {
    this.#clock = clock;
    const server = this;
    replace(test, globalThis, {
      WebSocket: class extends PlayedSocket {
        constructor(address, protocol) {
          assert.equal(String(address), "ws://played.example/v1/ws");
          super(server, protocol);
          server.sockets.push(this);
        }
      },
    });
  }

  receive(socket, frame) {
    this.frames.push(frame);
    if (frame.type !== "hello") return;
    if (this.closesWith !== null) socket.end(this.closesWith);
    else socket.deliver({ ...WELCOME, device: { id: "31", ackedSeq: this.acked } });
  }

  /** Sends frames on the newest socket. */
  say(...frames) {
    for (const frame of frames) this.sockets.at(-1).deliver(frame);
  }

  /** Closes the newest socket. */
  close(code) {
    this.sockets.at(-1).end(code);
  }

  /** The received frames of a type. */
  sent(type) {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** Waits for the `count`-th frame of a type, and returns it. */
  async received(type, count = 1) {
    await this.#clock.until(() => this.sent(type).length >= count, () => `${count} × ${type} in ${JSON.stringify(this.frames)}`);
    return this.sent(type)[count - 1];
  }

  /** Answers the `count`-th request of a type with `ok`, and returns the request. */
  async answer(type, count, fields) {
    const asked = await this.received(type, count);
    this.say({ type: "ok", id: asked.id, ...fields });
    return asked;
  }
}

/**
 * A client that is live on a played server: `{clock, server, client, told, storage}`.
 *
 * `told` collects the events of the client as `[type, detail]`. `last`: the snapshot of an earlier client.
 */
export async function play(test, { on, last, ...options } = {}) {
  const clock = on?.clock ?? new PlayedClock(test);
  const server = new PlayedServer(test, clock);
  const storage = on?.storage ?? new Storage();
  const { Client } = await import("/muster.js");
  const client = new Client({ url: ORIGIN, token: "t", device: { key: "web-1", kind: "browser" }, storage, random: () => 0.01, ...options });
  const told = [];
  for (const type of ["state", "alert", "problem", "groups", "seen", "tiles", "new_spot", "spot_changed", "spot_gone"]) {
    client.addEventListener(type, ({ detail }) => told.push([type, detail]));
  }
  if (last) client.restore(JSON.parse(JSON.stringify(last)));
  client.start();
  await clock.until(() => client.status.state === "live");
  test.after(() => client.stop());
  return { clock, server, client, told, storage };
}
