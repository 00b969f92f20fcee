/** Fields for which null is a value; for every other field it means that the field is withdrawn. */
const NULLABLE = new Set(["avatar"]);

/** Until when a position counts as live, and, of somebody who stays where they are, as recent. */
const LIVE_FOR = 5 * 60_000;
const RECENT_FOR = 45 * 60_000;

/** How far ahead of now a position may be: clocks differ by that much. */
const AHEAD = 60_000;

/**
 * One group's members as the server last told.
 *
 * Frames of one connection are applied in the order in which they come. Applying a frame twice, or a difference
 * that repeats what is known, changes nothing.
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
    /** The gathering that goes on, as in a `gathering` frame; null when there is none. */
    this.gathering = null;
  }

  /** What to say in `hello` to get only the difference; null when nothing is known yet. */
  get resume() {
    return this.epoch === null ? null : { epoch: this.epoch, version: this.version };
  }

  /**
   * Applies a `roster`, `update` or `gathering` frame.
   * @returns {{changed: string[], gone: string[], gathering: boolean}} whom it changed, who left, and whether the
   *   gathering may have changed
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
      // A difference to something that this client never had; the server does not send it, and it would mislead.
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
 * How fresh a member's position is at `now`. The server says it as of its frame; from then on it ages here.
 * @returns {"live"|"recent"|"stale"|"unknown"}
 */
export function freshnessAt(member, now) {
  if (!hasPosition(member)) return "unknown";
  if (typeof member.at !== "number") return member.freshness ?? "unknown";
  const age = now - member.at;
  // A time far ahead is of a clock that was wrong.
  if (age < -AHEAD) return "stale";
  if (age <= LIVE_FOR) return "live";
  // Only the server knows who stays where they are, and it says so with "recent".
  return age <= RECENT_FOR && member.freshness === "recent" ? "recent" : "stale";
}

/** What one shares, from how a group or a frame says it. */
export function sharingOf(said) {
  if (said === null || said === undefined) return null;
  if (typeof said === "string") return { mode: said, until: null, pictures: true };
  return { mode: said.mode, until: said.until ?? null, pictures: said.pictures ?? true };
}
