import { Client, freshnessAt, hasPosition } from "../muster.js";
import { Keeper } from "./offline/keeper.js";
import { checkVersion } from "./offline/worker.js";
import { PositionSource } from "./position-source.js";
import { local, tab } from "./storage.js";
import { tellApart } from "./ui/avatar.js";
import { phrase } from "./ui/words.js";

/** The storage key of the last shown group. */
const GROUP = "muster.group";

/** The storage key of this browser's saving mode. */
const SAVING = "muster.saving";

/**
 * Above this number of members the page is drawn less often: forty people cannot be followed at sixty frames a second.
 */
const CROWD = 10;
const CROWD_PACE = 200;

/**
 * The state shared by all sections: the client, the user's groups with the shown one, and the user's own position.
 *
 * | event | when |
 * |---|---|
 * | `change` | shown data may have changed; at most once a frame, less often in a crowd |
 * | `group` | another group is shown, or none |
 * | `signedout` | the login is over; `detail` has the reason |
 *
 * `client` dispatches the events of the protocol.
 */
export class Session extends EventTarget {
  client;
  source;
  token;
  /** The id of the shown group; null when there is none. */
  group = null;
  /** The user's own position as reported by another device. */
  #self = null;
  #keeper;
  #heardAt = null;
  #timer = null;
  #drawnAt = 0;
  #clock = null;
  #ended = new AbortController();

  /** @param {{token: string, device: object}} options */
  constructor({ token, device }) {
    super();
    this.token = token;
    this.client = new Client({ url: location.origin, token, device, storage: tab, rooms: true });
    this.source = new PositionSource((fix, options) => this.client.report(fix, options), () => this.client.now(), (fix) => this.client.reportStillHere(fix));
    this.#keeper = new Keeper(this.client, token);
    this.#save(local.getItem(SAVING) !== null);
    this.#listen();
  }

  /** Shows the state of the last page, and connects. */
  start() {
    this.#heardAt = this.#keeper.begin();
    this.client.start();
    if (!navigator.onLine) this.client.goOffline();
    this.#clock = setInterval(() => this.changed(), 5000);
    this.source.restore();
  }

  /** Disconnects and frees everything. */
  close() {
    this.#ended.abort();
    clearInterval(this.#clock);
    clearTimeout(this.#timer);
    this.source.close();
    this.#keeper.close();
    this.client.stop();
  }

  /** The user's own id; undefined before `welcome`. */
  get me() {
    return this.client.user?.id;
  }

  /** The server's time. */
  get now() {
    return this.client.now();
  }

  /** The time of the state that is shown without a connection; null while it is current, or nothing is known. */
  get asOf() {
    return this.client.status.state === "live" ? null : this.#heardAt;
  }

  /** The user's groups by name. */
  get groups() {
    return [...this.client.groups.values()].sort((a, b) => a.name.localeCompare(b.name));
  }

  /** The shown group; null when there is none. */
  get current() {
    return this.client.groups.get(this.group) ?? null;
  }

  /** The roster of the shown group; null before it has arrived. */
  get roster() {
    return this.client.rosters.get(this.group) ?? null;
  }

  /** The gathering of the shown group; null when there is none. */
  get gathering() {
    return this.roster?.gathering ?? null;
  }

  /** The members for display: the user's own position is the best known one, regardless of what others see. */
  get members() {
    return [...(this.roster?.members.values() ?? [])].map((member) => {
      const own = member.user === this.me ? this.#best(member) : null;
      return own === null ? member : { ...member, lat: own.lat, lon: own.lon, accuracy: own.accuracy, at: own.at, speed: own.speed };
    });
  }

  #best(member) {
    if (this.source.last !== null) return this.source.last;
    return this.#self !== null && this.#self.at >= (member.at ?? 0) ? this.#self : null;
  }

  /** The user's position, if it is known exactly and is current; null otherwise. */
  get here() {
    const { last } = this.source;
    if (last !== null && freshnessAt(last, this.now) === "live") return last;
    const own = this.members.find((member) => member.user === this.me);
    if (!own || !hasPosition(own) || !["live", "recent"].includes(freshnessAt(own, this.now))) return null;
    return this.#self !== null || this.sharing().mode === "live" ? own : null;
  }

  /**
   * The user's sharing with a group: `{mode, until, then, pictures}`; `pictures`: whether share pictures may show the user.
   */
  sharing(id = this.group) {
    const told = this.client.groups.get(id)?.sharing ?? null;
    if (told !== null && (told.until === null || told.until > this.now)) return told;
    // Without a connection the row is from before the end.
    const next = this.client.status.state === "live" ? null : (told?.then ?? (told === null ? null : "live"));
    const mode = next ?? this.client.rosters.get(id)?.members.get(this.me)?.sharing ?? "live";
    return { mode, until: null, then: null, pictures: told?.pictures ?? true };
  }

  /** Sets the user's sharing with one group or with all. */
  async setSharing(choice) {
    await this.client.request("sharing.set", choice);
    this.changed();
  }

  /** Whether the saving mode is on: the position is sent on significant changes only. */
  get isSaving() {
    return this.client.isSaving;
  }

  set isSaving(isSaving) {
    if (isSaving) local.setItem(SAVING, "1");
    else local.removeItem(SAVING);
    this.#save(isSaving);
    // The withheld position is sent when the saving mode ends.
    if (!isSaving) this.source.sayStillHere();
    this.changed();
  }

  #save(isSaving) {
    this.client.isSaving = isSaving;
    this.source.isSaving = isSaving;
  }

