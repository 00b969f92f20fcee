import { metresBetween } from "./distance.js";

/** What counts as a significant change: so far from the last fix, in metres, or so long after it, in milliseconds. */
export const SIGNIFICANT_CHANGE = Object.freeze({ metres: 500, milliseconds: 5 * 60_000 });

/**
 * The saving mode's judge of fixes: lets one pass that is a significant change, and holds the newest other back until
 * its time has come. The first one passes.
 */
export class SignificantChange {
  #pass;
  #last = null;
  #held = null;
  #timer = null;

  /** @param {(fix: object) => void} pass takes the fixes that go out */
  constructor(pass) {
    this.#pass = pass;
  }

  /** Judges a fix; gives whether it went out at once. */
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

  /** Notes a fix that went out without being judged: the next change counts from it. */
  went(fix) {
    this.#stopWaiting();
    this.#held = null;
    this.#last = { fix, wentAt: Date.now() };
  }

  /** Gives up what it holds back; the next change still counts from the last fix that went. */
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
