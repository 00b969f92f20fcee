import { Connection } from "./connection.js";
import { MusterError } from "./http.js";
import { Requests } from "./requests.js";

/**
 * A watch connected to a Muster server by `muster.watch.v1`: told glances only, each all that a wrist shows, and able to
 * ask what a watch may, such as `spot.vote` and `seen`. It reconnects by itself.
 *
 * ```js
 * const watch = new WatchClient({ url: location.origin, token, device: { key: "watch-1", kind: "watch" } });
 * watch.addEventListener("glance", ({ detail }) => show(detail));
 * watch.start();
 * ```
 *
 * Events, what is told is in `detail`: `state` as in `Client`, `glance`, `located`, `locate_expired`, and `problem`, a
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
   * @param {() => number} [options.random] gives 0 … 1
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

  /** What the connection is doing: `{state, reason, retryAt}`. */
  get status() {
    return this.#connection.status;
  }

  /** Connects, and stays connected until `stop` or until the server does not want this watch back. */
  start() {
    this.#connection.start();
  }

  /** Leaves; requests that wait fail. */
  stop() {
    this.#connection.stop();
  }

  /** Tries at once instead of waiting, or checks that a live connection still is. */
  hurry() {
    this.#connection.hurry();
  }

  /** The network is gone, as the browser says. */
  goOffline() {
    this.#connection.goOffline();
  }

  /** Asks for something, as in `Client`. @returns {Promise<object>} rejected with a `MusterError` */
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
