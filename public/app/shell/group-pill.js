import { countTogether } from "../people/person.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { element, setAttribute, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { openMenu } from "../ui/menu.js";
import { phrase } from "../ui/words.js";

/** The number of faces of a group. */
const FACES = 3;

/** The name of the shown group, and a menu of all groups, "New group" and "Settings". */
export class GroupPill {
  #session;
  #actions;
  #faces = element("span", { class: "faces tiny", "aria-hidden": "true" });
  #name = element("span", { class: "pill-name" });
  view;

  /**
   * @param {object} session
   * @param {{onChoose: (group: string) => void, onNew: () => void, onSettings: () => void}} actions
   */
  constructor(session, actions) {
    this.#session = session;
    this.#actions = actions;
    this.view = element("button", { type: "button", class: "pill group-pill", "aria-haspopup": "menu", "aria-expanded": "false", "data-testid": "group-switcher", onclick: () => this.#open() },
      this.#faces, this.#name, lineIcon("down"));
  }

  /** Draws the shown group. */
  draw() {
    const { current, client } = this.#session;
    const faces = current === null ? (client.user ? [client.user] : []) : this.#facesOf(current.id);
    const wanted = faces.map(faceKey).join("|");
    if (this.#faces.dataset.drawn !== wanted) {
      this.#faces.dataset.drawn = wanted;
      this.#faces.replaceChildren(...faces.map((person) => avatar(person, { size: "tiny" })));
    }
    setText(this.#name, current?.name ?? (client.user === null ? "Muster" : phrase("group.none")));
    setAttribute(this.view, "data-group", current?.id ?? "");
    setAttribute(this.view, "aria-label", phrase("group.shown", { name: this.#name.textContent }));
  }

  #facesOf(group) {
    return [...(this.#session.client.rosters.get(group)?.members.values() ?? [])].slice(0, FACES);
  }

  #open() {
    const { client, groups, group, current } = this.#session;
    const rows = groups.map(({ id, name }) => {
      const together = countTogether(client.rosters.get(id), { status: client.status, now: client.now() });
      const unread = client.rooms.all.get(id)?.unread ?? 0;
      return {
        isChosen: id === group, action: () => this.#actions.onChoose(id), testid: `group-${id}`,
        content: [
          element("span", { class: "faces tiny", "aria-hidden": "true" }, this.#facesOf(id).map((person) => avatar(person, { size: "tiny" }))),
          element("span", { class: "menu-words" }, element("strong", {}, name), together > 1 ? element("small", {}, phrase("together.count", { count: together })) : null),
          unread > 0 ? element("span", { class: "count", "aria-label": phrase("unread.count", { count: unread }) }, String(unread)) : "",
        ],
      };
    });
    const more = [
      { content: [lineIcon("plus"), phrase("group.new")], action: this.#actions.onNew, testid: "group-new" },
      { content: [lineIcon("settings"), phrase("group.settings")], action: this.#actions.onSettings, testid: "group-menu" },
    ];
    openMenu(this.view, current === null ? more.slice(0, 1) : [...rows, null, ...more], { label: phrase("groups.title"), testid: "groups" });
  }
}
