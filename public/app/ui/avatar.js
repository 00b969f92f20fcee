import { element } from "./dom.js";
import { initials } from "./text.js";

/** How many colours there are, and in how many patterns each comes. */
const HUES = 12;
const PATTERNS = 3;

let looks = new Map();

/**
 * Gives everybody in a group a look of their own, in the order of their ids: ids rise with time, so who joins later
 * changes nobody's look. Looks repeat after 36 people; their initials still differ.
 * @param {Iterable<string>} users
 */
export function assignLooks(users) {
  const ordered = [...users].sort(byId);
  looks = new Map(ordered.map((user, index) => [user, index]));
}

/** The order of ids, which are numbers too great for a number. */
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

/** What a person's picture depends on: drawn anew only when this changes. */
export function faceKey(person) {
  return `${person.name}|${person.avatar ?? ""}|${classes(person.user ?? person.id)}`;
}

/** Only pictures of this server are shown: a foreign one would tell its host who looks at whom. */
export function isOwnAddress(address) {
  return typeof address === "string" && new URL(address, location.origin).origin === location.origin;
}

/** A person's picture, or their initials on a colour of their own. */
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
