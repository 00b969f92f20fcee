import { avatar, faceKey, hueOf } from "../ui/avatar.js";
import { element, setAttribute, setShown, setText } from "../ui/dom.js";
import { isolated, moment } from "../ui/text.js";
import { lasting } from "../ui/times.js";
import { phrase } from "../ui/words.js";
import { describe, gaitOf } from "./person.js";

/** The number of faces of a pill. */
const FACES = 3;

/** The length of a name in a label, and the width of a letter and the edges of a label in pixels. */
const LONGEST = 14;
const LETTER = 7.4;
const EDGES = 16;

/** The size of a face with its ring, and the height of a label with its gap, in pixels. */
const FACE = 46;
const LABEL = 24;

/** The minimum speed of a heading, in m/s. */
const HEADING = 0.6;

/** The first word of a name, with the first letter of the last one when another member has the same. */
export function shortName(member, members) {
  const words = member.name.split(/\s+/).filter(Boolean);
  const isAlike = words.length > 1 && members.some((each) => each.user !== member.user && each.name.split(/\s+/)[0] === words[0]);
  const name = isAlike ? `${words[0]} ${[...words.at(-1)][0]}.` : words[0] ?? "?";
  const letters = [...name];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : name;
}

/**
 * What a marker of these members shows: `{lead, faces, name, note, kinds}`.
 * @param {object[]} members of one place on the screen
 * @param {{me: string, now: number, asOf: number|null, all: object[], together: Set<string>, since: number|null, selected: string|null}} about
 *   `all`: the members of the group; `together`: the ids of those who are together, since `since`
 */
export function lookOf(members, about) {
  const { me, now, together } = about;
  const own = members.find(({ user }) => user === me);
  const lead = members.find(({ user }) => user === about.selected) ?? own ?? members.find(({ user }) => together.has(user)) ?? members[0];
  const faces = [lead, ...members.filter((each) => each !== lead)].slice(0, FACES);
  const nameOf = (member) => (member.user === me ? phrase("you") : isolated(shortName(member, about.all)));
  const gathered = members.filter(({ user }) => together.has(user)).length;
  if (members.length > 1) {
    const isGathering = gathered > 1 && gathered >= together.size;
    const [first, second] = faces.map(nameOf);
    const rest = members.length - 2;
    const name = isGathering ? gatheringWords(about) : rest === 0 ? `${first}, ${second}` : `${first}, ${second} +${rest}`;
    return { lead, faces, name, note: "", kinds: ["pill", gathered > 1 && "together", isGathering && "gathering", about.asOf !== null && "past", own && "me"].filter(Boolean) };
  }
  const isMe = lead === own;
  const { isOld } = describe(lead, { now, asOf: about.asOf, isMe });
  const isArea = lead.sharing === "approximate";
  const note = isArea && !isMe ? phrase("within1km") : isOld ? (about.asOf === null ? lasting(now - lead.at) : moment(lead.at ?? about.asOf, now)) : gaitOf(lead) === null || isMe ? "" : `· ${gaitOf(lead)}`;
  return { lead, faces, name: nameOf(lead), note, kinds: [isMe && "me", isOld && "stale", isArea && "area", together.has(lead.user) && "together"].filter(Boolean) };
}

/** "Together · 12 min"; without a connection "Were together, 17:42". */
export function gatheringWords({ since, now, asOf }) {
  if (asOf !== null) return phrase("gathering.past", { when: moment(asOf, now) });
  return since === null || now - since < 60_000 ? phrase("gathering") : phrase("gathering.lasting", { time: lasting(now - since) });
}

/**
 * The extent of a marker around its position, in pixels.
 * @param {{isWhole?: boolean}} [options] without it, the label of a stale member takes no room: it is hidden first
 */
export function sizeOf({ faces, name, note, kinds }, count, { isWhole = false } = {}) {
  const label = ([...name].length + (note ? [...note].length + 1 : 0)) * LETTER + EDGES;
  const face = kinds.includes("pill") ? 16 + 24 * faces.length + (count > FACES ? 32 : 0) : FACE;
  const hasLabel = isWhole || !kinds.includes("stale") || kinds.includes("me");
  return { width: hasLabel ? Math.max(face, label) : face, above: FACE / 2, below: FACE / 2 + (hasLabel ? LABEL : 0) };
}

/** The box of the label of a marker at a position, for its `sizeOf` with the label: `[left, top, right, bottom]`. */
export function labelBox(x, y, { width, below }) {
  return [x - width / 2, y + FACE / 2, x + width / 2, y + below];
}

/** Draws a marker into its pin. */
export function drawMarker(pin, look, members, { isSelected, isWalkable }) {
  const { lead, faces, name, note, kinds } = look;
  const drawn = `${members.length}|${faces.map(faceKey).join("|")}`;
  if (pin.dataset.faces !== drawn) {
    pin.dataset.faces = drawn;
    const more = members.length - faces.length;
    pin.replaceChildren(
      element("span", { class: "who-wedge" }),
      element("span", { class: "who-face" }, faces.map((member) => avatar(member, { size: members.length > 1 ? "small" : "" })), more > 0 ? element("span", { class: "who-more" }, `+${more}`) : null),
      element("span", { class: "who-label" }, element("b", {}), element("small", {})));
  }
  setAttribute(pin, "class", `who hue-${hueOf(lead.user)} ${kinds.join(" ")}${isSelected ? " selected" : ""}${isWalkable ? " walkable" : ""}`);
  const [wedge, , label] = pin.children;
  const isHeading = members.length === 1 && lead.speed >= HEADING && typeof lead.course === "number" && !kinds.includes("stale") && !kinds.includes("area");
  setShown(wedge, isHeading);
  if (isHeading) wedge.style.setProperty("--course", `${lead.course}deg`);
  setText(label.firstElementChild, name);
  setText(label.lastElementChild, note === "" ? "" : ` ${note}`);
}
