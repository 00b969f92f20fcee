/**
 * The fixes of one device that the server has not acknowledged yet, oldest first.
 *
 * A fix gets its number when it is first sent, always above every number used before, and keeps it: sent again
 * after a reconnect it is recognised. It leaves the queue when an `ack` covers it or when it is answered `bad_fix`.
 *
 * The queue is bounded. When it is full it is thinned: every second fix of its older half goes. A long time
 * offline so keeps the shape of its track and all of its recent part, and loses detail of what is long past.
 */
export class FixQueue {
  #entries = [];
  #capacity;
  #lastSeq;
  #dropped = 0;

  /** @param {{capacity?: number, lastSeq?: number}} options `lastSeq`: the highest number used by an earlier run */
  constructor({ capacity = 2000, lastSeq = 0 } = {}) {
    if (!(capacity >= 4)) throw new RangeError("a queue holds at least 4 fixes");
    this.#capacity = capacity;
    this.#lastSeq = lastSeq;
  }

  /** How many fixes are not acknowledged. */
  get length() {
    return this.#entries.length;
  }

  /** How many fixes thinning has cost so far. */
  get dropped() {
    return this.#dropped;
  }

  /** The highest number given out so far. */
  get lastSeq() {
    return this.#lastSeq;
  }

  /** Whether something waits to be sent. */
  get hasUnsent() {
    return this.#entries.some((entry) => !entry.sent);
  }

  /** Adds a fix; it must have `lat`, `lon` and the time `at` at which it was taken. */
  add(fix) {
    if (this.#entries.length >= this.#capacity) this.#thin();
    this.#entries.push({ seq: null, fix, sent: false });
  }

  /** Takes the next fixes to send, oldest first, at most `max`, with their numbers. */
  take(max = 200) {
    const batch = [];
    for (const entry of this.#entries) {
      if (batch.length >= max) break;
      if (entry.sent) continue;
      entry.seq ??= ++this.#lastSeq;
      entry.sent = true;
      batch.push({ seq: entry.seq, ...entry.fix });
    }
    return batch;
  }

  /** Forgets everything up to a number: the server has it. */
  acknowledge(seq) {
    this.#entries = this.#entries.filter((entry) => entry.seq === null || entry.seq > seq);
  }

  /** Forgets one fix that the server will never take. */
  refuse(seq) {
    this.#entries = this.#entries.filter((entry) => entry.seq !== seq);
  }

  /** A new connection: what is not acknowledged is to be sent again, and numbers go on above `ackedSeq`. */
  resume(ackedSeq) {
    this.#lastSeq = Math.max(this.#lastSeq, ackedSeq);
    this.acknowledge(ackedSeq);
    this.resendAfter(ackedSeq);
  }

  /** What has a number above `after` is to be sent again. */
  resendAfter(after) {
    for (const entry of this.#entries) {
      if (entry.seq !== null && entry.seq > after) entry.sent = false;
    }
  }

  #thin() {
    const half = this.#entries.length >> 1;
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((_, index) => index >= half || index % 2 === 0);
    this.#dropped += before - this.#entries.length;
  }
}
