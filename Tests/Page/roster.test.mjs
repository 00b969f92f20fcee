/** The members of a group, as the client keeps them. */
import assert from "node:assert/strict";
import test from "node:test";
import { dice } from "./dice.mjs";
import "./page.mjs";

const { Roster, freshnessAt } = await import("/muster.js");

/** A roster to which frames of group 81 were applied. */
function rosterOf(...frames) {
  const roster = new Roster("81");
  for (const frame of frames) roster.apply({ group: "81", ...frame });
  return roster;
}

test("null withdraws a field, and absence keeps it", () => {
  const ada = { user: "7", name: "Ada", avatar: null, role: "owner", presence: "online", sharing: "live", lat: 1, lon: 2, at: 3, freshness: "live" };
  const roster = rosterOf(
    { type: "roster", epoch: "k", version: 1, full: true, gathering: null, members: [ada] },
    { type: "update", version: 2, gone: [], members: [{ user: "7", sharing: "paused", lat: null, lon: null, at: null, freshness: "unknown" }] },
  );
  assert.deepEqual(roster.members.get("7"), { user: "7", name: "Ada", avatar: null, role: "owner", presence: "online", sharing: "paused", freshness: "unknown" });
});

test("a difference to another epoch changes nothing", () => {
  const roster = rosterOf(
    { type: "roster", epoch: "k", version: 9, full: true, gathering: null, members: [{ user: "7", name: "Ada" }] },
    { type: "roster", epoch: "z", version: 3, full: false, members: [{ user: "8", name: "Ben" }], gone: ["7"] },
  );
  assert.deepEqual([...roster.members.keys()], ["7"]);
  assert.deepEqual(roster.resume, { epoch: "k", version: 9 });
});

test("an ended gathering is none", () => {
  const frame = { type: "gathering", gathering: "6", since: 1, place: { lat: 1, lon: 2 }, together: ["7", "8"], absent: [] };
  const roster = rosterOf({ ...frame, state: "together" });
  assert.deepEqual(roster.gathering.together, ["7", "8"]);
  roster.apply({ ...frame, group: "81", state: "ended" });
  assert.equal(roster.gathering, null);
});

test("positions age by themselves", () => {
  const at = 1e12;
  const live = { user: "7", lat: 1, lon: 2, at, freshness: "live" };
  const recent = { ...live, freshness: "recent" };
  for (const [member, minutes, expected] of [
    [live, 4, "live"], [live, 6, "stale"], [recent, 40, "recent"], [recent, 46, "stale"], [{ user: "7" }, 0, "unknown"], [live, -1, "live"], [live, -2, "stale"],
  ]) assert.equal(freshnessAt(member, at + minutes * 60_000), expected, `${member.freshness} after ${minutes} min`);
});

/** The fields of a member as a full roster names them: withdrawn ones are absent, except for the picture. */
const named = (fields) => Object.fromEntries(Object.entries(fields).filter(([field, value]) => value !== null || field === "avatar"));

/** A group that changes, and the frames by which a client hears of it: some lost to conflation, some repeated, some resumed. */
class Group {
  members = new Map();
  changedAt = new Map();
  goneAt = new Map();
  version = 0;
  known = null;
  frames = [];

  constructor(seed) {
    this.random = dice(seed);
  }

  below(count) {
    return Math.floor(this.random() * count);
  }

  /** One change: a member moves, joins, leaves or hides. */
  change() {
    this.version += 1;
    const user = String(1 + this.below(8));
    const hidden = { lat: null, lon: null, at: null };
    if (!this.members.has(user)) this.#set(user, { name: `N${user}`, avatar: null, role: "member", presence: "away", sharing: "live", freshness: "unknown", ...hidden });
    else if (this.random() < 0.1) this.#remove(user);
    else if (this.random() < 0.2) this.#set(user, { ...hidden, sharing: "paused" });
    else this.#set(user, { lat: this.random(), lon: this.random(), at: this.version, sharing: "live" });
  }

  /** A frame about the last changes, or none. */
  send() {
    if (this.known === null || this.random() < 0.03) {
      const members = [...this.members].map(([user, fields]) => ({ user, ...named(fields) }));
      this.frames.push({ type: "roster", epoch: "k", version: this.version, full: true, members, gathering: null });
    } else if (this.random() < 0.5) {
      const since = Math.max(0, this.known - (this.random() < 0.25 ? 2 : 0));
      this.frames.push(this.random() < 0.2 ? { ...this.since(since, "roster"), epoch: "k", full: false } : this.since(since, "update"));
      if (this.random() < 0.2) this.frames.push(this.frames.at(-1));
    } else return;
    this.known = this.version;
  }

  /** The frame with everything after a version. */
  since(version, type) {
    const members = [];
    for (const [user, fields] of this.members) {
      const changes = Object.entries(fields).filter(([field]) => this.changedAt.get(`${user} ${field}`) > version);
      if (changes.length > 0) members.push({ user, ...Object.fromEntries(changes) });
    }
    const gone = [...this.goneAt].filter(([user, at]) => at > version && !this.members.has(user)).map(([user]) => user);
    return { type, version: this.version, members, gone };
  }

  #set(user, fields) {
    this.members.set(user, { ...this.members.get(user), ...fields });
    for (const field of Object.keys(fields)) this.changedAt.set(`${user} ${field}`, this.version);
  }

  #remove(user) {
    this.members.delete(user);
    this.goneAt.set(user, this.version);
  }
}

test("every way of hearing of a group ends in the same roster", () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const group = new Group(seed);
    for (let step = 0; step < 200; step += 1) {
      group.change();
      group.send();
    }
    const roster = rosterOf(...group.frames, group.since(group.known, "update"));
    const expected = Object.fromEntries([...group.members].map(([user, fields]) => [user, { user, ...named(fields) }]));
    assert.deepEqual(Object.fromEntries(roster.members), expected, `seed ${seed}`);
    assert.equal(roster.version, group.version, `seed ${seed}`);
  }
});
