import { directionsTo, shareLink } from "../map/links.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { distance, isolated } from "../ui/text.js";
import { describe, farFrom, presenceWord } from "./person.js";

/** The callout of one person on the map, with the available actions. */
export class Callout {
  #face = element("div", {});
  #name = element("h2", { class: "callout-name" });
  #line = element("p", { class: "callout-line" });
  #far = element("p", { class: "callout-far", "data-testid": "callout-far" });
  #details = element("p", { class: "callout-details" });
  #ask;
  #directions = element("a", { class: "button small", target: "_blank", rel: "noopener noreferrer", "data-testid": "callout-directions" }, "Directions");
  #share;
  #block;
  #report;
  #person = null;
  #shown = "";
  view;

  /**
   * @param {{user: string, link: () => string, onAsk: () => Promise<void>, onBlock: (person: object) => void, onReport:
   *   (person: object) => void, onClose: () => void}} options `link`: the address of this person on the map
   */
  constructor({ user, link, onAsk, onBlock, onReport, onClose }) {
    const close = button("×", onClose, { class: "icon", "aria-label": "Close", "data-testid": "callout-close" });
    this.#ask = button("Ask where", onAsk, { class: "small", "data-testid": `ask-${user}` });
    this.#share = button("Share", () => shareLink(link(), this.#name.textContent), { class: "small", "data-testid": "callout-share" });
    this.#block = button("Block", () => onBlock(this.#person), { class: "small", "data-testid": "callout-block" });
    this.#report = button("Report…", () => onReport(this.#person), { class: "small", "aria-haspopup": "dialog", "data-testid": "callout-report" });
    this.view = element("div", { class: "callout-body", "data-testid": `callout-${user}` },
      element("div", { class: "callout-head" }, this.#face, element("div", { class: "callout-words" }, this.#name, this.#line), close),
      this.#far, this.#details, element("div", { class: "row callout-actions" }, this.#ask, this.#directions, this.#share, this.#block, this.#report));
    this.view.addEventListener("keydown", (event) => {
      if (event.key === "Escape") onClose();
    });
  }

  /** Shows the person's current state; `about` as for `describe`. */
  show(member, about) {
    const { freshness, line } = describe(member, { ...about, here: null });
    this.#person = { id: member.user, name: member.name };
    if (faceKey(member) !== this.#shown) {
      this.#shown = faceKey(member);
      this.#face.replaceChildren(avatar(member, { size: "large" }));
    }
    setText(this.#name, about.isMe ? `${isolated(member.name)} (you)` : member.name);
    setText(this.#line, line);
    const far = about.isMe ? null : farFrom(about.here, member);
    setText(this.#far, far ?? "");
    setShown(this.#far, far !== null);
    const details = [presenceWord(member.presence)];
    if (member.sharing === "approximate" && !about.isMe) details.push("within about a kilometre");
    else if (member.accuracy >= 1) details.push(`± ${distance(member.accuracy)}`);
    if (member.speed >= 0.5 && freshness === "live") details.push(`${Math.round(member.speed * 3.6)} km/h`);
    if (typeof member.battery === "number") details.push(`battery ${Math.round(member.battery * 100)} %`);
    setText(this.#details, details.join(" · "));
    setShown(this.#ask, !about.isMe);
    setShown(this.#block, !about.isMe);
    setShown(this.#report, !about.isMe);
    setText(this.#block, about.blockWord);
    setShown(this.#directions, !about.isMe);
    setAttribute(this.#directions, "href", directionsTo(member));
  }
}
