import { shares } from "../../muster.js";
import { openPicture, takeBack } from "../shares/view.js";
import { button, element, setText } from "../ui/dom.js";
import { explain, isolated, moment } from "../ui/text.js";

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
    this.view = element("section", { class: "stack", "aria-label": "Map pictures that show me" }, this.#state, this.#list);
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
    setText(this.#state, found.length === 0 ? "No picture that you sent or that shows you can be seen now." : "Anyone with its link can see a picture.");
    this.#onCount(found.length === 0 ? "None" : `${found.length} open`);
  }

  #row({ group, share }) {
    const { me } = this.#session;
    const role = share.by.id === me ? "by you" : `by ${isolated(share.by.name)}`;
    const words = `${isolated(group.name)}, ${role}${share.shown.includes(me) ? ", it shows you" : ""}`;
    const see = button("Show", () => openPicture(this.#session, group.id, share.id, { onGone: () => this.read() }), { class: "small", "aria-label": `Show the picture of ${words}` });
    const back = button("Delete", async () => {
      if (await takeBack(this.#session, share.id)) await this.read();
    }, { class: "small", "aria-label": `Delete the picture of ${words}`, "data-testid": "own-picture-take-back" });
    return element("li", { "data-testid": "own-picture" }, element("span", {}, words), element("span", { class: "hint" }, `until ${moment(share.expiresAt)}`),
      element("div", { class: "row" }, see, back));
  }
}
