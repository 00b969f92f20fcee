import { Connection } from "./connection.js";
import { eventsOf } from "./event-stream.js";
import { EventWatch } from "./event-watch.js";
import { FixReporter } from "./fix-reporter.js";
import { MusterError } from "./http.js";
import { Requests } from "./requests.js";
import { Rooms } from "./rooms.js";
import { Roster, sharingOf } from "./roster.js";
import { SeenMarks } from "./seen-marks.js";
import { SpotWatch } from "./spot-watch.js";
import { TileWatches } from "./tiles.js";

/**
 * One device of one user, connected to a Muster server: keeps rosters current, reports fixes until they are
 * durable, and asks and answers requests. It reconnects and resumes by itself.
 *
 * ```js
 * const client = new Client({ url: location.origin, token, device: { key: "web-5f1c", kind: "browser" } });
 * client.addEventListener("roster", ({ detail }) => show(client.rosters.get(detail.group)));
 * client.start();
 * client.report({ lat: 40.7128, lon: -74.006, accuracy: 8 });
 * const { group } = await client.request("group.create", { name: "Sunday climbers" });
 * ```
 *
 * Events (`CustomEvent`, what is told is in `detail`):
 *
 * | event | detail |
 * |---|---|
 * | `state` | `{state, reason, retryAt}`, see `Connection` |
 * | `welcome` | the `welcome` frame |
 * | `groups` | `{groups}`: the map of groups, after it changed, or the name or the settings of one |
 * | `sharing` | `{group, mode, until, pictures}`: what one shares with a group, after it changed |
 * | `roster` | `{group, changed, gone, gathering}`: ids of members who changed or left |
 * | `alert` | a `left_without_you` frame, each number once |
 * | `notice` | any other notification, such as `mention` or `plan_proposed`, each number once |
 * | `plan_changed`, `plan_gone` | what a group's members say to a plan; that the group has it no more |
 * | `rooms` | `{changed}`: ids of rooms that are another way than before, see `rooms` |
 * | `chat` | `{room, news}`: what is said in a room, or waits there, has changed; `news` are messages that are new |
 * | `typing` | `{room}`: others write in a room, or do no more |
 * | `seen` | `{notifications}`: numbers of those that need no more telling: seen on another session, or taken back |
 * | `self` | one's own exact position from another device |
 * | `locate` | somebody asks where one is; answer with `report(fix, {answer: request})` |
 * | `located`, `locate_expired` | how one's own `locate` ended |
 * | `new_spot` | `{spot, distance}`: a spot that one watches for, each once, see `watchSpots` |
 * | `spot` | `{spot}`: a spot as the answer to one's own `spot.add` or `spot.vote` has it |
 * | `tiles` | `{layer, changed}`: tiles that were put, changed or dropped, each `{z, x, y}`, see `watchTiles` |
 * | `spot_changed`, `spot_gone` | `{spot, likes, dislikes}`, `{spot}`: what became of one, by its id |
 * | `ack` | the `ack` frame, `{seq, rejected, dropped}` |
 * | `problem` | a `MusterError` that belongs to no request |
 */
