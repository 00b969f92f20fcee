import { element } from "../ui/dom.js";
import { isolated } from "../ui/text.js";

/**
 * The list of the people in a picture, and of the others with the reason.
 * @param {{member: object, why: string|null}[]} standings
 * @param {string} me
 */
export function pictured(standings, me) {
  const on = standings.filter(({ why }) => why === null);
  const off = standings.filter(({ why }) => why !== null);
  const called = ({ name, user }) => (user === me ? `${isolated(name)} (you)` : name);
  return element("div", { class: "stack", "data-testid": "picture-people" },
    list("On it", "picture-on", on.map(({ member }) => `${called(member)}${member.sharing === "approximate" ? ", within about a kilometre" : ""}`)),
    list("Not on it", "picture-off", off.map(({ member, why }) => `${called(member)}: ${why}`)));
}

function list(title, testid, lines) {
  if (lines.length === 0) return null;
  return element("section", {}, element("h3", {}, `${isolated(title)} (${lines.length})`),
    element("ul", { class: "picture-people", "data-testid": testid }, lines.map((line) => element("li", {}, line))));
}
