import { blockDialog } from "../people/block.js";
import { countTogether } from "../people/person.js";
import { openReport } from "../shell/report.js";
import { announce, attempt } from "../shell/toasts.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { copy } from "../ui/copy.js";
import { button, element, setShown, setText, stylesheet } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { KeyedList } from "../ui/list.js";
import { people } from "../ui/names.js";
import { explain, waiting } from "../ui/text.js";
import { day } from "../ui/times.js";
import { phrase } from "../ui/words.js";
import { Composer } from "./composer.js";
import { entryRow } from "./entry-row.js";
import { RoomMembers } from "./members.js";
import { author, inShort, isHost, paceOf, roomName } from "./words.js";

await stylesheet("/app/chats/chats.css");

/** The distance to the end of the log, in pixels, within which it follows new messages. */
const NEAR_END = 60;

/** The distance to the start of the log, in pixels, within which the previous page is loaded. */
const NEAR_START = 80;

/** The time within which messages of one author are a group, in milliseconds. */
const GROUP = 300_000;


/** One room: its messages, with a line above the new ones, and an input. */
export class Conversation {
  #session;
  #id = null;
  /** The last read message when the room was opened. */
  #newAfter = null;
  /** Rooms that are loading a page. */
  #reading = new Set();
  /** Pictures that are known to be revoked. */
  #gonePictures = new Set();
  #rows;
  #drawnFaces = "";
  /** Whether the newest message was in view when the log was last scrolled. */
  #wasAtEnd = true;
  /** The number of the message that the keyboard reaches; null for the newest. */
  #focusable = null;
  #heading;
  #faceStack = element("span", { class: "faces", "aria-hidden": "true" });
  #standing = element("p", { class: "hint", "data-testid": "chat-standing" });
  #list = element("ol", { class: "chat-entries", "data-testid": "chat-entries" });
  #log;
  #state = element("p", { class: "hint", role: "status", "data-testid": "chat-state" });
  #typing = element("p", { class: "hint chat-typing", "data-testid": "chat-typing" });
  #slowness = element("p", { class: "hint", "data-testid": "chat-slowness", hidden: true });
  #composer;
  #members;
  #event;
  #map;
  #timer = null;
  view;

