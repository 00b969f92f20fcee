import { element } from "../ui/dom.js";
import { isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/**
 * The list of the people in a picture, and of the others with the reason.
 * @param {{member: object, why: string|null}[]} standings
 * @param {string} me
 */
export function pictured(standings, me) {
  const on = standings.filter(({ why }) => why === null);
  const off = standings.filter(({ why }) => why !== null);
  const called = ({ name, user }) => (user === me ? phrase("person.you", { name: isolated(name) }) : name);
  return element("div", { class: "stack", "data-testid": "picture-people" },
    list(phrase("picture.shows", { count: on.length }), "picture-on", on.map(({ member }) => member.sharing === "approximate" ? phrase("picture.approximate", { name: called(member) }) : called(member))),
    list(phrase("picture.without", { count: off.length }), "picture-off", off.map(({ member, why }) => `${called(member)}: ${why}`)));
}

function list(title, testid, lines) {
  if (lines.length === 0) return null;
  return element("section", {}, element("h3", {}, title),
    element("ul", { class: "picture-people", "data-testid": testid }, lines.map((line) => element("li", {}, line))));
}
