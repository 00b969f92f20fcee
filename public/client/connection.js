import { Backoff } from "./backoff.js";

/** Close codes after which the client must not reconnect by itself, and the reasons. */
const FINAL = new Map([
  [1003, "client"],
  [1007, "client"],
  [1009, "client"],
  [4400, "client"],
  [4401, "unauthorized"],
  [4409, "replaced"],
]);

/** Close codes that ask for a longer delay, in milliseconds. */
const REST = new Map([[4429, 30_000]]);

/**
 * The silence after which a live connection is probed, and the timeout of the probe, which is also the connect timeout.
 */
const SILENCE = 15_000;
/** The interval at which a busy connection asks for the server's time, which a `pong` contains. */
const CLOCK = 60_000;
const PATIENCE = 4_000;
const CONNECTING = 10_000;

/**
 * A sequence of WebSocket connections to the same server.
 *
 * States: `idle`, `connecting`, `live` (the server has sent `welcome`), `waiting` (for the next attempt) and `stopped`
 * (by `stop`, or because the server refuses this client). `onState` receives every change as
 * `{state, reason, retryAt}`.
 *
 * `reason` is one of `lost`, `unreachable`, `unavailable`, `refused`, `goaway`, `silent`, `offline`, `limited`, `busy`,
 * and when stopped `client`, `unauthorized`, `replaced`, `left`.
 */
export class Connection {
  #options;
  #backoff;
  #socket = null;
  #timer = null;
  #liveness = null;
  #heardAt = 0;
  /** The time of the last probe of this connection. */
  #probedAt = 0;
  /** The time of the open liveness probe; null when none is open. */
  #askedAt = null;
  #comeBackAt = null;
  #resting = false;
  #silent = false;

  /** The current state and its reason. */
  status = { state: "idle", reason: null, retryAt: null };

  /**
   * @param {object} options
   * @param {string} options.url of the server, such as `https://muster.example`
   * @param {() => object} options.hello builds the first frame of a connection
   * @param {(frame: object) => void} options.onFrame receives each frame, `welcome` included
   * @param {(status: object) => void} options.onState receives each change of state
   * @param {string} [options.protocol] the subprotocol, `muster.v1` by default
   * @param {() => number} [options.random] returns 0 … 1
   */
  constructor(options) {
    this.#options = { random: Math.random, protocol: "muster.v1", ...options };
    this.#backoff = new Backoff({ random: this.#options.random });
  }

  /** Connects, and from then on stays connected. */
  start() {
    if (this.status.state === "idle" || this.status.state === "stopped") {
      this.#backoff.reset();
      this.#connect();
    }
  }

  /** Disconnects until the next `start`. */
  stop() {
    this.#stop("left");
  }

  /**
   * Ends the current delay, for instance because the network has just come back.
   *
   * A delay that the server asked for is kept. A live connection is probed.
   */
  hurry() {
    if (this.status.state === "waiting" && !this.#resting) {
      this.#backoff.reset();
      this.#connect();
    } else if (this.status.state === "live") {
      this.#ask();
    }
  }

