import { FixQueue } from "./fix-queue.js";
import { SignificantChange } from "./significant-change.js";
import { TokenBucket } from "./token-bucket.js";

/** The number of fixes in one frame until the server sends its own limit. */
const FIXES_PER_FRAME = 200;

/**
 * Sends one device's fixes at the server's pace and keeps them until acknowledged. In saving mode it sends only
 * significant changes.
 */
export class FixReporter {
  #options;
  #queue;
  #bucket = new TokenBucket({ rate: 9, burst: 300 });
  #fixesPerFrame = FIXES_PER_FRAME;
  #timer = null;
  #isSaving = false;
  #change = new SignificantChange((fix) => this.#add({ ...fix, trigger: "significant" }));

  /** The time at which the last fix was queued for sending, by the server's clock; null before. */
  reportedAt = null;

  /**
   * @param {object} options
   * @param {number} [options.capacity] of the queue, see `FixQueue`
   * @param {number} options.lastSeq the highest number used by an earlier run
   * @param {(seq: number) => void} options.keepSeq stores the highest number used
   * @param {(frame: object) => void} options.send
   * @param {() => boolean} options.isLive whether frames can be sent
   * @param {() => number} options.now the server's time
   */
  constructor(options) {
    this.#options = options;
    this.#queue = new FixQueue({ capacity: options.capacity, lastSeq: options.lastSeq });
  }

  /** The number of unacknowledged fixes, and the number that the bounded queue dropped. */
  get backlog() {
    return { length: this.#queue.length, dropped: this.#queue.dropped };
  }

  /** Whether only significant changes are sent. */
  get isSaving() {
    return this.#isSaving;
  }

  set isSaving(isSaving) {
    this.#isSaving = isSaving;
    this.#change.rest();
  }

  /** Reports a fix, see `Client`. */
  report(fix, { answer, isNow = false } = {}) {
    const taken = { at: Math.round(this.#options.now()), ...fix };
    if (isNow && !this.#isSaving && this.#options.isLive()) delete taken.at;
    if (this.#isSaving && answer === undefined) return this.#change.offer(taken);
    this.#change.went(taken);
    this.#add(answer === undefined ? taken : { ...taken, trigger: "answer", answer });
    return true;
  }

  /** Reports that the position is unchanged, see `Client`. */
  reportStillHere({ at, trigger, ...fix }) {
    if (!this.#options.isLive()) return false;
    this.#change.went(fix);
    this.#add({ ...fix, trigger: "ping" });
    return true;
  }

  /** Handles an acknowledgement of every fix up to a number. */
  acknowledge(seq) {
    this.#queue.acknowledge(seq);
    this.#options.keepSeq(this.#queue.lastSeq);
  }

  /** Handles the final rejection of one fix. */
  refuse(seq) {
    this.#queue.refuse(seq);
  }

  /** Handles the server's request to resend every fix above a number. */
  resendAfter(seq) {
    this.#queue.resendAfter(seq);
    this.flush();
  }

  /** Handles a new connection: the last acknowledged number and the server's limits. */
  resume(ackedSeq, { fixesPerFrame, fixesPerSecond: rate }) {
    this.#fixesPerFrame = fixesPerFrame;
    // Slightly below the server's own rate, so that a long backlog never exceeds the limit.
    this.#bucket = new TokenBucket({ rate: rate * 0.9, burst: rate * 30 });
    this.#queue.resume(ackedSeq);
  }

  /** Sends the queued fixes as far as the rate allows, and schedules the rest. */
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

  /** Stops sending after a lost connection, until the next one. */
  pause() {
    clearTimeout(this.#timer);
  }

  /** Stops for good: a withheld fix is dropped, the queue stays. */
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