  /** Shows another group; null shows none. */
  select(id) {
    if (id !== null) local.setItem(GROUP, id);
    if (id === this.group) return;
    this.group = id;
    this.dispatchEvent(new CustomEvent("group"));
    this.changed();
  }

  /** The group to show when the address names none. */
  get preferred() {
    const wanted = this.group ?? local.getItem(GROUP);
    return this.client.groups.has(wanted) ? wanted : (this.groups[0]?.id ?? null);
  }

  /** Schedules a `change` event for the next frame, or for the end of the interval in a crowd. */
  changed() {
    if (this.#timer !== null) return;
    const crowd = (this.roster?.members.size ?? 0) > CROWD;
    const wait = crowd ? Math.max(0, this.#drawnAt + CROWD_PACE - performance.now()) : 0;
    this.#timer = setTimeout(() => requestAnimationFrame(() => {
      this.#timer = null;
      this.#drawnAt = performance.now();
      tellApart(this.roster?.members.values() ?? []);
      this.dispatchEvent(new CustomEvent("change"));
    }), wait);
  }

  #listen() {
    const { client, source } = this;
    const changed = () => this.changed();
    client.addEventListener("groups", changed);
    client.addEventListener("sharing", ({ detail: { group } }) => {
      // Otherwise the position of a stationary user would appear only at the next movement: after the end of a pause, too.
      if (this.sharing(group).mode !== "paused") source.sayStillHere();
      this.changed();
    });
    source.addEventListener("change", changed);
    client.addEventListener("welcome", () => {
      // A stationary user who returns is shown to the others at once.
      source.sayStillHere();
      void checkVersion();
      this.changed();
    });
    client.addEventListener("roster", ({ detail }) => {
      if (detail.group === this.group) this.changed();
    });
    client.addEventListener("self", ({ detail }) => {
      this.#self = detail;
      this.changed();
    });
    for (const type of ["welcome", "roster", "chat"]) {
      client.addEventListener(type, () => {
        if (client.status.state === "live") this.#heardAt = this.now;
      });
    }
    client.addEventListener("state", ({ detail }) => {
      if (detail.reason === "unauthorized") this.dispatchEvent(new CustomEvent("signedout", { detail: phrase("errors.unauthorized") }));
      this.changed();
    });
    const { signal } = this.#ended;
    document.addEventListener("visibilitychange", () => {
      client.setForeground(!document.hidden);
      if (document.hidden) return;
      client.hurry();
      this.changed();
    }, { signal });
    addEventListener("online", () => client.hurry(), { signal });
    addEventListener("offline", () => client.goOffline(), { signal });
  }
}
