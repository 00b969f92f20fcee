import { element } from "./dom.js";
import { initials } from "./text.js";

/** The number of colours, and of patterns per colour. */
const HUES = 12;
const PATTERNS = 3;

let looks = new Map();

/**
 * Assigns each member of a group a look, in the order of ids. Ids rise with time, so a new member changes no existing
 * look.
 *
 * Looks repeat after 36 people; their initials still differ.
 * @param {Iterable<string>} users
 */
export function assignLooks(users) {
  const ordered = [...users].sort(byId);
  looks = new Map(ordered.map((user, index) => [user, index]));
}

/** The order of ids, which exceed the exact range of a number. */
export function byId(one, other) {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

function classes(user) {
  const index = looks.get(user) ?? hash(user);
  return `hue-${index % HUES} pattern-${Math.floor(index / HUES) % PATTERNS}`;
}

function hash(user) {
  let sum = 0;
  for (const digit of user) sum = (sum * 31 + digit.charCodeAt(0)) % 9973;
  return sum;
}

/** A key of everything that a person's avatar depends on; the avatar is redrawn only when it changes. */
export function faceKey(person) {
  return `${person.name}|${person.avatar ?? ""}|${classes(person.user ?? person.id)}`;
}

/**
 * Whether an address is on this server. A picture of another host would reveal to that host the users who look at it.
 */
export function isOwnAddress(address) {
  return typeof address === "string" && new URL(address, location.origin).origin === location.origin;
}

/** A person's picture, or their initials on their colour. */
export function avatar(person, { size = "" } = {}) {
  const letters = element("span", { class: `avatar ${classes(person.user ?? person.id)} ${size}`, "aria-hidden": "true" }, initials(person.name));
  if (person.avatar && isOwnAddress(person.avatar)) {
    const picture = element("img", { alt: "", draggable: "false" });
    picture.addEventListener("error", () => picture.remove());
    picture.src = person.avatar;
    letters.append(picture);
  }
  return letters;
}
