import { metresBetween } from "./map/geometry.js";
import { tab } from "./storage.js";
import { phrase } from "./ui/words.js";

/** The minimum interval between reported fixes while moving, in milliseconds. */
const PACE = 1000;

/**
 * The delay in milliseconds before a manual position is repeated: the server accepts a jump only when a fix one second
 * later confirms it.
 */
const CONFIRM = 1100;

/** The maximum plausible speeds in m/s, on the ground and in the air. */
const FASTEST = 100;
const FASTEST_FLIGHT = 350;

/** The storage key of the reporting mode, which a reload resumes. */
const KEPT = "muster.reporting";

/** Geolocation options: exact, or for the saving mode without satellite positioning. */
const EXACT = { enableHighAccuracy: true, maximumAge: 5000, timeout: 30_000 };
const SPARING = { enableHighAccuracy: false, maximumAge: 60_000, timeout: 60_000 };

/** The time in milliseconds after a pause in which the server may not trust this device's clock, and the age of a new fix. */
const UNKNOWN_CLOCK = 125_000;
const NEW = 3000;

/** The interval in milliseconds at which the position of a stationary user is repeated to stay fresh. */
const STILL_HERE = 60_000;

/**
 * The position of this device: from the browser's geolocation, or set by hand ("walk me").
 *
 * `mode` is `off`, `gps` or `walk`. Dispatches `change` events: `detail` is `{mode, last}`.
 */
export class PositionSource extends EventTarget {
  mode = "off";
  /** The last known position, as a fix; null when there is none. */
  last = null;
  /** Why the mode is off although it was wanted, such as "location is blocked in the browser"; null otherwise. */
  problem = null;
  /** The time, by the server's clock, since which this device has been about here: the mode began, or it jumped. */
  since = 0;
  #report;
  #sayStillHere;
  #now;
  #watch = null;
  #reportedAt = -Infinity;
  #pace = null;
  #stillHere = null;
  #confirm = null;
  /** The time of the last `sayStillHere`, by this device's clock, which also dates positions. */
  #askedAt = -Infinity;
  #isSaving = false;
  /** Whether the browser has lost the position: repeated, the last one would look current. It ages until there is another. */
  #isLost = false;

  /**
   * @param {(fix: object, options: {isNow: boolean}) => void} report receives each fix; in saving mode it withholds most of
   *   them; `isNow`: the server may date it
   * @param {() => number} now the server's time, used for the age of positions
   * @param {(fix: object) => void} stillHere reports that the position is unchanged now
   */
  constructor(report, now, stillHere) {
    super();
    this.#report = report;
    this.#now = now;
    this.#sayStillHere = stillHere;
  }

  /** Resumes the reporting mode of the previous page load; a mode that cannot resume becomes off. */
  async restore() {
    const kept = tab.get(KEPT);
    if (kept === null || this.mode !== "off") return;
    if (kept.mode === "walk") return this.startWalking(kept.lat, kept.lon);
    const allowed = await navigator.permissions?.query({ name: "geolocation" }).catch(() => null);
    if (this.mode !== "off") return;
    if (allowed === null || allowed === undefined || allowed.state === "granted") return this.startGps();
    this.#become("off", phrase("position.reloaded"));
  }

  /** Clears the stored mode: a reload does not resume it. */
  static forget() {
    tab.removeItem(KEPT);
  }

  /** Whether the saving mode is on: geolocation is coarse, and an unchanged position is not reported at once. */
  get isSaving() {
    return this.#isSaving;
  }

  set isSaving(isSaving) {
    this.#isSaving = isSaving;
    if (this.mode === "gps") this.#follow();
    if (this.last !== null) this.#stayHeard();
  }

  /** Whether fixes are sent: a position is known and reported. */
  get isReporting() {
    return this.mode !== "off" && this.last !== null;
  }

  /** Reports the position again, to members who have just joined or may see it again. */
  sayStillHere() {
    this.#askedAt = Date.now();
    if (this.isReporting && !this.#isLost) this.#sayStillHere(withoutTime(this.last));
  }

  /** Follows the browser's geolocation. */
  startGps() {
    this.stop();
    if (!navigator.geolocation || !isSecureContext) {
      return this.#become("off", isSecureContext ? phrase("position.missing") : phrase("position.insecure"));
    }
    this.#become("gps");
    this.#follow();
  }

  #follow() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => this.#found(fromCoordinates(coords, timestamp)),
      (error) => {
        if (error.code === error.PERMISSION_DENIED) {
          this.stop();
          this.#become("off", phrase("position.blocked"));
        } else if (error.code === error.POSITION_UNAVAILABLE) {
          this.#isLost = true;
          clearInterval(this.#stillHere);
          clearTimeout(this.#confirm);
        }
      },
      this.#isSaving ? SPARING : EXACT,
    );
  }

  // The server holds the first fix as a jump when the user was elsewhere before, until a second one confirms it.
  #found(fix) {
    const isFirst = this.last === null;
    this.#move(fix);
    if (isFirst) this.#confirmAfter(CONFIRM);
  }

  // Dated by the server: after a pause it does not show what a clock dates that it does not know yet.
  #confirmAfter(delay) {
    clearTimeout(this.#confirm);
    const { last } = this;
    // A small step since then is not sent in saving mode.
    this.#confirm = setTimeout(() => this.#sayStillHere(withoutTime(this.#isSaving ? last : this.last)), delay);
  }

