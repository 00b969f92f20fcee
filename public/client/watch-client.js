import { Connection } from "./connection.js";
import { MusterError } from "./http.js";
import { Requests } from "./requests.js";

/**
 * A watch connected to a Muster server by `muster.watch.v1`. It reconnects by itself.
 *
 * It receives only glances, each with the whole contents of the watch face. It may send the requests of a watch, such
 * as `spot.vote` and `seen`.
 *
 * ```js
 * const watch = new WatchClient({ url: location.origin, token, device: { key: "watch-1", kind: "watch" } });
 * watch.addEventListener("glance", ({ detail }) => show(detail));
 * watch.start();
 * ```
 *
 * Events, with the payload in `detail`: `state` as in `Client`, `glance`, `located`, `locate_expired`, and `problem`, a
 * `MusterError` that belongs to no request.
 */
export class WatchClient extends EventTarget {
  #connection;
  #requests = new Requests((frame) => this.#connection.send(frame), () => this.status.state === "stopped");

  /** The last glance; null before the first. */
  glance = null;

  /**
   * @param {object} options
   * @param {string} options.url of the server
   * @param {string} options.token from `signUp` or `logIn`
   * @param {{key: string, kind: string, name?: string}} options.device `key` is this watch's own stable name
   * @param {() => number} [options.random] returns 0 … 1
   */
  constructor({ url, token, device, random = Math.random }) {
    super();
    this.#connection = new Connection({
      url,
      random,
      protocol: "muster.watch.v1",
      hello: () => ({ type: "hello", token, device }),
      onFrame: (frame) => this.#receive(frame),
      onState: (status) => {
        if (status.state !== "live") this.#requests.lose();
        this.#tell("state", status);
      },
    });
  }

  /** The state of the connection: `{state, reason, retryAt}`. */
  get status() {
    return this.#connection.status;
  }

  /** Connects, and stays connected until `stop` or until the server refuses further connections. */
  start() {
    this.#connection.start();
  }

  /** Disconnects; pending requests fail. */
  stop() {
    this.#connection.stop();
  }

  /** Reconnects at once instead of waiting, or checks that a live connection still answers. */
  hurry() {
    this.#connection.hurry();
  }

  /** Reports that the browser has lost the network. */
  goOffline() {
    this.#connection.goOffline();
  }

  /** Sends a request, as in `Client`. @returns {Promise<object>} rejected with a `MusterError` */
  request(type, fields, options) {
    return this.#requests.make(type, fields, options);
  }

  #receive(frame) {
    switch (frame.type) {
      case "welcome":
        return this.#requests.resume();
      case "ok":
        return this.#requests.succeed(frame);
      case "error": {
        const error = new MusterError(frame);
        if (!this.#requests.fail(frame, error)) this.#tell("problem", error);
        return;
      }
      case "glance":
        this.glance = frame;
        return this.#tell("glance", frame);
      case "located":
      case "locate_expired":
        return this.#tell(frame.type, frame);
    }
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
