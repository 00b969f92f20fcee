/** Fields for which null is a value; for every other field it means that the field is withdrawn. */
const NULLABLE = new Set(["avatar"]);

/** The maximum age of a live position, and of a recent one of a member who stays in place, in milliseconds. */
const LIVE_FOR = 5 * 60_000;
const RECENT_FOR = 45 * 60_000;

/** How far ahead of now a position may be: clocks differ by that much. */
const AHEAD = 60_000;

/**
 * The members of one group, as of the server's last frame.
 *
 * Frames of one connection are applied in order of arrival. Applying a frame twice, or a difference that repeats known
 * values, changes nothing.
 */
export class Roster {
  /** @param {string} group the group's id */
  constructor(group) {
    this.group = group;
    /** Versions compare only within one epoch; null before the first roster. */
    this.epoch = null;
    this.version = 0;
    /** Members by user id, in the order in which the server first named them. */
    this.members = new Map();
    /** The current gathering, as in a `gathering` frame; null when there is none. */
    this.gathering = null;
  }

  /** The value in `hello` that requests only the difference; null when nothing is known yet. */
  get resume() {
    return this.epoch === null ? null : { epoch: this.epoch, version: this.version };
  }

  /** The state as plain data, for `restored`. */
  get snapshot() {
    const { group, epoch, version, members, gathering } = this;
    return { group, epoch, version, members: [...members.values()], gathering };
  }

  /** A roster with the state of a `snapshot`. */
  static restored({ group, members, ...state }) {
    return Object.assign(new Roster(group), state, { members: new Map(members.map((member) => [member.user, member])) });
  }

  /**
   * Applies a `roster`, `update` or `gathering` frame.
   * @returns {{changed: string[], gone: string[], gathering: boolean}} the changed members, the members who left, and
   *   whether the gathering may have changed
   */
  apply(frame) {
    switch (frame.type) {
      case "roster":
        return this.#applyRoster(frame);
      case "update":
        return this.#applyUpdate(frame);
      case "gathering":
        this.#setGathering(frame);
        return { changed: [], gone: [], gathering: true };
      default:
        throw new TypeError(`a roster knows nothing of ${frame.type}`);
    }
  }

  #applyRoster(frame) {
    const gone = [];
    if (frame.full) {
      const named = new Set(frame.members.map((member) => member.user));
      gone.push(...[...this.members.keys()].filter((user) => !named.has(user)));
      this.members.clear();
    } else if (frame.epoch !== this.epoch) {
      // A difference to a state that this client never had would mislead; the server does not send one.
      return { changed: [], gone: [], gathering: false };
    }
    this.epoch = frame.epoch;
    this.version = frame.version;
    gone.push(...this.#remove(frame.gone ?? []));
    const changed = this.#merge(frame.members);
    if (frame.gathering !== undefined) this.#setGathering(frame.gathering);
    return { changed, gone, gathering: frame.gathering !== undefined };
  }

  #applyUpdate(frame) {
    if (this.epoch === null || frame.version < this.version) return { changed: [], gone: [], gathering: false };
    this.version = frame.version;
    return { changed: this.#merge(frame.members), gone: this.#remove(frame.gone ?? []), gathering: false };
  }

  #merge(changes) {
    for (const change of changes) {
      const member = this.members.get(change.user) ?? { user: change.user };
      for (const [field, value] of Object.entries(change)) {
        if (value === null && !NULLABLE.has(field)) delete member[field];
        else member[field] = value;
      }
      if (member.presence === "online") delete member.lastSeen;
      this.members.set(change.user, member);
    }
    return changes.map((change) => change.user);
  }

  #remove(users) {
    return users.filter((user) => this.members.delete(user));
  }

  #setGathering(gathering) {
    this.gathering = gathering === null || gathering.state === "ended" ? null : { ...gathering };
  }
}

/** Whether a member's position is known. */
export function hasPosition(member) {
  return typeof member.lat === "number" && typeof member.lon === "number";
}

/**
 * The freshness of a member's position at `now`. The server states it as of its frame; the client ages it from then on.
 * @returns {"live"|"recent"|"stale"|"unknown"}
 */
export function freshnessAt(member, now) {
  if (!hasPosition(member)) return "unknown";
  if (typeof member.at !== "number") return member.freshness ?? "unknown";
  const age = now - member.at;
  // A time far ahead is of a clock that was wrong.
  if (age < -AHEAD) return "stale";
  if (age <= LIVE_FOR) return "live";
  // Only the server knows whether a member stays in place; it then sends "recent".
  return age <= RECENT_FOR && member.freshness === "recent" ? "recent" : "stale";
}

/** The user's sharing, normalised from its forms in a group or a frame. */
export function sharingOf(said) {
  if (said === null || said === undefined) return null;
  if (typeof said === "string") return { mode: said, until: null, then: null, pictures: true };
  return { mode: said.mode, until: said.until ?? null, then: said.then ?? null, pictures: said.pictures ?? true };
}