  /** Starts to set the position by hand, from the given one. */
  startWalking(lat, lon) {
    this.stop();
    this.#become("walk");
    this.walkTo(lat, lon, { final: true });
  }

  /** Moves to a position; `final` marks the end of the movement, such as the end of a drag. */
  walkTo(lat, lon, { final }) {
    if (this.mode !== "walk") return;
    const isFirst = this.last === null;
    this.#move({ lat: rounded(lat), lon: rounded(lon), accuracy: 5, trigger: "manual" }, { final });
    // After the last fix of the movement, which the pace may still delay. Saving mode withholds its steps.
    if (isFirst || !this.#isSaving) this.#confirmAfter(final ? CONFIRM : PACE + CONFIRM);
  }

  /** Stops reporting. */
  stop() {
    this.#halt();
    PositionSource.forget();
    if (this.mode !== "off") this.#become("off");
  }

  /** Stops without an event when the page is left: a reload resumes. */
  close() {
    this.#halt();
  }

  #halt() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    clearTimeout(this.#pace);
    clearTimeout(this.#confirm);
    clearInterval(this.#stillHere);
    this.#watch = this.#pace = this.#confirm = this.#stillHere = null;
  }

  /**
   * Returns one position without following: the last one, or a new one from geolocation.
   * @param {{isFresh?: boolean}} [options] `isFresh`: a new one, if geolocation is available
   */
  once({ isFresh = false } = {}) {
    if (this.last !== null && (this.mode === "walk" || (this.mode === "gps" && !isFresh))) return Promise.resolve(withoutTime(this.last));
    return new Promise((resolve, reject) => {
      if (!navigator.geolocation || !isSecureContext) return reject(new Error(phrase("position.insecure.once")));
      navigator.geolocation.getCurrentPosition(
        ({ coords, timestamp }) => resolve(fromCoordinates(coords, timestamp)),
        () => reject(new Error(phrase("position.notFound"))),
        { enableHighAccuracy: true, timeout: 15_000 },
      );
    });
  }

  #move(fix, { final = false } = {}) {
    this.#isLost = false;
    const next = { ...fix, at: this.#now() };
    if (this.last !== null && isJump(this.last, next)) this.since = next.at;
    this.last = next;
    this.#keep();
    clearTimeout(this.#pace);
    const wait = this.#reportedAt + PACE - performance.now();
    if (final || wait <= 0) this.#send(fix);
    // The last position of a movement is always reported, even if it follows another too soon.
    else this.#pace = setTimeout(() => this.#send(fix), wait);
    this.#tell();
  }

  #send(fix) {
    this.#reportedAt = performance.now();
    // Just after a pause, the server shows only what it dates itself, until it knows this device's clock.
    const isNow = Date.now() - this.#askedAt < UNKNOWN_CLOCK && Date.now() - (fix.at ?? Date.now()) < NEW;
    this.#report(fix, { isNow });
    // The group does not see a fix from before the user joined, so the position is reported as unchanged, too.
    if (fix.at < this.#askedAt) this.#sayStillHere(withoutTime(fix));
    this.#stayHeard();
  }

  #stayHeard() {
    clearInterval(this.#stillHere);
    if (this.#isLost) return;
    this.#stillHere = setInterval(() => {
      this.last = { ...this.last, at: this.#now() };
      // In saving mode it is sent after the interval, like any other fix.
      if (this.#isSaving) this.#report(withoutTime(this.last));
      else this.#sayStillHere(withoutTime(this.last));
      this.#tell();
    }, STILL_HERE);
  }

  #keep() {
    const { lat, lon } = this.last ?? {};
    tab.set(KEPT, { mode: this.mode, lat, lon });
  }

  #become(mode, problem = null) {
    this.mode = mode;
    this.problem = problem;
    this.since = this.#now();
    this.#isLost = false;
    if (mode === "off") this.last = null;
    else if (mode === "gps") this.#keep();
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new CustomEvent("change", { detail: { mode: this.mode, last: this.last } }));
  }
}

/** Whether the server holds a fix back until another one confirms it. It has the same rule (`JumpGuard.swift`). */
function isJump(from, to) {
  const fastest = Math.max(FASTEST, Math.min(2 * (to.speed ?? 0), FASTEST_FLIGHT));
  return metresBetween(from, to) > fastest * Math.max(1, (to.at - from.at) / 1000) + (from.accuracy ?? 0) + (to.accuracy ?? 0);
}

function withoutTime({ at, ...fix }) {
  return fix;
}

function rounded(degrees) {
  return Math.round(degrees * 1e6) / 1e6;
}

function fromCoordinates(coords, timestamp) {
  const fix = { lat: rounded(coords.latitude), lon: rounded(coords.longitude), accuracy: Math.round(coords.accuracy), at: Math.round(timestamp), trigger: "move" };
  if (coords.altitude !== null) fix.altitude = Math.round(coords.altitude);
  if (coords.speed !== null && coords.speed >= 0) fix.speed = Math.round(coords.speed * 10) / 10;
  if (coords.heading !== null && Number.isFinite(coords.heading)) fix.course = Math.round(coords.heading);
  return fix;
}
