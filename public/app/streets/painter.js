/** The time after which a worker that answers nothing is replaced, in milliseconds. */
const SILENCE = 5000;

const UNLOADED = "The script that draws the map could not be loaded.";

/**
 * Requests pictures of a worker, or of the page itself where a worker cannot draw.
 *
 * A silent worker is replaced once, and its requests are sent again. A worker whose script cannot be loaded is opened
 * again with the next request.
 *
 * Events: `replaced` when the server has another map than the requests ask for.
 */
export class Painter extends EventTarget {
  #port = null;
  #requests = new Map();
  #next = 1;
  #isHeard = true;
  #isReplaced = false;
  #watch = null;

  /**
   * Requests a picture or names of the renderer.
   * @param {"picture"|"names"} kind
   * @returns {{answer: Promise<{bitmap: ImageBitmap, names?: string[]}>, cancel: () => void}} a cancelled request is
   *   never answered
   */
  request(kind, fields) {
    const id = this.#next++;
    const message = { kind, id, ...fields };
    const answer = new Promise((resolve, reject) => {
      this.#requests.set(id, { message, resolve, reject });
    });
    this.#send(message);
    return { answer, cancel: () => this.#cancel(id) };
  }

  /** Ends the worker; requests without an answer are forgotten. */
  close() {
    this.#requests.clear();
    this.#closePort();
  }

  #cancel(id) {
    if (this.#requests.delete(id)) this.#port?.send({ kind: "cancel", id });
  }

  #send(message) {
    this.#port ??= this.#open();
    this.#port.send(message);
    if (!this.#port.isWorker || this.#isReplaced || this.#watch !== null) return;
    this.#isHeard = false;
    this.#port.send({ kind: "ping" });
    this.#watch = setInterval(() => this.#check(), SILENCE);
  }

  #open() {
    const hear = (message) => this.#hear(message);
    const canDraw = "OffscreenCanvas" in globalThis && "Worker" in globalThis;
    return canDraw ? new WorkerPort(hear, () => this.#failed()) : new PagePort(hear);
  }

  #closePort() {
    clearInterval(this.#watch);
    this.#watch = null;
    this.#port?.close();
    this.#port = null;
  }

  #hear({ kind, id, error, ...drawn }) {
    this.#isHeard = true;
    if (kind === "replaced") this.dispatchEvent(new Event("replaced"));
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    if (!request) drawn.bitmap?.close();
    else if (error) request.reject(new Error(error));
    else request.resolve(drawn);
  }

  #check() {
    if (!this.#isHeard) return this.#replace();
    this.#isHeard = false;
    if (this.#requests.size > 0) return this.#port.send({ kind: "ping" });
    clearInterval(this.#watch);
    this.#watch = null;
  }

  #replace() {
    this.#isReplaced = true;
    this.#closePort();
    for (const { message } of this.#requests.values()) this.#send(message);
  }

  #failed() {
    if (!this.#isReplaced) return this.#replace();
    this.#closePort();
    const unanswered = [...this.#requests.values()];
    this.#requests.clear();
    for (const { reject } of unanswered) reject(new Error(UNLOADED));
  }
}

class WorkerPort {
  isWorker = true;
  #worker = new Worker("/app/streets/worker.js", { type: "module", name: "streets" });

  constructor(hear, fail) {
    this.#worker.addEventListener("message", ({ data }) => hear(data));
    this.#worker.addEventListener("error", fail);
  }

  send(message) {
    this.#worker.postMessage(message);
  }

  close() {
    this.#worker.terminate();
  }
}

class PagePort {
  isWorker = false;
  #hear;
  #renderer;

  constructor(hear) {
    this.#hear = hear;
    const makeCanvas = (width, height) => Object.assign(document.createElement("canvas"), { width, height });
    this.#renderer = import("./renderer.js").then(({ Renderer }) => new Renderer(hear, makeCanvas));
  }

  async send(message) {
    try {
      (await this.#renderer).handle(message);
    } catch {
      this.#hear({ id: message.id, error: UNLOADED });
    }
  }

  close() {}
}
