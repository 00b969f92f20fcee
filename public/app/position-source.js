/** At most one fix in this many milliseconds is reported while moving. */
const PACE = 1000;

/** Where one was put by hand is said once more after this: the server believes no jump before a fix of a second later confirms it. */
const CONFIRM = 1100;

/** What this tab reports, so that a reload goes on with it. */
const KEPT = "muster.reporting";

/** How geolocation is asked to follow: exactly, or as the saving mode needs it, without the satellites. */
const EXACT = { enableHighAccuracy: true, maximumAge: 5000, timeout: 30_000 };
const SPARING = { enableHighAccuracy: false, maximumAge: 60_000, timeout: 60_000 };

/** Somebody who stays where they are says so this often, so that nobody takes them for gone. */
const STILL_HERE = 60_000;

/**
 * Where this device says it is: from the browser's geolocation, or by hand ("walk me").
 *
 * `mode` is `off`, `gps` or `walk`. Told by `change` events: `detail` is `{mode, last, problem}`.
 */
export class PositionSource extends EventTarget {
  mode = "off";
  /** The last position known here, as a fix; null when there is none. */
  last = null;
  #report;
  #sayStillHere;
  #now;
  #watch = null;
  #reportedAt = -Infinity;
  #pace = null;
  #stillHere = null;
  #confirm = null;
  /** When one was last asked to be seen anew, by this device's clock, as positions are timed. */
  #askedAt = -Infinity;
  #isSaving = false;

  /**
   * @param {(fix: object) => void} report takes each fix; when saving it holds most of them back
   * @param {() => number} now the server's time, by which positions age
   * @param {(fix: object) => void} stillHere says that one is where one was, now
   */
  constructor(report, now, stillHere) {
    super();
    this.#report = report;
    this.#now = now;
    this.#sayStillHere = stillHere;
  }

  /** Goes on with what was reported before a reload; what cannot go on is said to be off. */
  async restore() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (kept === null || this.mode !== "off") return;
    if (kept.mode === "walk") return this.startWalking(kept.lat, kept.lon);
    const allowed = await navigator.permissions?.query({ name: "geolocation" }).catch(() => null);
    if (this.mode !== "off") return;
    if (allowed === null || allowed === undefined || allowed.state === "granted") return this.startGps();
    this.#become("off", "Your location is off since the page was reloaded.");
  }

  /** Forgets what was reported: it does not go on after a reload. */
  static forget() {
    sessionStorage.removeItem(KEPT);
  }

  /** Whether battery is saved: the position is followed roughly, and standing still is no news of its own. */
  get isSaving() {
    return this.#isSaving;
  }

  set isSaving(isSaving) {
    this.#isSaving = isSaving;
    if (this.mode === "gps") this.#follow();
    if (this.last !== null) this.#stayHeard();
  }

  /** Whether fixes go out: a position is known and reported. */
  get isReporting() {
    return this.mode !== "off" && this.last !== null;
  }

  /** Says once more where one is, to those who have not heard it: they have just come, or may see it again. */
  sayStillHere() {
    this.#askedAt = Date.now();
    if (this.isReporting) this.#sayStillHere(withoutTime(this.last));
  }

  /** Follows the browser's geolocation. */
  startGps() {
    this.stop();
    if (!navigator.geolocation || !isSecureContext) {
      return this.#become("off", isSecureContext ? "This browser has no geolocation." : "Browsers give a page its position only over HTTPS.");
    }
    this.#become("gps");
    this.#follow();
  }

  #follow() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => this.#move(fromCoordinates(coords, timestamp)),
      (error) => {
        if (error.code === error.PERMISSION_DENIED) {
          this.stop();
          this.#become("off", "The browser does not allow this page to see your position.");
        } else if (this.last === null) {
          this.#become("gps", "Your position is not known yet.");
        }
      },
      this.#isSaving ? SPARING : EXACT,
    );
  }

  /** Lets one walk by hand, from a position. */
  startWalking(lat, lon) {
    this.stop();
    this.#become("walk");
    this.walkTo(lat, lon, { final: true });
  }

  /** Walks to a position; `final` when it is where one stays, as at the end of a drag. */
  walkTo(lat, lon, { final }) {
    if (this.mode !== "walk") return;
    const fix = { lat: rounded(lat), lon: rounded(lon), accuracy: 5, trigger: "manual" };
    this.#move(fix, { final });
    clearTimeout(this.#confirm);
    // Behind the last fix of the movement, which may still wait for its turn.
    this.#confirm = setTimeout(() => this.#move(fix, { final: true }), final ? CONFIRM : PACE + CONFIRM);
  }

  /** Says no more where this device is. */
  stop() {
    this.#halt();
    PositionSource.forget();
    if (this.mode !== "off") this.#become("off");
  }

  /** Stops without a word, as when the page is left: a reload goes on. */
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
   * One position for somebody who asks, without following: the last one, or a new one from geolocation.
   * @param {{isFresh?: boolean}} [options] `isFresh`: a new one, where there is geolocation to give it
   */
  once({ isFresh = false } = {}) {
    if (this.last !== null && (this.mode === "walk" || (this.mode === "gps" && !isFresh))) return Promise.resolve(withoutTime(this.last));
    return new Promise((resolve, reject) => {
      if (!navigator.geolocation || !isSecureContext) return reject(new Error("Browsers give a page its position only over HTTPS."));
      navigator.geolocation.getCurrentPosition(
        ({ coords, timestamp }) => resolve(fromCoordinates(coords, timestamp)),
        () => reject(new Error("Your position could not be found.")),
        { enableHighAccuracy: true, timeout: 15_000 },
      );
    });
  }

  #move(fix, { final = false } = {}) {
    this.last = { ...fix, at: this.#now() };
    this.#keep();
    clearTimeout(this.#pace);
    const wait = this.#reportedAt + PACE - performance.now();
    if (final || wait <= 0) this.#send(fix);
    // The last position of a movement is always reported, even when it comes too soon after another.
    else this.#pace = setTimeout(() => this.#send(fix), wait);
    this.#tell();
  }

  #send(fix) {
    this.#reportedAt = performance.now();
    this.#report(fix);
    // What was found before one joined stays hidden from the group, though one is still there.
    if (fix.at < this.#askedAt) this.#sayStillHere(withoutTime(fix));
    this.#stayHeard();
  }

  #stayHeard() {
    clearInterval(this.#stillHere);
    this.#stillHere = setInterval(() => {
      this.last = { ...this.last, at: this.#now() };
      // When saving, it goes out when its time has come, like any other fix.
      if (this.#isSaving) this.#report(withoutTime(this.last));
      else this.#sayStillHere(withoutTime(this.last));
      this.#tell();
    }, STILL_HERE);
  }

  #keep() {
    const { lat, lon } = this.last ?? {};
    sessionStorage.setItem(KEPT, JSON.stringify({ mode: this.mode, lat, lon }));
  }

  #become(mode, problem = null) {
    this.mode = mode;
    if (mode === "off") this.last = null;
    else if (mode === "gps") this.#keep();
    this.#tell(problem);
  }

  #tell(problem = null) {
    this.dispatchEvent(new CustomEvent("change", { detail: { mode: this.mode, last: this.last, problem } }));
  }
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
