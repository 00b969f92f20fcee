import { freshnessAt, hasPosition } from "../../muster.js";
import { bearing, metresBetween } from "../map/geometry.js";
import { ago, capital, direction, distance, isolated } from "../ui/text.js";

/** The age in milliseconds above which a position is shown with its age. */
const FRESH = 2 * 60_000;

/** The distance in metres below which a member is "next to you". */
const NEXT_TO = 20;

/** The minimum speeds of the activities, in m/s. */
const GAITS = [[8, "driving"], [2.7, "on the move"], [0.6, "walking"]];

/**
 * The page's texts about a member: `{freshness, line, label}`.
 *
 * `line` is the short line under a name, `label` a full sentence for screen readers.
 * @param {object} member
 * @param {{now: number, isMe: boolean, here?: object|null, gathering?: object|null}} about `here`: the user's position
 */
export function describe(member, { now, isMe, here = null, gathering = null }) {
  const freshness = freshnessAt(member, now);
  const line = capital(lineOf(member, { freshness, now, isMe, here, gathering }));
  const name = isMe ? `${isolated(member.name)} (you)` : member.name;
  return { freshness, line, label: `${isolated(name)}, ${presenceWord(member.presence)}, ${line}` };
}

function lineOf(member, { freshness, now, isMe, here, gathering }) {
  const seen = member.at ?? member.lastSeen;
  if (member.sharing === "paused" && !isMe) return "not sharing";
  if (freshness === "unknown") return member.presence === "offline" && member.lastSeen ? `last seen ${ago(now - member.lastSeen)}` : "no position yet";
  const away = isMe || here === null ? null : nearness(metresBetween(here, member));
  if (freshness === "stale") return [`last seen ${ago(now - seen)}`, away].filter(Boolean).join(" · ");
  const age = now - seen > FRESH ? ago(now - seen) : null;
  return [whereabouts(member, { freshness, isMe, gathering }), away, age].filter(Boolean).join(" · ") || (isMe ? "you are here" : "seen just now");
}

function whereabouts(member, { freshness, isMe, gathering }) {
  if (member.sharing === "approximate" && !isMe) return "about here";
  if (gathering?.place?.name && gathering.together.includes(member.user)) return `at ${isolated(gathering.place.name)}`;
  if (freshness !== "live" || !(member.speed > 0)) return null;
  return GAITS.find(([from]) => member.speed >= from)?.[1] ?? null;
}

function nearness(metres) {
  return metres < NEXT_TO ? "next to you" : distance(metres);
}

/** The distance and direction of a member: "1.4 km north-east of you"; null when either position is unknown. */
export function farFrom(here, member) {
  if (here === null || !hasPosition(member)) return null;
  const metres = metresBetween(here, member);
  return metres < NEXT_TO ? "next to you" : `${distance(metres)} ${direction(bearing(here, member))} of you`;
}

/** A presence in words. */
export function presenceWord(presence) {
  return { online: "online", away: "away", offline: "offline" }[presence] ?? "offline";
}

/** The order of members in a list: the user, then members with a current position, then the others, each by name. */
export function inOrder(members, { me, now }) {
  const rank = (member) => (member.user === me ? 0 : hasPosition(member) && freshnessAt(member, now) !== "stale" ? 1 : hasPosition(member) ? 2 : 3);
  return [...members].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name) || (a.user < b.user ? -1 : 1));
}