  /**
   * @param {object} options
   * @param {object} options.session
   * @param {() => void} options.onBack returns to the chats
   * @param {(id: string) => void} options.onEvent shows the event of the room
   * @param {(id: string) => void} options.onMap shows the group of the room on the map
   * @param {() => void} options.onClose closes the dock
   */
  constructor({ session, onBack, onEvent, onMap, onClose }) {
    this.#session = session;
    this.#heading = element("h2", { tabindex: "-1" });
    const { client } = session;
    this.#members = new RoomMembers(client);
    this.#rows = new KeyedList(this.#list, () => entryRow(this.#actions()));
    this.#log = element("div", { class: "chat-log", role: "region", "aria-label": phrase("chat.messages"), "data-testid": "chat-log" }, this.#list);
    this.#log.addEventListener("scroll", () => this.#scrolled());
    this.#list.addEventListener("keydown", (event) => this.#moved(event));
    // The keyboard of a phone makes the log lower; the newest message remains in view.
    new ResizeObserver(() => this.#wasAtEnd && this.#toEnd()).observe(this.#log);
    this.#composer = new Composer({
      session, members: this.#members,
      onSay: (what) => {
        this.#newAfter = null;
        client.rooms.say(this.#id, what);
        this.#toEnd();
      },
      onTyping: () => client.request("chat.typing", { room: this.#id }).catch(() => {}),
    });
    const about = this.#control(phrase("chat.about"), "more", () => attempt(async () => (await import("./room-dialog.js")).openRoomDialog(session, this.#id)), { "aria-haspopup": "dialog", "data-testid": "chat-menu" });
    const back = this.#control(phrase("chat.back"), "back", onBack, { "data-testid": "chat-back" });
    this.#event = button(phrase("event"), () => onEvent(this.#id), { class: "link", "data-testid": "chat-event", hidden: true });
    this.#map = this.#control(phrase("showOnMap"), "map", () => onMap(this.#id), { "data-testid": "chat-map", hidden: true });
    const close = this.#control(phrase("chat.close"), "close", onClose, { class: "icon chat-close", "data-testid": "chat-close" });
    const head = element("header", { class: "chat-head" }, back, this.#faceStack, element("div", { class: "grow" }, this.#heading, this.#standing), this.#event, this.#map, close, about);
    this.view = element("section", { class: "conversation", "aria-label": phrase("chat.title"), "data-testid": "conversation", hidden: true },
      head, this.#log, this.#state, this.#typing, this.#slowness, this.#composer.view);
    client.addEventListener("chat", ({ detail }) => detail.room === this.#id && this.#changed(detail.news));
    client.addEventListener("rooms", ({ detail }) => this.#isSeen && detail.changed.includes(this.#id) && this.#draw());
    client.addEventListener("event", ({ detail: { event } }) => event.id === this.#id && this.#reread(event));
    client.addEventListener("typing", ({ detail }) => detail.room === this.#id && this.#drawTyping());
    client.addEventListener("roster", () => this.#isSeen && this.#faces !== this.#drawnFaces && this.#draw());
    client.addEventListener("welcome", () => client.rooms.focused === this.#id && this.#focus(this.#id));
    document.addEventListener("visibilitychange", () => this.#markRead());
  }

  /** Shows a room; null shows none. */
  show(id) {
    setShown(this.view, id !== null);
    const room = id === null ? null : this.#session.client.rooms.all.get(id);
    const { rooms } = this.#session.client;
    if (id === null && this.#id !== null && rooms.focused === this.#id) this.#focus(null);
    if (id !== null && this.#isSeen && rooms.focused !== id) this.#focus(id);
    if (id !== this.#id) {
      this.#id = id;
      this.#focusable = null;
      this.#newAfter = room && room.unread > 0 ? room.read : null;
      this.#composer.begin(id);
      setText(this.#state, "");
      this.#list.replaceChildren();
      this.#rows = new KeyedList(this.#list, () => entryRow(this.#actions()));
      if (room) void this.#open();
    } else if (room && !room.isHeld) {
      void this.#open();
    }
    setShown(this.#composer.view, room !== undefined);
    if (room) {
      this.#draw();
      this.#markRead();
    } else if (this.#list.children.length > 0) {
      this.#list.replaceChildren();
      setText(this.#state, phrase("chat.left"));
    }
  }

  /** Begins a message that mentions a member. */
  mention(user) {
    this.#composer.mention(user);
  }

  #control(label, name, action, attributes) {
    const made = button("", action, { class: "icon", "aria-label": label, title: label, ...attributes });
    made.append(lineIcon(name));
    return made;
  }

  // The messages are one stop of the keyboard: arrow keys move between them.
  #moved(event) {
    const rows = [...this.#list.querySelectorAll('[data-testid="chat-entry"]')];
    const index = rows.indexOf(event.target);
    const next = index < 0 ? undefined : { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next === undefined || !rows[next]) return;
    event.preventDefault();
    rows[index].tabIndex = -1;
    rows[next].tabIndex = 0;
    this.#focusable = rows[next].dataset.seq ?? null;
    rows[next].focus();
  }

  #actions() {
    const { client } = this.#session;
    return {
      session: this.#session,
      onReply: (message) => this.#composer.answer(message),
      onJump: (seq) => this.#jump(seq),
      onEdit: (message) => this.#composer.edit(message),
      onDelete: (message) => attempt(() => client.request("chat.delete", { room: this.#id, seq: message.seq })),
      onReport: (message) => openReport(client, { what: "message", subject: String(message.seq), room: this.#id }),
      onBlock: (person) => blockDialog(client, person),
      onCopy: (text) => copy(text),
      onAgain: (key) => client.rooms.sayAgain(this.#id, key),
      onDiscard: (key) => client.rooms.discard(this.#id, key),
      onPicture: (share) => attempt(async () => {
        const { openPicture } = await import("../shares/view.js");
        await openPicture(this.#session, this.#id, share, { onGone: () => this.#pictureGone(share) });
      }),
      onTakeBack: (share) => attempt(async () => {
        const { takeBack } = await import("../shares/view.js");
        if (await takeBack(this.#session, share)) this.#pictureGone(share);
      }),
    };
  }

  #pictureGone(share) {
    this.#gonePictures.add(share);
    this.#draw();
  }

  // With several conversations on the page, the one shown last is the client's `focused` room.
  #focus(id) {
    const { client } = this.#session;
    client.rooms.focused = id;
    client.request("chat.focus", { room: id }).catch(() => {});
  }

  get #isSeen() {
    return !document.hidden && this.#log.getClientRects().length > 0;
  }

  async #open() {
    const id = this.#id;
    if (this.#reading.has(id)) return;
    await this.#read(id, () => this.#session.client.rooms.open(id));
    // Loaded without waiting: the members are needed for mentions only.
    this.#members.read(id).then(() => id === this.#id && this.#draw()).catch(() => {});
    if (id !== this.#id) return;
    this.#draw();
    const line = this.#list.querySelector(".chat-new");
    if (line) line.scrollIntoView({ block: "center" });
    else this.#toEnd();
    this.#markRead();
  }

  // A member has a new name or face, or is new.
  async #reread({ id, host }) {
    await this.#members.read(id, host).catch(() => {});
    if (id === this.#id) this.#draw();
  }

  async #read(id, body) {
    const say = (text) => id === this.#id && setText(this.#state, text);
    this.#reading.add(id);
    say(this.#list.children.length === 0 ? waiting(this.#session.client) : "");
    try {
      await body();
      say("");
    } catch (error) {
      say(explain(error));
    } finally {
      this.#reading.delete(id);
    }
  }

  // The loaded page grows the log at the top, so its distance to the end is preserved.
  async #older() {
    const id = this.#id;
    const before = this.#log.scrollHeight - this.#log.scrollTop;
    await this.#read(id, () => this.#session.client.rooms.older(id));
    if (id !== this.#id) return;
    this.#draw();
    this.#log.scrollTop = this.#log.scrollHeight - before;
  }

  #scrolled() {
    this.#wasAtEnd = this.#isAtEnd;
    const room = this.#session.client.rooms.all.get(this.#id);
    if (this.#log.scrollTop < NEAR_START && room?.hasOlder && !this.#reading.has(this.#id)) void this.#older();
    this.#markRead();
  }

  /** A key of the faces in the conversation. */
  get #faces() {
    return [...this.#members.of(this.#id).values()].map(faceKey).join();
  }

  get #isAtEnd() {
    return this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < NEAR_END;
  }

  #toEnd() {
    this.#log.scrollTop = this.#log.scrollHeight;
    this.#wasAtEnd = true;
  }

  #changed(news) {
    const wasAtEnd = this.#isAtEnd;
    const { client, me } = this.#session;
    const others = news.filter(({ from, deleted }) => from?.id !== me && !deleted && !client.rooms.blocked.has(from?.id));
    if (others.length > 0 && this.#newAfter === null && (!wasAtEnd || document.hidden)) this.#newAfter = others[0].seq - 1;
    this.#draw();
    if (wasAtEnd) this.#toEnd();
    this.#markRead();
    if (others.length > 0 && others.length < 4) {
      for (const message of others) announce(`${author(message, { me })}: ${inShort(message, { me })}`, { isUrgent: false });
    } else if (others.length > 0) announce(phrase("chat.newMessages", { count: others.length }), { isUrgent: false });
  }

  #markRead() {
    const { client } = this.#session;
    const room = client.rooms.all.get(this.#id);
    // Messages in a hidden panel do not count as read.
    if (!room || !this.#isSeen || !this.#isAtEnd || (room.newest ?? 0) <= room.read) return;
    client.rooms.markRead(this.#id, room.newest);
  }

  #draw() {
    const { client, me } = this.#session;
    const room = client.rooms.all.get(this.#id);
    if (!room) return;
    this.#drawHead(room);
    setText(this.#slowness, room.slow === 0 ? "" : phrase("chat.slow.now", { pace: paceOf(room.slow) }));
    setShown(this.#slowness, room.slow > 0);
    const log = room.log.filter(({ from }) => !from || !client.rooms.blocked.has(from.id));
    const isNew = ({ seq, from, kind }) => this.#newAfter !== null && seq > this.#newAfter && from?.id !== me && kind !== "system";
    const firstNew = log.find(isNew);
    const entries = [
      ...log.map((message) => ({ id: String(message.seq), message, at: message.at, by: message.kind === "system" ? null : message.from?.id ?? "", newCount: message === firstNew ? log.filter(isNew).length : 0 })),
      ...room.pending.map((pending) => ({ id: pending.key, pending, at: pending.at, by: me, newCount: 0 })),
    ];
    const now = client.now();
    entries.forEach((entry, index) => {
      const before = entries[index - 1];
      entry.day = !before || day(before.at, now) !== day(entry.at, now) ? day(entry.at, now) : null;
      entry.isFirst = entry.by === null || !before || before.by !== entry.by || entry.at - before.at > GROUP || entry.day !== null || entry.newCount > 0;
      if (before) before.isLast = entry.isFirst;
    });
    if (entries.length > 0) entries.at(-1).isLast = true;
    const focusable = entries.find(({ id }) => id === this.#focusable) ?? entries.at(-1);
    if (focusable) focusable.isFocusable = true;
    const isOwner = isHost(client, this.#id, me);
    this.#drawnFaces = this.#faces;
    this.#rows.show(entries, ({ id }) => id, { me, isOwner, members: this.#members.of(this.#id), answered: (seq) => room.messages.get(seq), isHidden: ({ from }) => client.rooms.blocked.has(from?.id), now, isLive: client.status.state === "live", isGone: (share) => this.#gonePictures.has(share) });
    const nothing = phrase("chat.empty");
    if (room.isHeld && ["", nothing].includes(this.#state.textContent)) setText(this.#state, entries.length === 0 ? nothing : "");
    this.#drawTyping();
  }

  #drawHead(room) {
    const { client, me } = this.#session;
    setText(this.#heading, roomName(client, this.#id));
    setShown(this.#event, room.event !== null);
    setShown(this.#map, room.event === null);
    const members = [...this.#members.of(this.#id).values()];
    const together = countTogether(client.rosters.get(this.#id), { status: client.status, now: client.now() });
    setText(this.#standing, [members.length > 0 && phrase("count.people", { count: members.length }), together > 1 && phrase("together.count", { count: together })].filter(Boolean).join(" · "));
    const faces = members.filter(({ user }) => user !== me).slice(0, 3);
    const key = faces.map(faceKey).join();
    if (key === this.#faceStack.dataset.key) return;
    this.#faceStack.dataset.key = key;
    this.#faceStack.replaceChildren(...faces.map((person) => avatar(person, { size: "small" })));
  }

  #drawTyping() {
    clearTimeout(this.#timer);
    const { client } = this.#session;
    const members = this.#members.of(this.#id);
    const writers = (client.rooms.all.get(this.#id)?.typing(client.now()) ?? []).filter((user) => !client.rooms.blocked.has(user));
    const names = writers.map((user) => members.get(user)?.name).filter(Boolean);
    setText(this.#typing, names.length === 0 ? "" : phrase("chat.writing", { names: people(names), count: names.length }));
    if (names.length > 0) this.#timer = setTimeout(() => this.#drawTyping(), 1000);
  }

  async #jump(seq) {
    const id = this.#id;
    const room = this.#session.client.rooms.all.get(id);
    while (room.hasOlder && room.oldest > seq) {
      const { oldest } = room;
      await this.#older();
      if (room.oldest === oldest || id !== this.#id) return;
    }
    const row = this.#list.querySelector(`[data-seq="${seq}"]`);
    if (!row) return;
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  }
}
