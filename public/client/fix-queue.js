/**
 * The fixes of one device that the server has not acknowledged, oldest first.
 *
 * A fix gets its number when it is first sent, always above every number used before, and keeps it. The server thus
 * recognises a fix that is sent again after a reconnect. A fix leaves the queue when an `ack` covers it or when it is
 * answered `bad_fix`.
 *
 * The queue is bounded. A full queue is thinned: every second fix of its older half is removed. After a long time
 * offline the track keeps its shape and its recent part, and loses detail in its older part.
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

  /** The number of unacknowledged fixes. */
  get length() {
    return this.#entries.length;
  }

  /** The number of fixes removed by thinning so far. */
  get dropped() {
    return this.#dropped;
  }

  /** The highest number assigned so far. */
  get lastSeq() {
    return this.#lastSeq;
  }

  /** Whether a fix waits to be sent. */
  get hasUnsent() {
    return this.#entries.some((entry) => !entry.sent);
  }

  /** Adds a fix; it must have `lat`, `lon` and the time `at` at which it was taken. */
  add(fix) {
    if (this.#entries.length >= this.#capacity) this.#thin();
    this.#entries.push({ seq: null, fix, sent: false });
  }

  /** Returns the next fixes to send with their numbers, oldest first, at most `max`, and marks them as sent. */
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

  /** Removes every fix up to a number: the server has stored it. */
  acknowledge(seq) {
    this.#entries = this.#entries.filter((entry) => entry.seq === null || entry.seq > seq);
  }

  /** Removes one fix that the server rejected for good. */
  refuse(seq) {
    this.#entries = this.#entries.filter((entry) => entry.seq !== seq);
  }

  /** Marks unacknowledged fixes for resending on a new connection; numbers continue above `ackedSeq`. */
  resume(ackedSeq) {
    this.#lastSeq = Math.max(this.#lastSeq, ackedSeq);
    this.acknowledge(ackedSeq);
    this.resendAfter(ackedSeq);
  }

  /** Marks the fixes with a number above `after` for resending. */
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
