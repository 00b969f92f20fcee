import { element } from "../ui/dom.js";
import { counted, isolated } from "../ui/text.js";

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
    list(`Shows ${counted(on.length, "person", "people")}`, "picture-on", on.map(({ member }) => `${called(member)}${member.sharing === "approximate" ? ", within 1 km" : ""}`)),
    list(`Without ${counted(off.length, "person", "people")}`, "picture-off", off.map(({ member, why }) => `${called(member)}: ${why}`)));
}

function list(title, testid, lines) {
  if (lines.length === 0) return null;
  return element("section", {}, element("h3", {}, title),
    element("ul", { class: "picture-people", "data-testid": testid }, lines.map((line) => element("li", {}, line))));
}
