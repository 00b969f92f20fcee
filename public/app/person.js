import { freshnessAt, hasPosition } from "../muster.js";
import { element } from "./dom.js";
import { ago, hue, initials } from "./text.js";

/**
 * What the page says about a member: `{freshness, line, label}`.
 * `line` is the short line under a name, `label` all of it in one sentence for screen readers.
 */
export function describe(member, { now, isMe }) {
  const freshness = freshnessAt(member, now);
  const seen = member.at ?? member.lastSeen;
  let line;
  if (member.sharing === "paused" && !isMe) {
    line = "Not sharing";
  } else if (freshness === "unknown") {
    line = member.presence === "offline" && member.lastSeen ? `last seen ${ago(now - member.lastSeen)}` : "No position yet";
  } else if (freshness === "stale") {
    line = `last seen ${ago(now - seen)}`;
  } else {
    line = ago(now - seen);
    if (member.sharing === "approximate") line = `Approximate · ${line}`;
  }
  const name = isMe ? `${member.name} (you)` : member.name;
  return { freshness, line, label: `${name}, ${presenceWord(member.presence)}, ${line}` };
}

/** A presence in words. */
export function presenceWord(presence) {
  return { online: "online", away: "away", offline: "offline" }[presence] ?? "offline";
}

/** A person's picture, or their initials on a colour of their own. */
export function avatar(member, { size = "" } = {}) {
  const letters = element("span", { class: `avatar hue-${hue(member.user ?? member.id)} ${size}`, "aria-hidden": "true" }, initials(member.name));
  if (member.avatar) {
    const picture = element("img", { src: member.avatar, alt: "", referrerpolicy: "no-referrer" });
    picture.addEventListener("error", () => picture.remove());
    letters.append(picture);
  }
  return letters;
}

/** Members in the order in which a list shows them: oneself, then who can be seen, then by name. */
export function inOrder(members, { me, now }) {
  const rank = (member) => (member.user === me ? 0 : hasPosition(member) && freshnessAt(member, now) !== "stale" ? 1 : hasPosition(member) ? 2 : 3);
  return [...members].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name) || (a.user < b.user ? -1 : 1));
}
