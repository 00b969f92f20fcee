import { MusterError } from "./http.js";

/** Requests wait this long for their answer, connecting included. */
const TIMEOUT = 15_000;

/**
 * The requests of one client, each until its answer. One that is made while not connected waits for the connection;
 * one whose connection is lost before the answer fails, because nobody can say whether it was done.
 */
export class Requests {
  #send;
  #isStopped;
  #pending = new Map();
  #waiting = new Set();
  #last = 0;

  /**
   * @param {(frame: object) => boolean} send gives whether the frame was sent
   * @param {() => boolean} isStopped whether there will be no connection by itself
   */
  constructor(send, isStopped) {
    this.#send = send;
    this.#isStopped = isStopped;
  }

  /** Asks, and gives the fields of the `ok`. @returns {Promise<object>} rejected with a `MusterError` */
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

  /** An `ok` has come: what was asked is told to `note` before who asked goes on. */
  succeed(frame, note = () => {}) {
    this.#settle(frame.id, (request) => {
      note(request.frame);
      request.resolve(frame);
    });
  }

  /** An `error` has come; gives whether it answers a request. */
  fail(frame, error) {
    return frame.id !== undefined && this.#settle(frame.id, (request) => request.reject(error));
  }

  /** A new connection: what waited is asked now. */
  resume() {
    for (const request of this.#waiting) {
      this.#waiting.delete(request);
      this.#hand(request);
    }
  }

  /** The connection is gone; when the client has stopped, what waits fails too. */
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
