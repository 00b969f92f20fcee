import { freshnessAt, hasPosition } from "../../muster.js";
import { bearing, metresBetween } from "../map/geometry.js";
import { capital, people } from "../ui/names.js";
import { direction, distance, isolated, moment } from "../ui/text.js";
import { ago } from "../ui/times.js";
import { phrase } from "../ui/words.js";

/** The age in milliseconds above which a position is shown with its age, and above which it is not on the map. */
const FRESH = 2 * 60_000;
const GONE = 12 * 3_600_000;

/** The distance in metres below which a member is "next to you". */
const NEXT_TO = 20;

/** The minimum speeds of the activities, in m/s. */
const GAITS = [[8, "driving"], [2.7, "moving"], [0.6, "walking"]];

/**
 * The page's texts about a member: `{freshness, isOld, line, label}`.
 *
 * `line` is the short line under a name, `label` a full sentence for screen readers; `isOld`: the position has an age.
 * @param {object} member
 * @param {{now: number, asOf?: number|null, isMe: boolean, here?: object|null, gathering?: object|null, names?: Map<string, string>}} about
 *   `asOf`: the time of the last connection, null while there is one; `here`: the user's position; `names`: those of the
 *   group's members
 */
export function describe(member, { now: present, asOf = null, isMe, here = null, gathering = null, names = new Map() }) {
  // This device knows its own position without a connection.
  const isPast = asOf !== null && !isMe;
  const now = isPast ? asOf : present;
  const when = (at) => (isPast ? moment(at, present) : ago(present - at));
  const freshness = freshnessAt(member, now);
  const isOld = hasPosition(member) && (isPast || now - (member.at ?? now) > FRESH);
  const about = { freshness, isOld, isPast, isMe, here, gathering, when, seen: member.at ?? member.lastSeen ?? now };
  const name = isolated(isMe ? phrase("person.you", { name: member.name }) : member.name);
  const with_ = isTogether(member, gathering) ? companions(member, { isPast, gathering, names }) : null;
  const label = [name, with_, farFrom(isMe ? null : here, member, { isShort: true }), ageOf(member, about)].filter(Boolean).join(", ");
  return { freshness, isOld, line: capital(lineOf(member, about)), label };
}

function lineOf(member, { freshness, isOld, isPast, isMe, here, gathering, when, seen }) {
  if (member.sharing === "paused" && !isMe) return phrase("person.hidden");
  if (freshness === "unknown") return member.presence === "offline" && member.lastSeen ? phrase("person.lastSeen", { when: when(member.lastSeen) }) : phrase("person.unplaced");
  if (isMe) return isOld ? phrase("person.me.old", { when: when(seen) }) : phrase("person.me");
  const far = here === null || isAbout(member) ? null : nearness(metresBetween(here, member));
  if (freshness === "stale") return [phrase("person.lastSeen", { when: when(seen) }), far].filter(Boolean).join(" · ");
  const age = isPast ? phrase("person.asOf", { when: when(seen) }) : isOld ? when(seen) : null;
  return [far, whereabouts(member, { isOld, gathering }), age].filter(Boolean).join(" · ") || phrase("person.seen", { when: when(seen) });
}

function ageOf(member, { isOld, isMe, when, seen }) {
  if (member.sharing === "paused" && !isMe) return phrase("person.hidden");
  if (!hasPosition(member)) return phrase("person.unplaced");
  const age = isOld || !member.at ? phrase("person.lastSeen", { when: when(seen) }) : phrase("time.now");
  return isAbout(member) && !isMe ? `${phrase("within1km")}, ${age}` : age;
}

/** Whether others see only the area of a member. */
export function isAbout(member) {
  return member.sharing === "approximate";
}

function isTogether(member, gathering) {
  return gathering?.together.includes(member.user) === true;
}

function companions(member, { isPast, gathering, names }) {
  const others = gathering.together.filter((user) => user !== member.user).map((user) => names.get(user)).filter(Boolean);
  if (others.length === 0) return null;
  return isPast ? phrase("person.companions.past", { names: people(others) }) : phrase("person.companions", { names: people(others) });
}

function whereabouts(member, { isOld, gathering }) {
  if (isAbout(member)) return phrase("within1km");
  if (gathering?.place?.name && isTogether(member, gathering)) return phrase("person.at", { place: isolated(gathering.place.name) });
  return isOld ? null : gaitOf(member);
}

/** What a member who moves does, such as "walking"; null for one who stays. */
export function gaitOf(member) {
  if (!(member.speed > 0) || isAbout(member)) return null;
  const gait = GAITS.find(([from]) => member.speed >= from)?.[1];
  return gait ? phrase(`gait.${gait}`) : null;
}

function nearness(metres) {
  return metres < NEXT_TO ? phrase("person.nextTo") : distance(metres);
}

/** The distance and direction of a member: "1.4 km north-east of you", in short "1.4 km north-east"; null when it is not known. */
export function farFrom(here, member, { isShort = false } = {}) {
  if (here === null || !hasPosition(member) || isAbout(member)) return null;
  const metres = metresBetween(here, member);
  if (metres < NEXT_TO) return phrase("person.nextTo");
  const values = { distance: distance(metres), direction: direction(bearing(here, member)) };
  return isShort ? phrase("person.far.short", values) : phrase("person.far", values);
}

/** Whether a member is on the map: with a position that is at most twelve hours old. */
export function isOnMap(member, now) {
  return hasPosition(member) && now - (member.at ?? now) <= GONE;
}

/** The members who are together now: those of the gathering whose position is current. */
export function togetherNow(gathering, members, now) {
  return members.filter((member) => isTogether(member, gathering) && member.presence !== "offline" && ["live", "recent"].includes(freshnessAt(member, now)));
}

/** The number of members of a roster who are together now; 0 without a connection, when nobody knows. */
export function countTogether(roster, { status, now }) {
  if (status.state !== "live" || !roster?.gathering) return 0;
  return togetherNow(roster.gathering, [...roster.members.values()], now).length;
}

/** The order of members in a list: those with a current position, then the others, each by name; the user is last of the first. */
export function inOrder(members, { me, now, asOf = null }) {
  const rank = (member) => (member.user === me ? 1 : hasPosition(member) && freshnessAt(member, asOf ?? now) !== "stale" ? 0 : hasPosition(member) ? 2 : 3);
  return [...members].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name) || (a.user < b.user ? -1 : 1));
}
