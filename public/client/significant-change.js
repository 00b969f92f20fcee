import { metresBetween } from "./distance.js";

/**
 * The limits of a significant change: the distance from the last fix in metres, or the time since it in milliseconds.
 */
export const SIGNIFICANT_CHANGE = Object.freeze({ metres: 500, milliseconds: 5 * 60_000 });

/**
 * The saving mode's filter of fixes. It passes a significant change, and withholds the newest other fix until the
 * interval is over.
 *
 * The first fix passes.
 */
export class SignificantChange {
  #pass;
  #last = null;
  #held = null;
  #timer = null;

  /** @param {(fix: object) => void} pass receives the fixes to send */
  constructor(pass) {
    this.#pass = pass;
  }

  /** Evaluates a fix; returns whether it passed at once. */
  offer(fix) {
    this.#held = fix;
    const isFar = this.#last === null || metresBetween(this.#last.fix, fix) >= SIGNIFICANT_CHANGE.metres;
    const left = isFar ? 0 : this.#last.wentAt + SIGNIFICANT_CHANGE.milliseconds - Date.now();
    if (left <= 0) {
      this.#release();
      return true;
    }
    this.#timer ??= setTimeout(() => this.#release(), left);
    return false;
  }

  /** Records a fix that was sent without evaluation: the next change counts from it. */
  went(fix) {
    this.#stopWaiting();
    this.#held = null;
    this.#last = { fix, wentAt: Date.now() };
  }

  /** Drops the withheld fix; the next change still counts from the last sent fix. */
  rest() {
    this.#stopWaiting();
    this.#held = null;
  }

  #release() {
    const fix = this.#held;
    if (fix === null) return;
    this.went(fix);
    this.#pass(fix);
  }

  #stopWaiting() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }
}
