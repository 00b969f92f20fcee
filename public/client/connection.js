import { Backoff } from "./backoff.js";

/** Close codes after which the client must not come back by itself, and why. */
const FINAL = new Map([
  [1003, "client"],
  [1007, "client"],
  [1009, "client"],
  [4400, "client"],
  [4401, "unauthorized"],
  [4409, "replaced"],
]);

/** Close codes that ask for a longer rest, in milliseconds. */
const REST = new Map([[4429, 30_000]]);

/** A live connection is asked after this long a silence, and given up after that long without an answer; so long it may take to connect. */
const SILENCE = 15_000;
const PATIENCE = 4_000;
const CONNECTING = 10_000;

/**
 * One WebSocket after another to the same server.
 *
 * States: `idle`, `connecting`, `live` (the server has said `welcome`), `waiting` (for the next attempt) and
 * `stopped` (by `stop`, or because the server does not want this client back). Every change is told by `onState`
 * as `{state, reason, retryAt}`; `reason` is one of `lost`, `unreachable`, `unavailable`, `refused`, `goaway`,
 * `silent`, `offline`, `limited`, `busy`, and when stopped `client`, `unauthorized`, `replaced`, `left`.
 */
export class Connection {
  #options;
  #backoff;
  #socket = null;
  #timer = null;
  #liveness = null;
  #heardAt = 0;
  /** When the service was asked whether it lives; null while it needs no asking. */
  #askedAt = null;
  #comeBackAt = null;
  #resting = false;
  #silent = false;

  /** What the connection is doing, and why. */
  status = { state: "idle", reason: null, retryAt: null };

  /**
   * @param {object} options
   * @param {string} options.url of the server, such as `https://muster.example`
   * @param {() => object} options.hello makes the first frame of a connection
   * @param {(frame: object) => void} options.onFrame told of each frame, `welcome` included
   * @param {(status: object) => void} options.onState told of each change of state
   * @param {string} [options.protocol] the subprotocol, `muster.v1` when it is left out
   * @param {() => number} [options.random] gives 0 … 1
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

  /** Leaves, for good or until `start`. */
  stop() {
    this.#stop("left");
  }

  /**
   * Does not wait any longer, for instance because the network has just come back; but a wait that the server asked
   * for is kept. A live connection is asked whether it still is.
   */
  hurry() {
    if (this.status.state === "waiting" && !this.#resting) {
      this.#backoff.reset();
      this.#connect();
    } else if (this.status.state === "live") {
      this.#ask();
    }
  }

  /** The network is gone: the connection ends now, and not when the silence has been noticed. Tried again by `hurry`. */
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

  // A browser does not show the server's WebSocket pings to scripts, so silence is asked about by a frame. Only an
  // answer that stays away ends the connection: a hidden tab looks here once a minute, and silence alone means nothing.
  #checkLiveness() {
    const now = performance.now();
    const overdue = this.#comeBackAt !== null && Date.now() >= this.#comeBackAt;
    const unanswered = this.#askedAt !== null && now - this.#askedAt > PATIENCE;
    const stuck = this.status.state === "connecting" && now - this.#heardAt > CONNECTING;
    if (overdue || unanswered || stuck) {
      this.#giveUp();
    } else if (this.status.state === "live" && this.#askedAt === null && now - this.#heardAt > SILENCE) {
      this.#ask();
    }
  }

  #ask() {
    this.#askedAt ??= performance.now();
    this.send({ type: "ping" });
  }

  #giveUp() {
    const socket = this.#socket;
    this.#silent = this.#comeBackAt === null;
    // A dead network may hold the closing handshake up for minutes: treat it as closed now.
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
      // The browser hides why the upgrade was refused; the server's readiness tells more.
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
