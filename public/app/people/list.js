import { hasPosition } from "../../muster.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { element, setAttribute, setText } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { capital, isolated } from "../ui/text.js";
import { describe, inOrder, presenceWord } from "./person.js";

/** The members as a list: the same data as the map, in text. One tab stop a person. */
export class MemberList {
  view = element("ul", { class: "members", "aria-label": "Members", "data-testid": "member-list" });
  #rows;

  /** @param {(user: string) => void} onChosen called when a member with a position is chosen */
  constructor(onChosen) {
    this.#rows = new KeyedList(this.view, (user) => memberRow(user, onChosen));
  }

  /** Shows exactly these members. `about` as for `describe`, with `me`. */
  show(members, about) {
    this.#rows.show(inOrder(members, about), (member) => member.user, { ...about, together: new Set(about.gathering?.together ?? []) });
  }
}

function memberRow(user, onChosen) {
  const face = element("span", { class: "face" });
  const name = element("span", { class: "member-name" });
  const line = element("span", { class: "member-line", "data-testid": `member-line-${user}` });
  const badge = element("span", { class: "tag" });
  const choose = element("button", { type: "button", class: "member", "data-testid": `member-${user}` },
    face, element("span", { class: "member-words" }, name, line), badge);
  let current = null;
  let shownFace = "";
  choose.addEventListener("click", () => {
    if (hasPosition(current)) onChosen(user);
  });
  return {
    item: element("li", {}, choose),
    show(member, { me, together, ...about }) {
      current = member;
      const isMe = user === me;
      const described = describe(member, { ...about, isMe });
      const wanted = faceKey(member);
      if (wanted !== shownFace) {
        shownFace = wanted;
        face.replaceChildren(avatar(member), element("span", { class: "dot" }));
      }
      setAttribute(choose, "class", `member ${described.freshness} ${member.presence ?? "offline"}`);
      setAttribute(choose, "aria-disabled", !hasPosition(member));
      setAttribute(choose, "data-name", member.name);
      setAttribute(choose, "data-freshness", described.freshness);
      setAttribute(choose, "data-lat", member.lat ?? "");
      setAttribute(choose, "data-lon", member.lon ?? "");
      setText(name, isMe ? `${isolated(member.name)} (you)` : member.name);
      setText(line, described.freshness === "live" ? described.line : `${capital(presenceWord(member.presence))} · ${described.line}`);
      setText(badge, together.has(user) ? "together" : member.role === "owner" ? "owner" : "");
      setAttribute(badge, "class", together.has(user) ? "tag accent" : "tag");
    },
  };
}
