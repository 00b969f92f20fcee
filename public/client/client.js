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
 * One device of one user, connected to a Muster server.
 *
 * It keeps rosters current, reports fixes until they are durable, and sends and answers requests. It reconnects and
 * resumes by itself.
 *
 * ```js
 * const client = new Client({ url: location.origin, token, device: { key: "web-5f1c", kind: "browser" } });
 * client.addEventListener("roster", ({ detail }) => show(client.rosters.get(detail.group)));
 * client.start();
 * client.report({ lat: 40.7128, lon: -74.006, accuracy: 8 });
 * const { group } = await client.request("group.create", { name: "Sunday climbers" });
 * ```
 *
 * Events (`CustomEvent`, the payload is in `detail`):
 *
 * | event | detail |
 * |---|---|
 * | `state` | `{state, reason, retryAt}`, see `Connection` |
 * | `welcome` | the `welcome` frame |
 * | `groups` | `{groups}`: the map of groups, after it changed, or the name or the settings of one |
 * | `sharing` | `{group, mode, until, then, pictures}`: the user's sharing with a group, after it changed |
 * | `roster` | `{group, changed, gone, gathering}`: ids of members who changed or left |
 * | `alert` | a `left_without_you` frame, each number once |
 * | `notice` | any other notification, such as `mention` or `plan_proposed`, each number once |
 * | `plan_changed`, `plan_gone` | the answers of a group's members to a plan; the removal of the plan from the group |
 * | `rooms` | `{changed}`: ids of rooms whose state changed, see `rooms` |
 * | `chat` | `{room, news}`: the log or the pending messages of a room changed; `news` are new messages |
 * | `typing` | `{room}`: the set of members who type in a room changed |
 * | `seen` | `{notifications}`: numbers of notifications that were seen on another session, or withdrawn |
 * | `self` | the user's own exact position from another device |
 * | `locate` | a request for this device's position; answer with `report(fix, {answer: request})` |
 * | `located`, `locate_expired` | the result of the user's own `locate` |
 * | `new_spot` | `{spot, distance}`: a spot that matches the subscription, each once, see `watchSpots` |
 * | `spot` | `{spot}`: the spot in the answer to the user's own `spot.add` or `spot.vote` |
 * | `tiles` | `{layer, changed}`: tiles that were put, changed or dropped, each `{z, x, y}`, see `watchTiles` |
 * | `spot_changed`, `spot_gone` | `{spot, likes, dislikes}`, `{spot}`: new votes, or the removal, of a spot by its id |
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

  /** The logged-in user and this device, from the `welcome` frame; null before it. */
  user = null;
  device = null;
  session = null;
  /**
   * Groups by id: `{id, name, role, settings, sharing}`.
   *
   * `sharing` is `{mode, until, then, pictures}`, null while the server has not sent it.
   */
  groups = new Map();
  /** Rosters by group id. */
  rosters = new Map();

  /**
   * @param {object} options
   * @param {string} options.url of the server, such as `https://muster.example`
   * @param {string} options.token from `signUp` or `logIn`
   * @param {{key: string, kind: string, name?: string}} options.device `key` is this device's own stable name
   * @param {{getItem: Function, setItem: Function}} [options.storage] keeps the last fix number across reloads, so that
   *   no number is used twice, and the newest known spots; `sessionStorage` in a page
   * @param {number} [options.capacity] of the queue of unacknowledged fixes, see `FixQueue`
   * @param {boolean} [options.rooms] whether the client subscribes to rooms
   * @param {() => number} [options.random] returns 0 … 1
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

  /** The state of the connection: `{state, reason, retryAt}`. */
  get status() {
    return this.#connection.status;
  }

  /** The user's rooms, `Rooms`; empty unless `options.rooms` is set. */
  get rooms() {
    return this.#rooms;
  }

  /** The number of unacknowledged fixes, and the number that the bounded queue dropped. */
  get backlog() {
    return this.#reporter.backlog;
  }

  /** This client's estimate of the server's time, in milliseconds since the Unix epoch. */
  now() {
    return Date.now() + this.#clockOffset;
  }

  /** The known state as plain data, with up to `messages` of each room; for `restore`. */
  snapshot({ messages }) {
    const { user, groups, rosters } = this;
    return {
      user, at: this.now(), blocked: [...this.#rooms.blocked], groups: [...groups.values()],
      rosters: [...rosters.values()].map((roster) => roster.snapshot), rooms: this.#rooms.snapshot(messages),
    };
  }

  /** Takes over the state of an earlier page of the same user, before `start`: the server then sends what is new. */
  restore({ user, blocked, groups, rosters, rooms }) {
    this.user = user;
    this.groups = new Map(groups.map((group) => [group.id, group]));
    this.rosters = new Map(rosters.map((roster) => [roster.group, Roster.restored(roster)]));
    this.#rooms.blocked = new Set(blocked);
    this.#rooms.restore(rooms);
  }

  /** Connects, and stays connected until `stop` or until the server refuses further connections. */
  start() {
    this.#connection.start();
  }

  /** Disconnects. Unacknowledged fixes stay in the queue; pending requests fail. */
  stop() {
    this.#reporter.stop();
    this.#rooms.close();
    this.#connection.stop();
  }

  /** Reconnects at once instead of waiting, or checks that a live connection still answers. */
  hurry() {
    this.#connection.hurry();
  }

  /** Reports that the browser has lost the network: the state changes at once; `hurry` reconnects. */
  goOffline() {
    this.#connection.goOffline();
  }

  /** Reports to the server whether the app is visible; in the background the user counts as away. */
  setForeground(foreground) {
    this.#foreground = foreground;
    this.#connection.send({ type: "state", state: foreground ? "foreground" : "background" });
  }

  /**
   * The saving mode, in which a fix is sent on a significant change only, see `SIGNIFICANT_CHANGE`.
   *
   * The newest withheld fix is sent when the interval is over.
   */
  get isSaving() {
    return this.#reporter.isSaving;
  }

  set isSaving(isSaving) {
    this.#reporter.isSaving = isSaving;
  }

  /** The time at which the last fix was queued for sending, by the server's clock; null before. */
  get reportedAt() {
    return this.#reporter.reportedAt;
  }

  /**
   * Reports a fix. It is sent at once when connected, and kept until it is acknowledged. In saving mode it may be
   * withheld.
   * @param {{lat: number, lon: number, accuracy?: number, at?: number}} fix and the other fields of the protocol
   * @param {{answer?: string, isNow?: boolean}} [options] `answer`: the `locate` request that this fix answers; `isNow`: while
   *   connected, the server dates it by its arrival
   * @returns {boolean} whether it is sent now
   */
  report(fix, options) {
    return this.#reporter.report(fix, options);
  }

  /**
   * Reports that the position is unchanged: the server dates this fix by its arrival.
   *
   * It is not kept while disconnected, because its arrival time would then be wrong. Returns whether it was sent.
   */
  reportStillHere(fix) {
    return this.#reporter.reportStillHere(fix);
  }

  /**
   * Subscribes to added, voted and deleted spots: those near the user's own live position, all, or none.
   *
   * Every reconnect renews the subscription with the newest known spots; the server then sends the missed ones.
   * @param {{scope: "nearby"|"all"|"none", radius?: number}} wanted `radius` in metres, for `nearby`
   * @returns {Promise<boolean>} whether it is in force: false until connected, and with an older server
   */
  watchSpots(wanted) {
    return this.#spotWatch.choose(wanted);
  }

  /**
   * Subscribes to events by the fields of `events.watch`; null unsubscribes. The subscription is renewed after every
   * reconnect.
   *
   * The matching events are in `watchedEvents`; each change dispatches `watched_events`.
   * @returns {Promise<boolean>} whether it is in force
   */
  watchEvents(wanted) {
    return this.#eventWatch.choose(wanted);
  }

  /** Blocks a user, or with false unblocks them. */
  async block(user, isBlocked = true) {
    await this.request(isBlocked ? "user.block" : "user.unblock", { user });
    this.#rooms.setBlocked(user, isBlocked);
  }

  /** The subscribed events: `{events, total, more}`, by id. */
  get watchedEvents() {
    return this.#eventWatch;
  }

  /**
   * Subscribes to the tiles of a layer that cover a box, in place of its previous subscription. Reconnects keep it.
   * @param {{layer: string, zoom: number, bbox: number[]}} wanted `bbox`: west, south, east, north in degrees, 64 tiles
   *   at most
   * @returns {Promise<boolean>} once it is in force; false when the next connection or a newer request follows
   */
  watchTiles(wanted) {
    return this.#tiles.watch(wanted);
  }

  /** Unsubscribes from a layer. */
  unwatchTiles(layer) {
    return this.#tiles.unwatch(layer);
  }

  /** The cached tiles of a subscribed layer, a `TileSet`; null for any other layer. */
  tiles(layer) {
    return this.#tiles.get(layer);
  }

  /**
   * Requests the contents of a cluster: `{count, expansion_zoom, bbox}`. From zoom 17 on no zoom splits it. Its points:
   * `clusterLeaves`.
   */
  cluster(layer, id) {
    return this.request("tiles.cluster", { layer, cluster: id });
  }

  /**
   * Sends a request and returns the fields of its `ok`.
   *
   * While disconnected, the request waits for the connection. When the connection is lost before the answer, it fails
   * with `connection_lost`, because the outcome is unknown.
   * @returns {Promise<object>} rejected with a `MusterError`
   */
  request(type, fields, options) {
    return this.#requests.make(type, fields, options);
  }

  /**
   * Marks notifications as seen; repeats it after a reconnect until the server acknowledges.
   * @param {number|number[]} which all up to a number, or exactly these
   */
  async markSeen(which) {
    this.#seen.add(which);
    await this.#seen.tell();
  }

  /** Frames of the given types in order of arrival: `for await (const {type, detail} of client.events("roster")) …`. */
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
      case "pong":
        // The server's clock may have been set since the `welcome`.
        return this.#clockIs(frame.at);
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
      case "place_arrived":
      case "place_left":
        return this.#notified("notice", frame);
      case "group_place":
        return this.setPlace(frame.place);
      case "group_place_gone":
        return this.#forgetPlace(frame.group, frame.place);
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

  /** Learns the time of the server's clock. */
  #clockIs(at) {
    this.#clockOffset = at - Date.now();
  }

  #welcome(frame) {
    this.user = frame.user;
    this.device = frame.device;
    this.session = frame.session;
    this.#clockIs(frame.at);
    // A group without places has no such field.
    this.#setGroups(frame.groups.map((group) => ({ places: [], ...group })));
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

  // `welcome` and changes carry the user's sharing, but not every frame that names a group does.
  #setGroup(group, before = this.groups.get(group.id)) {
    const sharing = group.sharing === undefined ? (before?.sharing ?? null) : sharingOf(group.sharing);
    this.groups.set(group.id, { ...before, ...group, sharing });
  }

  /** Keeps a place of a group, from a frame for all members or from an answer with the user's own choices. */
  setPlace(place) {
    const group = this.groups.get(place.group);
    if (!group) return;
    const known = (group.places ?? []).find(({ id }) => id === place.id);
    const others = (group.places ?? []).filter(({ id }) => id !== place.id);
    group.places = [...others, { notify: "nobody", muted: false, here: [], ...known, ...place }].sort((a, b) => a.name.localeCompare(b.name));
    this.#tell("groups", { groups: this.groups });
  }

  #forgetPlace(id, place) {
    const group = this.groups.get(id);
    if (!group) return;
    group.places = (group.places ?? []).filter((each) => each.id !== place);
    this.#tell("groups", { groups: this.groups });
  }

  #setSharing(id, { mode, until, then, pictures }) {
    const group = this.groups.get(id);
    if (!group) return;
    group.sharing = sharingOf({ mode, until, then, pictures });
    this.#tell("sharing", { group: id, ...group.sharing });
  }

  /**
   * Requests the user's groups again. A session is notified of every change; this is for a client in doubt.
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
