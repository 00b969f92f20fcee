import { hasPosition } from "../../muster.js";

/** A position of this age is on no picture, in milliseconds. */
const LONGEST_AGE = 86_400_000;

/**
 * Why somebody cannot be on a picture, in words; null when they can, as far as the roster knows.
 * @param {object} member as the roster has them
 * @param {{me: string, now: number, pictures: boolean}} about `pictures`: whether one wants to be on pictures oneself
 */
export function obstacle(member, { me, now, pictures }) {
  if (member.user === me && !pictures) return "you chose to be on no pictures";
  if (member.sharing === "paused") return "paused";
  if (!hasPosition(member)) return "nobody knows where";
  if (now - member.at > LONGEST_AGE) return "not heard of for a day";
  return null;
}

/** The members of a group, with why they cannot be on a picture: `{member, why}`, in the order of their names. */
export function standings(session, group) {
  const about = { me: session.me, now: session.now, pictures: session.sharing(group).pictures };
  const members = [...(session.client.rosters.get(group)?.members.values() ?? [])];
  return members.sort((one, other) => one.name.localeCompare(other.name)).map((member) => ({ member, why: obstacle(member, about) }));
}

/** The same once a picture was made, by who is on it: who could be and is not does not want to. */
export function outcomes(session, group, shown) {
  return standings(session, group).map(({ member, why }) => {
    if (shown.includes(member.user)) return { member, why: null };
    return { member, why: why ?? "wants to be on no pictures" };
  });
}
