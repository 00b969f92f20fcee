import { phrase } from "../ui/words.js";
import { RoomMembers } from "./members.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { KeyedList } from "../ui/list.js";
import { excerpt } from "../ui/names.js";
import { isolated, moment } from "../ui/text.js";
import { showUnread } from "./badge.js";
import { Conversation } from "./conversation.js";
import { author, inShort, roomName } from "./words.js";

export const route = "chat";
export const layer = null;

/** The maximum length of the last message in the list. */
const LINE = 80;

/** The panel of the user's chats in groups and events: `#/g/81/chat`, and one of them: `#/g/81/chat/81`. */
export function panel(context) {
  return new Chats(context);
}

class Chats {
  #session;
  #go;
  #room = null;
  #wasHidden = true;
  #list = element("ul", { class: "chat-list", "aria-label": phrase("chat.all"), "data-testid": "chats" });
  #rows;
  #members;
  #empty;
  #overview;
  #conversation;
  #search = element("input", { type: "search", autocomplete: "off", "aria-label": phrase("chat.find"), placeholder: phrase("chat.find"), "data-testid": "chats-find", hidden: true, oninput: () => this.#drawAll() });
  #unfound = element("p", { class: "hint", role: "status" });
  #finders;
  /** The control beside the title of the section. */
  actions;
  view;

  /** @param {{session: object, go: Function}} context */
  constructor({ session, go, closeChat }) {
    this.#session = session;
    this.#go = go;
    this.#members = new RoomMembers(session.client);
    this.#rows = new KeyedList(this.#list, (id) => this.#row(id));
    this.#empty = element("div", { class: "empty stack", "data-testid": "no-chats", hidden: true },
      element("h2", {}, phrase("chat.none")), element("p", { class: "hint" }, phrase("chat.none.hint")),
      button(phrase("chat.none.start"), () => go("people", []), { class: "filled", "data-testid": "chats-start" }));
    const close = button("", () => closeChat(), { class: "icon chat-close", "aria-label": phrase("chat.close"), title: phrase("chat.close") });
    close.append(lineIcon("close"));
    this.#finders = [this.#finder(), this.#finder()];
    this.actions = this.#finders[0];
    this.#overview = element("section", { class: "chats-overview", "aria-label": phrase("chat.all") },
      element("header", { class: "chats-head" }, element("h2", { class: "grow" }, phrase("chat.title")), this.#finders[1], close), this.#search, this.#unfound, this.#list, this.#empty);
    this.#conversation = new Conversation({
      session, onBack: () => go("chat", []), onEvent: (id) => go("events", [id]),
      onMap: (id) => go("people", [], { group: id }), onClose: () => closeChat(),
    });
    this.view = element("div", { class: "chats", "data-testid": "chats-panel" }, this.#overview, this.#conversation.view);
    for (const type of ["rooms", "chat", "groups"]) session.client.addEventListener(type, () => this.#drawAll());
  }

  /** Shows the list, or a room by its id. A member's id after an `@` begins a message to them. */
  show([room = null, to] = []) {
    this.#room = room;
    this.#drawAll();
    if (!to?.startsWith("@")) return;
    this.#conversation.mention(to.slice(1));
    this.#go("chat", [room], { replace: true });
  }

  /** Leaves the room when the dock is closed. */
  hide() {
    this.show();
  }

  /** Draws the view when it has been shown or hidden; its contents follow their own events. */
  draw() {
    if (this.view.hidden !== this.#wasHidden) this.#drawAll();
  }

  #drawAll() {
    const isHidden = this.view.hidden;
    this.#wasHidden = isHidden;
    const isOpen = !isHidden && this.#room !== null;
    setShown(this.#overview, !isOpen);
    this.#conversation.show(isOpen ? this.#room : null);
    if (isHidden || isOpen) return;
    const { rooms, groups, user } = this.#session.client;
    const known = [...rooms.all.values()].filter(({ id, event }) => groups.has(id) || event !== null);
    known.sort((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0) || Number(BigInt(b.id) - BigInt(a.id)));
    const wanted = this.#search.hidden ? "" : this.#search.value.trim().toLowerCase();
    const found = known.filter(({ id }) => roomName(this.#session.client, id).toLowerCase().includes(wanted));
    this.#rows.show(found, ({ id }) => id);
    setText(this.#unfound, known.length > 0 && found.length === 0 ? phrase("chat.find.none") : "");
    setShown(this.#empty, user !== null && known.length === 0);
  }

  // A phone has it beside the title of the section, the dock in its own head.
  #finder() {
    const made = button("", () => {
      setShown(this.#search, this.#search.hidden);
      for (const each of this.#finders) setAttribute(each, "aria-expanded", !this.#search.hidden);
      this.#drawAll();
      if (!this.#search.hidden) this.#search.focus();
    }, { class: "icon", "aria-label": phrase("chat.find"), title: phrase("chat.find"), "aria-expanded": "false", "data-testid": "chats-search" });
    made.append(lineIcon("search"));
    return made;
  }

  #row(id) {
    const faces = element("span", { class: "faces chat-faces", "aria-hidden": "true" });
    const name = element("span", {});
    const kind = element("span", { class: "tag", "data-testid": "chat-kind" }, phrase("chat.event"));
    const title = element("strong", { class: "chat-name" }, name, " ", kind);
    const line = element("span", { class: "chat-line", "data-testid": "chat-last" });
    const when = element("time", { class: "chat-when" });
    const badge = element("span", { class: "count", role: "img", "data-testid": "chat-unread" });
    const open = element("button", { type: "button", class: "chat", "data-testid": `chat-${id}` }, faces, title, when, line, badge);
    open.addEventListener("click", () => this.#go("chat", [id]));
    let drawn = null;
    return {
      item: element("li", {}, open),
      show: (room) => {
        const { client, me } = this.#session;
        const { last } = room;
        const shown = [...this.#members.of(id).values()].filter(({ user }) => user !== me).slice(0, 2);
        const key = shown.map(faceKey).join();
        if (key !== drawn) faces.replaceChildren(...shown.map((person) => avatar(person, { size: "small" })));
        drawn = key;
        setText(name, roomName(client, id));
        setShown(kind, room.event !== null);
        setText(line, last ? said(last, me) : phrase("chat.nothing"));
        setText(when, last ? moment(last.at) : "");
        if (last) setAttribute(when, "datetime", new Date(last.at).toISOString());
        showUnread(badge, room);
      },
    };
  }
}

/** The last message in one line; a system line names its subject itself. */
function said(last, me) {
  const words = excerpt(inShort(last, { me }), LINE);
  return last.kind === "system" ? words : `${isolated(author(last, { me }))}: ${isolated(words)}`;
}
