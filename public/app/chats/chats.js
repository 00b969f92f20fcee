import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { excerpt, isolated, moment } from "../ui/text.js";
import { showUnread } from "./badge.js";
import { Conversation } from "./conversation.js";
import { author, inShort, roomName } from "./words.js";

/** The maximum length of the last message in the list. */
const LINE = 80;

/**
 * The user's chats in groups and events, under People: `#/g/81/people/chats`, and one of them:
 * `#/g/81/people/chats/81`.
 */
export class Chats {
  #session;
  #go;
  #room = null;
  #isShown = false;
  #list = element("ul", { class: "chat-list", "aria-label": "Chats", "data-testid": "chats" });
  #rows;
  #overview;
  #conversation;
  view;

  /**
   * @param {{session: object, go: (rest: string[]) => void, onEvent: (id: string) => void, onBack: () => void}} options
   */
  constructor({ session, go, onEvent, onBack }) {
    this.#session = session;
    this.#go = go;
    this.#rows = new KeyedList(this.#list, (id) => this.#row(id));
    const back = button("‹ People", onBack, { class: "link", "data-testid": "chats-back" });
    this.#overview = element("section", { class: "stack chats-overview" }, back, element("h2", {}, "Chats"), this.#list);
    this.#conversation = new Conversation({ session, onEvent, onBack: () => go(["chats"]) });
    this.view = element("div", { class: "chats", "data-testid": "chats-panel", hidden: true }, this.#overview, this.#conversation.view);
    for (const type of ["rooms", "chat", "groups"]) session.client.addEventListener(type, () => this.draw());
  }

  /** Shows the list or a room; null shows nothing. */
  show(rest) {
    this.#isShown = rest !== null;
    this.#room = rest?.[0] ?? null;
    setShown(this.view, this.#isShown);
    this.draw();
  }

  /** Draws the shown view. */
  draw() {
    const { rooms, groups } = this.#session.client;
    const isOpen = this.#isShown && this.#room !== null;
    setShown(this.#overview, !isOpen);
    this.#conversation.show(isOpen ? this.#room : null);
    if (!this.#isShown || isOpen) return;
    const known = [...rooms.all.values()].filter(({ id, event }) => groups.has(id) || event !== null);
    known.sort((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0) || Number(BigInt(b.id) - BigInt(a.id)));
    this.#rows.show(known, ({ id }) => id);
  }

  #row(id) {
    const name = element("span", {});
    const kind = element("span", { class: "tag", "data-testid": "chat-kind" }, "event");
    const title = element("strong", { class: "chat-name" }, name, " ", kind);
    const line = element("span", { class: "chat-line", "data-testid": "chat-last" });
    const when = element("time", { class: "chat-when" });
    const badge = element("span", { class: "badge", "data-testid": "chat-unread" });
    const open = element("button", { type: "button", class: "chat", "data-testid": `chat-${id}` }, title, when, line, badge);
    open.addEventListener("click", () => this.#go(["chats", id]));
    return {
      item: element("li", {}, open),
      show: (room) => {
        const { client, me } = this.#session;
        const { last } = room;
        setText(name, roomName(client, id));
        setShown(kind, room.event !== null);
        setText(line, last ? `${isolated(author(last, { me }))}: ${isolated(excerpt(inShort(last, { me }), LINE))}` : "Nothing said yet");
        setText(when, last ? moment(last.at) : "");
        if (last) setAttribute(when, "datetime", new Date(last.at).toISOString());
        showUnread(badge, room);
      },
    };
  }
}
