import { MusterError } from "./http.js";

/** The timeout of a request in milliseconds, connecting included. */
const TIMEOUT = 15_000;

/**
 * The pending requests of one client.
 *
 * A request made while disconnected waits for the connection. A request whose connection is lost before the answer
 * fails, because its outcome is unknown.
 */
export class Requests {
  #send;
  #isStopped;
  #pending = new Map();
  #waiting = new Set();
  #last = 0;

  /**
   * @param {(frame: object) => boolean} send returns whether the frame was sent
   * @param {() => boolean} isStopped whether the client will not reconnect by itself
   */
  constructor(send, isStopped) {
    this.#send = send;
    this.#isStopped = isStopped;
  }

  /** Sends a request and returns the fields of its `ok`. @returns {Promise<object>} rejected with a `MusterError` */
  make(type, fields = {}, { timeout = TIMEOUT } = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      const request = { id, frame: { type, id, ...fields }, resolve, reject, timer: null };
      request.timer = setTimeout(() => {
        this.#pending.delete(id);
        this.#waiting.delete(request);
        reject(new MusterError({ code: "timeout", message: "The server did not answer in time.", retry: true }));
      }, timeout);
      this.#hand(request);
    });
  }

  /** Handles an `ok`: passes the request's frame to `note`, then resolves the request. */
  succeed(frame, note = () => {}) {
    this.#settle(frame.id, (request) => {
      note(request.frame);
      request.resolve(frame);
    });
  }

  /** Handles an `error`; returns whether it answers a request. */
  fail(frame, error) {
    return frame.id !== undefined && this.#settle(frame.id, (request) => request.reject(error));
  }

  /** Sends the waiting requests on a new connection. */
  resume() {
    for (const request of this.#waiting) {
      this.#waiting.delete(request);
      this.#hand(request);
    }
  }

  /** Fails the sent requests after a lost connection; when the client has stopped, the waiting ones fail too. */
  lose() {
    const requests = [...this.#pending.values()];
    this.#pending.clear();
    if (this.#isStopped()) {
      requests.push(...this.#waiting);
      this.#waiting.clear();
    }
    for (const request of requests) {
      clearTimeout(request.timer);
      request.reject(
        new MusterError({ code: "connection_lost", message: "The connection was lost before the answer.", retry: true }),
      );
    }
  }

  #hand(request) {
    if (this.#isStopped()) {
      clearTimeout(request.timer);
      request.reject(new MusterError({ code: "stopped", message: "The connection has ended." }));
    } else if (this.#send(request.frame)) {
      this.#pending.set(request.id, request);
    } else {
      this.#waiting.add(request);
    }
  }

  #settle(id, finish) {
    const request = this.#pending.get(id);
    if (!request) return false;
    this.#pending.delete(id);
    clearTimeout(request.timer);
    finish(request);
    return true;
  }
}