export class Client extends EventTarget {
  #options;
  #connection;
  #reporter;
  #requests = new Requests((frame) => this.#connection.send(frame), () => this.status.state === "stopped");
  #notification = 0;
  #seen = new SeenMarks((type, fields) => this.request(type, fields));
  #clockOffset = 0;
  #foreground = true;
  #spotWatch;
  #eventWatch;
  #rooms = new Rooms({
    ask: (type, fields) => this.request(type, fields),
    tell: (type, detail) => this.#tell(type, detail),
    me: () => this.user?.id,
    now: () => this.now(),
  });
  #tiles = new TileWatches({
    ask: (type, fields) => this.request(type, fields),
    isLive: () => this.status.state === "live",
    onChange: (change) => this.#tell("tiles", change),
  });

  /** Who is logged in, and which device this is, as `welcome` said; null before. */
  user = null;
  device = null;
  session = null;
  /** Groups by id: `{id, name, role, settings, sharing}`; `sharing` is `{mode, until, pictures}`, null while the server has not said it. */
  groups = new Map();
  /** Rosters by group id. */
  rosters = new Map();

  /**
   * @param {object} options
   * @param {string} options.url of the server, such as `https://muster.example`
   * @param {string} options.token from `signUp` or `logIn`
   * @param {{key: string, kind: string, name?: string}} options.device `key` is this device's own stable name
   * @param {{getItem: Function, setItem: Function}} [options.storage] keeps the last fix number across reloads, so
   *   that no number is used twice, and the newest spots held; `sessionStorage` in a page
   * @param {number} [options.capacity] of the queue of fixes that are not acknowledged, see `FixQueue`
   * @param {boolean} [options.rooms] whether it wants to hear of rooms
   * @param {() => number} [options.random] gives 0 … 1
   */
  constructor(options) {
    super();
    this.#options = options;
    this.#reporter = new FixReporter({
      capacity: options.capacity,
      lastSeq: Number(this.#stored("seq")) || 0,
      keepSeq: (seq) => this.#store("seq", String(seq)),
      send: (frame) => this.#connection.send(frame),
      isLive: () => this.status.state === "live",
      now: () => this.now(),
    });
    this.#spotWatch = new SpotWatch({
      ask: (fields) => this.request("spots.watch", fields),
      isLive: () => this.status.state === "live",
      held: this.#stored("spots")?.split(",") ?? [],
      keep: (ids) => this.#store("spots", ids.join(",")),
    });
    this.#eventWatch = new EventWatch({
      ask: (fields) => this.request("events.watch", fields),
      isLive: () => this.status.state === "live",
      onChange: () => this.#tell("watched_events", this.#eventWatch),
    });
    this.#connection = new Connection({
      url: options.url,
      random: options.random ?? Math.random,
      hello: () => this.#hello(),
      onFrame: (frame) => this.#receive(frame),
      onState: (status) => this.#stateChanged(status),
    });
  }

  /** What the connection is doing: `{state, reason, retryAt}`. */
  get status() {
    return this.#connection.status;
  }

  /** One's rooms, `Rooms`; empty unless they are wanted. */
  get rooms() {
    return this.#rooms;
  }

  /** How many fixes are not acknowledged, and how many the bounded queue has given up. */
  get backlog() {
    return this.#reporter.backlog;
  }

  /** The server's time, as well as this client knows it, in milliseconds since the Unix epoch. */
  now() {
    return Date.now() + this.#clockOffset;
  }

  /** Connects, and stays connected until `stop` or until the server does not want this client back. */
  start() {
    this.#connection.start();
  }

  /** Leaves. Fixes that are not acknowledged stay in the queue; requests that wait fail. */
  stop() {
    this.#reporter.stop();
    this.#rooms.close();
    this.#connection.stop();
  }

  /** Tries at once instead of waiting, or checks that a live connection still is. */
  hurry() {
    this.#connection.hurry();
  }

  /** The network is gone, as the browser says: shown at once, and tried again by `hurry`. */
  goOffline() {
    this.#connection.goOffline();
  }

  /** Tells the server whether somebody looks at the app; in the background one counts as away. */
  setForeground(foreground) {
    this.#foreground = foreground;
    this.#connection.send({ type: "state", state: foreground ? "foreground" : "background" });
  }

  /**
   * The saving mode, in which a fix goes out on a significant change only, see `SIGNIFICANT_CHANGE`. Of those that are
   * held back the newest follows when its time has come.
   */
  get isSaving() {
    return this.#reporter.isSaving;
  }

  set isSaving(isSaving) {
    this.#reporter.isSaving = isSaving;
  }

  /** When the last fix was handed on to be sent, by the server's time; null before. */
  get reportedAt() {
    return this.#reporter.reportedAt;
  }

  /**
   * Reports a fix: sent at once when connected, kept until it is acknowledged in any case. When saving, it may be held
   * back.
   * @param {{lat: number, lon: number, accuracy?: number, at?: number}} fix and the other fields of the protocol
   * @param {{answer?: string}} [options] `answer`: the request of a `locate` that this fix answers
   * @returns {boolean} whether it goes out now
   */
  report(fix, options) {
    return this.#reporter.report(fix, options);
  }

  /**
   * Says that one is still where one was: a fix that is taken when it arrives. Not kept while not connected, when it
   * would come to mean another moment; gives whether it was sent.
   */
  reportStillHere(fix) {
    return this.#reporter.reportStillHere(fix);
  }

  /**
   * Wants to be told of spots as they are added, voted for and deleted: those near one's own live position, all, or
   * none. Said again after every reconnect, with what one holds: what came meanwhile is told then.
   * @param {{scope: "nearby"|"all"|"none", radius?: number}} wanted `radius` in metres, for `nearby`
   * @returns {Promise<boolean>} whether it is in force: false until connected, and with a server that does not know of it
   */
  watchSpots(wanted) {
    return this.#spotWatch.choose(wanted);
  }

  /**
   * Wants to be told of events: the fields of `events.watch`, or null for none. Said again after every reconnect. What
   * there is stands in `watchedEvents`; each change of it is told as `watched_events`.
   * @returns {Promise<boolean>} whether it is in force
   */
  watchEvents(wanted) {
    return this.#eventWatch.choose(wanted);
  }

  /** Hears no more of a person, or with false of them again. */
  async block(user, isBlocked = true) {
    await this.request(isBlocked ? "user.block" : "user.unblock", { user });
    this.#rooms.setBlocked(user, isBlocked);
  }

  /** The events that one watches: `{events, total, more}`, by id. */
  get watchedEvents() {
    return this.#eventWatch;
  }

  /**
   * Watches a layer of the map in the tiles that cover a box, in place of those before; kept up over reconnects.
   * @param {{layer: string, zoom: number, bbox: number[]}} wanted `bbox`: west, south, east, north in degrees, 64 tiles at most
   * @returns {Promise<boolean>} once it is in force; false when that is left to the next connection or to a newer wish
   */
  watchTiles(wanted) {
    return this.#tiles.watch(wanted);
  }

  /** Watches a layer no more. */
  unwatchTiles(layer) {
    return this.#tiles.unwatch(layer);
  }

  /** What is held of a layer that is watched, a `TileSet`; null of another. */
  tiles(layer) {
    return this.#tiles.get(layer);
  }

  /** What a cluster holds: `{count, expansion_zoom, bbox}`; from zoom 17 on nothing parts it. Its points: `clusterLeaves`. */
  cluster(layer, id) {
    return this.request("tiles.cluster", { layer, cluster: id });
  }

  /**
   * Asks the server for something and gives the fields of its `ok`.
   * Made while not connected, it waits for the connection; when the connection is lost before the answer, it fails
   * with `connection_lost`, because nobody can say whether it was done.
   * @returns {Promise<object>} rejected with a `MusterError`
   */
  request(type, fields, options) {
    return this.#requests.make(type, fields, options);
  }

  /**
   * Marks notifications as seen; repeated after a reconnect until the server has taken it.
   * @param {number|number[]} which those up to a number, or just these
   */
  async markSeen(which) {
    this.#seen.add(which);
    await this.#seen.tell();
  }

  /** The frames of some types as they come: `for await (const {type, detail} of client.events("roster")) …`. */
  events(...types) {
    return eventsOf(this, types);
  }

  #hello() {
    const groups = {};
    for (const [id, roster] of this.rosters) if (roster.resume) groups[id] = roster.resume;
    const resume = { groups };
    if (this.#notification > 0) resume.notification = this.#notification;
    if (this.#options.rooms) resume.rooms = this.#rooms.resume;
    return { type: "hello", token: this.#options.token, device: this.#options.device, resume };
  }

  #receive(frame) {
    switch (frame.type) {
      case "welcome":
        return this.#welcome(frame);
      case "roster":
      case "update":
      case "gathering":
        return this.#applyToRoster(frame);
      case "ok":
        return this.#succeeded(frame);
      case "error":
        return this.#failed(frame);
      case "ack":
        this.#reporter.acknowledge(frame.seq);
        return this.#tell("ack", { seq: frame.seq, rejected: frame.rejected ?? [], dropped: frame.dropped ?? [] });
      case "resend":
        return this.#reporter.resendAfter(frame.after);
      case "left_without_you":
        return this.#notified("alert", frame);
      case "plan_proposed":
      case "mention":
      case "messages":
      case "wait_for_me":
      case "event_changed":
      case "event_cancelled":
      case "event_place":
      case "event_soon":
        return this.#notified("notice", frame);
      case "rooms":
      case "chat":
      case "chat_gap":
      case "chat_read":
      case "typing":
        return void this.#rooms.receive(frame);
      case "events":
        return this.#eventWatch.receive(frame);
      case "event":
        this.#eventWatch.own(frame.event);
        this.#rooms.noteEvent(frame.event);
        return this.#tell("event", { event: frame.event });
      case "seen":
        return this.#tell("seen", { notifications: frame.notifications ?? [] });
      case "group":
        this.#setGroup(frame.group);
        return this.#tell("groups", { groups: this.groups });
      case "sharing":
        return this.#setSharing(frame.group, frame);
      case "self":
        if (frame.device !== this.device?.id) this.#tell("self", frame);
        return;
      case "locate":
      case "located":
      case "locate_expired":
      case "spot_changed":
      case "spot_gone":
      case "plan_changed":
      case "plan_gone":
        return this.#tell(frame.type, frame);
      case "tiles":
        return this.#tiles.receive(frame);
      case "new_spot":
        if (this.#spotWatch.isNews(frame.spot)) this.#tell("new_spot", { spot: frame.spot, distance: frame.distance });
        return;
    }
  }

  #notified(event, frame) {
    if (frame.notification <= this.#notification) return;
    this.#notification = frame.notification;
    this.#tell(event, frame);
  }

  #welcome(frame) {
    this.user = frame.user;
    this.device = frame.device;
    this.session = frame.session;
    this.#clockOffset = frame.at - Date.now();
    this.#setGroups(frame.groups);
    this.#reporter.resume(frame.device.ackedSeq, frame.limits);
    this.#tell("welcome", frame);
    if (!this.#foreground) this.setForeground(false);
    this.#requests.resume();
    this.#seen.tell().catch((error) => this.#tell("problem", error));
    this.#spotWatch.resume(frame.at).catch((error) => this.#tell("problem", error));
    this.#eventWatch.resume().catch((error) => this.#tell("problem", error));
    this.#tiles.resume().catch((error) => this.#tell("problem", error));
    this.#rooms.blocked = new Set(frame.blocked ?? []);
    this.#rooms.ignoreAnew();
    this.#rooms.resumed();
    this.#reporter.flush();
  }

  #setGroups(groups) {
    const before = this.groups;
    this.groups = new Map();
    for (const group of groups) this.#setGroup(group, before.get(group.id));
    for (const id of before.keys()) if (!this.groups.has(id)) for (const layer of [`group:${id}`, `events:${id}`]) this.#tiles.forget(layer);
    for (const id of this.rosters.keys()) if (!this.groups.has(id)) this.rosters.delete(id);
    this.#tell("groups", { groups: this.groups });
  }

  // What one shares is said in `welcome` and when it changes, but not in every frame that names a group.
  #setGroup(group, before = this.groups.get(group.id)) {
    const sharing = group.sharing === undefined ? (before?.sharing ?? null) : sharingOf(group.sharing);
    this.groups.set(group.id, { ...before, ...group, sharing });
  }

  #setSharing(id, { mode, until, pictures }) {
    const group = this.groups.get(id);
    if (!group) return;
    group.sharing = sharingOf({ mode, until, pictures });
    this.#tell("sharing", { group: id, ...group.sharing });
  }

  /**
   * Asks for one's groups anew. A session is told of every change; this is for who has reason to doubt.
   * @param {{timeout?: number}} [options] how long to wait for the answer, in milliseconds
   */
  async refreshGroups(options) {
    this.#setGroups((await this.request("group.list", {}, options)).groups);
  }

  #applyToRoster(frame) {
    let roster = this.rosters.get(frame.group);
    if (!roster) {
      if (frame.type !== "roster") return;
      roster = new Roster(frame.group);
      this.rosters.set(frame.group, roster);
    }
    const difference = roster.apply(frame);
    if (difference.gone.includes(this.user?.id)) return this.#forgetGroup(frame.group);
    if (!this.groups.has(frame.group)) this.refreshGroups().catch((error) => this.#tell("problem", error));
    this.#tell("roster", { group: frame.group, ...difference });
  }

  #succeeded(frame) {
    this.#requests.succeed(frame, ({ type, group }) => {
      if (frame.group) {
        this.#setGroup(frame.group);
        this.#tell("groups", { groups: this.groups });
      } else if (type === "group.leave" || type === "group.delete") {
        this.#forgetGroup(group);
      }
      if (frame.spots ?? frame.spot) this.#spotWatch.hold(frame.spots ?? [frame.spot]);
      if (frame.spot) this.#tell("spot", { spot: frame.spot });
    });
  }

  #forgetGroup(group) {
    this.groups.delete(group);
    this.rosters.delete(group);
    for (const layer of [`group:${group}`, `events:${group}`]) this.#tiles.forget(layer);
    this.#tell("groups", { groups: this.groups });
  }

  #failed(frame) {
    const error = new MusterError(frame);
    if (frame.code === "bad_fix" && typeof frame.seq === "number") this.#reporter.refuse(frame.seq);
    if (!this.#requests.fail(frame, error)) this.#tell("problem", error);
  }

  #stateChanged(status) {
    if (status.state !== "live") {
      this.#reporter.pause();
      this.#requests.lose();
      this.#rooms.lost();
    }
    this.#tell("state", status);
  }

  #stored(what) {
    return this.#options.storage?.getItem(`muster.${what}.${this.#options.device.key}`) || null;
  }

  #store(what, value) {
    this.#options.storage?.setItem(`muster.${what}.${this.#options.device.key}`, value);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
