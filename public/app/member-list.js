import { hasPosition } from "../muster.js";
import { element, setText } from "./dom.js";
import { avatar, describe, inOrder, presenceWord } from "./person.js";
import { capital } from "./text.js";

/** The members as a list: the same data as the map, for those who read rather than look. */
export class MemberList {
  view = element("ul", { class: "members", "aria-label": "Members", "data-testid": "member-list" });
  #rows = new Map();
  #onChosen;

  /** @param {(member: object) => void} onChosen told when a member who has a position is chosen */
  constructor(onChosen) {
    this.#onChosen = onChosen;
  }

  /** Shows these members, and nobody else. */
  show(members, { me, now, gathering }) {
    const together = new Set(gathering?.together ?? []);
    const ordered = inOrder(members, { me, now });
    for (const member of ordered) this.#row(member).show(member, { isMe: member.user === me, now, together: together.has(member.user) });
    const shown = new Set(ordered.map((member) => member.user));
    for (const user of this.#rows.keys()) if (!shown.has(user)) this.#rows.delete(user);
    const items = ordered.map((member) => this.#rows.get(member.user).item);
    // Moving an element loses the focus and the reader's place, so the order is touched only when it differs.
    if (items.length !== this.view.children.length || items.some((item, index) => item !== this.view.children[index])) {
      const focused = document.activeElement;
      this.view.replaceChildren(...items);
      if (this.view.contains(focused)) focused.focus();
    }
  }

  #row(member) {
    let row = this.#rows.get(member.user);
    if (row) return row;
    const face = element("span", { class: "face" });
    const name = element("span", { class: "member-name" });
    const line = element("span", { class: "member-line", "data-testid": `member-line-${member.user}` });
    const badge = element("span", { class: "tag" });
    const choose = element("button", { type: "button", class: "member", "data-testid": `member-${member.user}` },
      face, element("span", { class: "member-words" }, name, line), badge);
    let current = member;
    let shownFace = "";
    choose.addEventListener("click", () => {
      if (hasPosition(current)) this.#onChosen(current);
    });
    row = {
      item: element("li", {}, choose),
      show(next, { isMe, now, together }) {
        current = next;
        const described = describe(next, { now, isMe });
        const wanted = `${next.name}|${next.avatar}`;
        if (wanted !== shownFace) {
          shownFace = wanted;
          face.replaceChildren(avatar(next), element("span", { class: "dot" }));
        }
        choose.className = `member ${described.freshness} ${next.presence ?? "offline"}`;
        choose.setAttribute("aria-disabled", String(!hasPosition(next)));
        choose.dataset.name = next.name;
        choose.dataset.freshness = described.freshness;
        setText(name, isMe ? `${next.name} (you)` : next.name);
        setText(line, described.freshness === "live" ? described.line : `${capital(presenceWord(next.presence))} · ${described.line}`);
        setText(badge, together ? "together" : next.role === "owner" ? "owner" : "");
        badge.className = together ? "tag accent" : "tag";
      },
    };
    this.#rows.set(member.user, row);
    return row;
  }
}
