import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { describe, inOrder, togetherNow } from "./person.js";

/** The group size from which on the list has a search, and shows only some of each part. */
const CROWD = 20;
const FEW = 5;

/**
 * The members as a list, in two parts: gathered members, and the others.
 *
 * It is one tab stop; arrow keys, Home and End move in it.
 */
export class MemberList {
  #search = element("input", { type: "search", autocomplete: "off", "aria-label": phrase("list.search"), "data-testid": "member-search", oninput: () => this.#redraw() });
  #parts;
  #onChosen;
  #last = null;
  view;

  /** @param {(user: string) => void} onChosen called when a member is chosen */
  constructor(onChosen) {
    this.#onChosen = onChosen;
    this.#parts = [phrase("list.together"), phrase("list.elsewhere")].map((name) => this.#part(name));
    this.view = element("div", { class: "member-list", "data-testid": "member-list" }, element("div", { class: "member-search" }, this.#search), this.#parts.map((part) => part.view));
    this.view.addEventListener("keydown", (event) => this.#move(event));
    this.view.addEventListener("focusin", ({ target }) => this.#rove(target));
  }

  /** Shows exactly these members. `about` as for `describe`, with `me`. */
  show(members, about) {
    this.#last = [members, about];
    const isCrowd = members.length >= CROWD;
    setShown(this.#search.parentElement, isCrowd);
    setAttribute(this.#search, "placeholder", phrase("list.search.count", { count: members.length }));
    const wanted = isCrowd ? this.#search.value.trim().toLowerCase() : "";
    const together = new Set(togetherNow(about.gathering, members, about.asOf ?? about.now).map(({ user }) => user));
    const isGathered = together.size > 1;
    const all = inOrder(members, about);
    const parts = [isGathered ? all.filter(({ user }) => together.has(user)) : [], isGathered ? all.filter(({ user }) => !together.has(user)) : all];
    this.#parts.forEach((part, index) => {
      const found = parts[index].filter(({ name }) => name.toLowerCase().includes(wanted));
      const isCut = isCrowd && wanted === "" && !part.isOpen && isGathered && index === 0 && found.length > FEW;
      part.rows.show(found, (member) => member.user, { ...about, isTogether: index === 0 });
      [...part.list.children].forEach((row, at) => setShown(row, !isCut || at < FEW));
      setText(part.name, isCrowd ? `${part.title} · ${found.length}` : part.title);
      setShown(part.name, isGathered && found.length > 0 && (index === 1 || isCrowd));
      setShown(part.more, isCut);
      setText(part.more, phrase("showAll.count", { count: found.length }));
      setShown(part.view, found.length > 0);
    });
    this.#rove(document.activeElement);
  }

  #redraw() {
    if (this.#last) this.show(...this.#last);
  }

  #part(title) {
    const list = element("ul", { class: "members", "aria-label": title });
    const name = element("h2", { class: "part-name" }, title);
    const more = button("", () => {
      part.isOpen = true;
      this.#redraw();
    }, { class: "text", hidden: true });
    const part = { title, list, name, more, isOpen: false, rows: new KeyedList(list, (user) => memberRow(user, this.#onChosen)), view: element("section", {}, name, list, more) };
    return part;
  }

  get #stops() {
    return [...this.view.querySelectorAll("li:not([hidden]) > .member")];
  }

  #move(event) {
    const stops = this.#stops;
    const at = stops.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, next))].focus();
  }

  // Tab reaches the last focused row, or the first.
  #rove(focused) {
    const stops = this.#stops;
    const held = stops.find((stop) => stop === focused) ?? stops.find((stop) => stop.tabIndex === 0) ?? stops[0];
    for (const stop of stops) setAttribute(stop, "tabindex", stop === held ? 0 : -1);
  }
}

/** A member's row. */
export function memberRow(user, onChosen) {
  const face = element("span", { class: "face" });
  const name = element("span", { class: "member-name" });
  const line = element("span", { class: "member-line", "data-testid": `member-line-${user}` });
  const choose = element("button", { type: "button", class: "member", tabindex: "-1", "data-testid": `member-${user}`, onclick: () => onChosen(user) },
    face, element("span", { class: "member-words" }, name, line));
  let shownFace = "";
  return {
    item: element("li", {}, choose),
    show(member, { me, isTogether = false, ...about }) {
      const isMe = user === me;
      const described = describe(member, { ...about, isMe });
      const wanted = faceKey(member);
      if (wanted !== shownFace) {
        shownFace = wanted;
        face.replaceChildren(avatar(member));
      }
      setAttribute(choose, "class", `member ${isTogether ? "together" : ""} ${described.freshness === "stale" ? "stale" : ""}`);
      setAttribute(choose, "data-name", member.name);
      setAttribute(choose, "data-freshness", described.freshness);
      setAttribute(choose, "data-lat", member.lat ?? "");
      setAttribute(choose, "data-lon", member.lon ?? "");
      setText(name, isMe ? phrase("person.you", { name: isolated(member.name) }) : member.name);
      setText(line, described.line);
    },
  };
}
