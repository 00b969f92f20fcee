import { FixQueue } from "./fix-queue.js";
import { SignificantChange } from "./significant-change.js";
import { TokenBucket } from "./token-bucket.js";

/** How many fixes go in one frame until the server names its own limit. */
const FIXES_PER_FRAME = 200;

/** One device's fixes on their way to the server: at its pace, kept until acknowledged, and when saving only significant ones. */
export class FixReporter {
  #options;
  #queue;
  #bucket = new TokenBucket({ rate: 9, burst: 300 });
  #fixesPerFrame = FIXES_PER_FRAME;
  #timer = null;
  #isSaving = false;
  #change = new SignificantChange((fix) => this.#add({ ...fix, trigger: "significant" }));

  /** When the last fix was handed on to be sent, by the server's time; null before. */
  reportedAt = null;

  /**
   * @param {object} options
   * @param {number} [options.capacity] of the queue, see `FixQueue`
   * @param {number} options.lastSeq the highest number used by an earlier run
   * @param {(seq: number) => void} options.keepSeq keeps the highest number used
   * @param {(frame: object) => void} options.send
   * @param {() => boolean} options.isLive whether frames can be sent
   * @param {() => number} options.now the server's time
   */
  constructor(options) {
    this.#options = options;
    this.#queue = new FixQueue({ capacity: options.capacity, lastSeq: options.lastSeq });
  }

  /** How many fixes are not acknowledged, and how many the bounded queue has given up. */
  get backlog() {
    return { length: this.#queue.length, dropped: this.#queue.dropped };
  }

  /** Whether only significant changes go out. */
  get isSaving() {
    return this.#isSaving;
  }

  set isSaving(isSaving) {
    this.#isSaving = isSaving;
    this.#change.rest();
  }

  /** Reports a fix, see `Client`. */
  report(fix, { answer } = {}) {
    const taken = { at: Math.round(this.#options.now()), ...fix };
    if (this.#isSaving && answer === undefined) return this.#change.offer(taken);
    this.#change.went(taken);
    this.#add(answer === undefined ? taken : { ...taken, trigger: "answer", answer });
    return true;
  }

  /** Says that one is still where one was, see `Client`. */
  reportStillHere({ at, trigger, ...fix }) {
    if (!this.#options.isLive()) return false;
    this.#change.went(fix);
    this.#add({ ...fix, trigger: "ping" });
    return true;
  }

  /** The server has everything up to a number. */
  acknowledge(seq) {
    this.#queue.acknowledge(seq);
    this.#options.keepSeq(this.#queue.lastSeq);
  }

  /** The server will never take this one. */
  refuse(seq) {
    this.#queue.refuse(seq);
  }

  /** The server asks for all above a number once more. */
  resendAfter(seq) {
    this.#queue.resendAfter(seq);
    this.flush();
  }

  /** A new connection: what the server has, and how much it takes. */
  resume(ackedSeq, { fixesPerFrame, fixesPerSecond: rate }) {
    this.#fixesPerFrame = fixesPerFrame;
    // A little under the server's own rate: a long backlog then flows in without ever being held against us.
    this.#bucket = new TokenBucket({ rate: rate * 0.9, burst: rate * 30 });
    this.#queue.resume(ackedSeq);
  }

  /** Sends what waits, as far as the pace allows, and the rest in its time. */
  flush() {
    clearTimeout(this.#timer);
    while (this.#options.isLive() && this.#queue.hasUnsent) {
      const room = Math.min(this.#bucket.available(performance.now()), this.#fixesPerFrame);
      if (room < 1) {
        this.#timer = setTimeout(() => this.flush(), Math.max(50, this.#bucket.wait));
        return;
      }
      const fixes = this.#queue.take(room);
      this.#options.keepSeq(this.#queue.lastSeq);
      this.#bucket.spend(fixes.length);
      this.#options.send(fixes.length === 1 ? { type: "location", ...fixes[0] } : { type: "locations", fixes });
    }
  }

  /** The connection is gone: nothing is sent until the next. */
  pause() {
    clearTimeout(this.#timer);
  }

  /** The client leaves: what is held back is given up, what waits in the queue stays. */
  stop() {
    this.pause();
    this.#change.rest();
  }

  #add(fix) {
    this.reportedAt = this.#options.now();
    this.#queue.add(fix);
    this.flush();
  }
}
