import { shares } from "../../muster.js";
import { openPicture, takeBack } from "../shares/view.js";
import { button, element, setText } from "../ui/dom.js";
import { explain, isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The visible share pictures that the user created or is in, of all groups, each with a button to revoke it. */
export class OwnPictures {
  #session;
  #list = element("ul", { class: "own-pictures", "data-testid": "own-pictures" });
  #state = element("p", { class: "hint", role: "status", "data-testid": "own-pictures-state" });
  #reading = 0;
  #onCount;
  view;

  /** @param {object} session @param {(words: string) => void} onCount receives their number in words */
  constructor(session, onCount) {
    this.#session = session;
    this.#onCount = onCount;
    this.view = element("section", { class: "stack", "aria-label": phrase("pictures.title") }, this.#state, this.#list);
  }

  /** Reloads the pictures. */
  async read() {
    const number = ++this.#reading;
    const { groups, me, token } = this.#session;
    const found = [];
    try {
      for (const group of groups) {
        for (const share of await shares(location.origin, token, group.id)) {
          if (share.by.id === me || share.shown.includes(me)) found.push({ group, share });
        }
      }
    } catch (error) {
      return setText(this.#state, explain(error));
    }
    if (number !== this.#reading) return;
    this.#list.replaceChildren(...found.map((each) => this.#row(each)));
    setText(this.#state, found.length === 0 ? phrase("pictures.none") : phrase("pictures.hint"));
    this.#onCount(found.length === 0 ? phrase("pictures.none.short") : phrase("pictures.open", { count: found.length }));
  }

  #row({ group, share }) {
    const { me } = this.#session;
    const role = share.by.id === me ? phrase("byYou") : phrase("by", { name: isolated(share.by.name) });
    const words = `${isolated(group.name)}, ${role}${share.shown.includes(me) ? phrase("pictures.shows") : ""}`;
    const see = button(phrase("show"), () => openPicture(this.#session, group.id, share.id, { onGone: () => this.read() }), { class: "small", "aria-label": phrase("pictures.show", { words }) });
    const back = button(phrase("delete"), async () => {
      if (await takeBack(this.#session, share.id)) await this.read();
    }, { class: "small", "aria-label": phrase("pictures.delete", { words }), "data-testid": "own-picture-take-back" });
    return element("li", { "data-testid": "own-picture" }, element("span", {}, words), element("span", { class: "hint" }, phrase("pictures.until", { when: moment(share.expiresAt) })),
      element("div", { class: "row" }, see, back));
  }
}
