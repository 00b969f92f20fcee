import { blocked } from "../../muster.js";
import { unblock } from "../people/block.js";
import { focusHeading } from "../shell/focus.js";
import { avatar } from "../ui/avatar.js";
import { button, element, setText } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { explain, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The blocked users by name, each with a button to unblock. */
export class BlockedPeople {
  #session;
  /** The ids of the set when the names were last requested. Before `welcome` the client's set is empty; the server's may not be. */
  #shown = null;
  /** The number of requests for the names. */
  #asked = 0;
  #list = element("ul", { class: "blocked", "aria-label": phrase("blocked.title"), "data-testid": "blocked" });
  #rows;
  #onCount;
  #state = element("p", { class: "hint", role: "status", "data-testid": "blocked-state" });
  view;

  /** @param {object} session @param {(words: string) => void} onCount receives their number in words */
  constructor(session, onCount) {
    this.#session = session;
    this.#onCount = onCount;
    this.#rows = new KeyedList(this.#list, () => this.#row());
    this.view = element("section", { class: "stack", "aria-label": phrase("blocked.title") }, this.#list, this.#state);
  }

  /** Reloads the names when the set of blocked users has changed. */
  async draw() {
    const wanted = [...this.#session.client.rooms.blocked].sort().join(" ");
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    const asked = ++this.#asked;
    try {
      const people = (await blocked(location.origin, this.#session.token)).blocked;
      // The answer to a later request is newer, even when it arrived first.
      if (asked !== this.#asked) return;
      this.#rows.show(people, ({ id }) => id);
      setText(this.#state, people.length === 0 ? phrase("blocked.none") : "");
      this.#onCount(people.length === 0 ? phrase("blocked.nobody") : String(people.length));
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#shown = null;
      setText(this.#state, explain(error));
    }
  }

  #row() {
    const face = element("span", {});
    const name = element("span", { class: "blocked-name" });
    let person = null;
    const free = button(phrase("unblock"), async () => {
      if (!(await unblock(this.#session.client, person))) return;
      this.#shown = null;
      await this.draw();
      focusHeading();
    }, { class: "small", "data-testid": "unblock" });
    return {
      item: element("li", {}, face, name, free),
      show: (shown) => {
        person = shown;
        face.replaceChildren(avatar(person, { size: "small" }));
        setText(name, person.name);
        free.setAttribute("aria-label", phrase("unblock.name", { name: isolated(person.name) }));
      },
    };
  }
}