  /** Closes the connection after a loss of the network, without waiting for the silence timeout. `hurry` reconnects. */
  goOffline() {
    if (this.status.state !== "live" && this.status.state !== "connecting") return;
    clearInterval(this.#liveness);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#wait(this.#backoff.next(), "offline");
  }

  /** Sends a frame when the connection is live. @returns {boolean} whether it was handed to the socket */
  send(frame) {
    if (this.status.state !== "live" || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#comeBackAt = null;
    this.#resting = false;
    this.#silent = false;
    const address = new URL("/v1/ws", this.#options.url);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address, this.#options.protocol);
    this.#socket = socket;
    this.#become("connecting", this.status.reason);

    let opened = false;
    socket.onopen = () => {
      opened = true;
      socket.send(JSON.stringify(this.#options.hello()));
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(event.data);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#closed(event.code, opened);
    };
    this.#heardAt = performance.now();
    this.#probedAt = this.#heardAt;
    this.#askedAt = null;
    this.#liveness = setInterval(() => this.#checkLiveness(), 1000);
  }

  #receive(data) {
    this.#heardAt = performance.now();
    this.#askedAt = null;
    let frame;
    try {
      frame = JSON.parse(data);
    } catch {
      return;
    }
    if (frame.type === "welcome") {
      this.#backoff.reset();
      this.#become("live", null);
    } else if (frame.type === "goaway") {
      const wait = frame.retryAfter + this.#options.random() * frame.jitter;
      this.#comeBackAt = Date.now() + wait;
    }
    this.#options.onFrame(frame);
  }

  // A browser does not expose the server's WebSocket pings to scripts, so a frame probes a silent connection.
  // Only a missing answer ends the connection. The timer of a hidden tab fires once a minute, so silence alone proves
  // nothing.
  #checkLiveness() {
    const now = performance.now();
    const overdue = this.#comeBackAt !== null && Date.now() >= this.#comeBackAt;
    const unanswered = this.#askedAt !== null && now - this.#askedAt > PATIENCE;
    const stuck = this.status.state === "connecting" && now - this.#heardAt > CONNECTING;
    if (overdue || unanswered || stuck) {
      this.#giveUp();
    } else if (this.status.state === "live" && this.#askedAt === null) {
      if (now - this.#heardAt > SILENCE || now - this.#probedAt > CLOCK) this.#ask();
    }
  }

  #ask() {
    this.#probedAt = performance.now();
    this.#askedAt ??= this.#probedAt;
    this.send({ type: "ping" });
  }

  #giveUp() {
    const socket = this.#socket;
    this.#silent = this.#comeBackAt === null;
    // A dead network may delay the closing handshake for minutes, so the connection counts as closed now.
    this.#socket = null;
    socket?.close();
    this.#closed(1006, true);
  }

  async #closed(code, opened) {
    clearInterval(this.#liveness);
    this.#socket = null;
    if (FINAL.has(code)) {
      this.#stop(FINAL.get(code));
    } else if (this.#comeBackAt !== null) {
      this.#resting = true;
      this.#wait(Math.max(0, this.#comeBackAt - Date.now()), "goaway");
    } else if (REST.has(code)) {
      this.#resting = true;
      this.#wait(REST.get(code) + this.#backoff.next(), "limited");
    } else if (code === 1006 && !opened) {
      // The browser hides why the upgrade was refused; the readiness endpoint tells more.
      const wait = this.#backoff.next();
      this.#wait(wait, this.status.reason ?? "unreachable");
      const attempt = this.#timer;
      const { reason, after } = await this.#askReadiness();
      if (this.#timer === attempt && this.status.state === "waiting") this.#wait(Math.max(wait, after), reason);
    } else {
      const reasons = { 4503: "unavailable", 4413: "busy", 4408: "silent" };
      this.#wait(this.#backoff.next(), this.#silent ? "silent" : (reasons[code] ?? "lost"));
    }
  }

  async #askReadiness() {
    try {
      const answer = await fetch(new URL("/readyz", this.#options.url), { cache: "no-store" });
      const seconds = Number(answer.headers.get("Retry-After"));
      const after = seconds > 0 ? seconds * 1000 * (1 + this.#options.random()) : 0;
      return { reason: answer.ok ? "refused" : "unavailable", after };
    } catch {
      return { reason: "unreachable", after: 0 };
    }
  }

  #wait(milliseconds, reason) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), milliseconds);
    this.#become("waiting", reason, Date.now() + milliseconds);
  }

  #stop(reason) {
    clearTimeout(this.#timer);
    clearInterval(this.#liveness);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
    this.#become("stopped", reason);
  }

  #become(state, reason, retryAt = null) {
    this.status = { state, reason, retryAt };
    this.#options.onState(this.status);
  }
}
