import { hasPosition } from "../../muster.js";
import { phrase } from "../ui/words.js";

/** The age at which a position is excluded from pictures, in milliseconds. */
const LONGEST_AGE = 86_400_000;

/**
 * The reason why a member cannot be in a picture, in words; null when they can, as far as the roster shows.
 * @param {object} member from the roster
 * @param {{me: string, now: number, pictures: boolean}} about `pictures`: whether the user allows pictures of
 *   themselves
 */
export function obstacle(member, { me, now, pictures }) {
  if (member.user === me && !pictures) return phrase("picture.not.chosen.you");
  if (member.sharing === "paused") return phrase("picture.not.hidden");
  if (!hasPosition(member)) return phrase("picture.not.position");
  if (now - member.at > LONGEST_AGE) return phrase("picture.not.day");
  return null;
}

/** The members of a group, each with the reason against a picture: `{member, why}`, in the order of their names. */
export function standings(session, group) {
  const about = { me: session.me, now: session.now, pictures: session.sharing(group).pictures };
  const members = [...(session.client.rosters.get(group)?.members.values() ?? [])];
  return members.sort((one, other) => one.name.localeCompare(other.name)).map((member) => ({ member, why: obstacle(member, about) }));
}

/** The same after the creation of a picture. A member who could be in it and is not has declined pictures. */
export function outcomes(session, group, shown) {
  return standings(session, group).map(({ member, why }) => {
    if (shown.includes(member.user)) return { member, why: null };
    return { member, why: why ?? phrase("picture.not.chosen") };
  });
}
