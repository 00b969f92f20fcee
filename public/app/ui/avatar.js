import { element } from "./dom.js";
import { initials, twoLetters } from "./names.js";

/** The number of colours. */
const HUES = 12;

/** The letters of members whose initials are those of another member, by their ids. */
let letters = new Map();

/**
 * Gives two letters to each of these members whose initial is that of another one.
 * @param {Iterable<{user: string, name: string}>} members
 */
export function tellApart(members) {
  const alike = new Map();
  for (const { user, name } of members) {
    const sign = initials(name);
    alike.set(sign, [...(alike.get(sign) ?? []), { user, name }]);
  }
  letters = new Map();
  for (const [sign, those] of alike) {
    if (those.length < 2 || sign.length > 1) continue;
    for (const { user, name } of those) letters.set(user, twoLetters(name));
  }
}

/** The order of ids, which exceed the exact range of a number. */
export function byId(one, other) {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

/**
 * A person's colour, 0 … 11: FNV-1a with 32 bits over the digits of the id.
 *
 * The server has the same rule (`Badge.swift`); `Tests/Fixtures/colours.json` has test cases for both.
 */
export function hueOf(user) {
  let hash = 0x811c9dc5;
  for (const digit of user) hash = Math.imul(hash ^ digit.charCodeAt(0), 0x01000193);
  return (hash >>> 0) % HUES;
}

const idOf = (person) => String(person.user ?? person.id);

const lettersOf = (person) => letters.get(idOf(person)) ?? initials(person.name);

/** A key of everything that a person's avatar depends on; the avatar is redrawn only when it changes. */
export function faceKey(person) {
  return `${idOf(person)}|${lettersOf(person)}|${person.avatar ?? ""}`;
}

/**
 * Whether an address is on this server. A picture of another host would reveal to that host the users who look at it.
 */
export function isOwnAddress(address) {
  return typeof address === "string" && new URL(address, location.origin).origin === location.origin;
}

/** A person's picture, or their initials on their colour. */
export function avatar(person, { size = "" } = {}) {
  const face = element("span", { class: `avatar hue-${hueOf(idOf(person))} ${size}`, "aria-hidden": "true" }, lettersOf(person));
  if (person.avatar && isOwnAddress(person.avatar)) {
    const picture = element("img", { alt: "", draggable: "false" });
    picture.addEventListener("error", () => picture.remove());
    picture.src = person.avatar;
    face.append(picture);
  }
  return face;
}
