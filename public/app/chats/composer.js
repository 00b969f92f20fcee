import { PhotoField } from "../photos/photo-field.js";
import { openDialog } from "../shell/dialog.js";
import { announce, attempt } from "../shell/toasts.js";
import { avatar } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { menuButton } from "../ui/menu.js";
import { excerpt } from "../ui/names.js";
import { isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { author, inShort } from "./words.js";

/** The minimum interval between typing notifications, in milliseconds. */
const PACE = 3_100;

/** The time of the last typing notification in any room: the server's limit is per user. */
let toldAt = -Infinity;

/** The maximum length of a message, and the maximum number of mentions in it. */
const LONGEST = 4000;
const MOST_MENTIONS = 20;

/** The maximum number of offered members, and of lines of the field. */
const MOST_OFFERED = 5;
const MOST_LINES = 5;

/** With a finger Enter begins a line: there is a button to send beside the keyboard. */
const fine = matchMedia("(pointer: fine)");

/** The input of a chat: a new message, a reply or a correction. Drafts are kept until the page is closed. */
export class Composer {
  #session;
  #members;
  #onSay;
  #onTyping;
  #room = null;
  #drafts = new Map();
  #answered = null;
  #edited = null;
  /** What was written before the correction began. */
  #written = "";
  #input = element("textarea", { rows: "1", maxlength: LONGEST, "aria-label": phrase("chat.message"), "aria-autocomplete": "list", "aria-controls": "chat-offers", enterkeyhint: "send", placeholder: phrase("chat.message"), "data-testid": "chat-input" });
  #about = element("span", { "data-testid": "chat-about" });
  #aboutRow;
  /** The members offered after an `@`, the marked one, and the position of the `@`. */
  #offers = element("ul", { class: "chat-offers", id: "chat-offers", role: "listbox", "aria-label": phrase("chat.members"), "data-testid": "chat-offers", hidden: true });
  #offered = { members: [], marked: 0, from: 0 };
  view;

  /** @param {{session: object, members: RoomMembers, onSay: (what: object) => void, onTyping: () => void}} options */
  constructor({ session, members, onSay, onTyping }) {
    this.#session = session;
    this.#members = members;
    this.#onSay = onSay;
    this.#onTyping = onTyping;
    const release = button("×", () => this.#release(), { class: "icon", "aria-label": phrase("cancel") });
    this.#aboutRow = element("div", { class: "chat-about", hidden: true }, this.#about, release);
    const add = menuButton(phrase("chat.add"), () => [
      { label: phrase("photo"), icon: "picture", action: () => this.#photo(), testid: "chat-photo" },
      { label: phrase("chat.mapPicture"), icon: "map", action: session.client.groups.has(this.#room) ? () => this.#mapPicture() : null, testid: "picture-open" },
    ], { content: lineIcon("plus"), "data-testid": "chat-add" });
    const send = element("button", { type: "submit", class: "icon round filled", "aria-label": phrase("send"), "data-testid": "chat-send" }, lineIcon("send"));
    const form = element("form", { class: "composer" }, this.#aboutRow, this.#offers, add, this.#input, send);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    // A press would take the focus from the field, and close the keyboard of a phone.
    send.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#input.addEventListener("keydown", (event) => {
      if (event.isComposing || this.#choosing(event)) return;
      if (event.key !== "Enter" || event.shiftKey || !fine.matches) return;
      event.preventDefault();
      form.requestSubmit();
    });
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("blur", () => this.#offer([]));
    this.view = form;
  }

  /** Switches to a room and restores its draft. */
  begin(room) {
    this.#release();
    if (this.#room !== null) this.#drafts.set(this.#room, this.#input.value);
    this.#room = room;
    this.#write(this.#drafts.get(room) ?? "");
  }

  /** Starts a reply to a message. */
  answer(message) {
    this.#hold(message, phrase("chat.replyTo", { name: isolated(author(message, this.#session)) }));
    this.#answered = message;
  }

  /** Starts a correction of a message. */
  edit(message) {
    this.#hold(message, phrase("edit"));
    this.#edited = message;
    this.#written = this.#input.value;
    this.#write(message.text ?? "");
  }

  /** Begins a message that mentions a member. */
  mention(user) {
    const name = this.#members.of(this.#room).get(user)?.name;
    if (name && !this.#input.value.includes(`@${name}`)) this.#write(`@${name} ${this.#input.value}`);
    this.#input.focus();
  }

  #hold(message, words) {
    this.#release();
    setText(this.#about, `${words}: ${isolated(excerpt(inShort(message, this.#session), 60))}`);
    setShown(this.#aboutRow, true);
    this.#input.focus();
  }

  // The text of a correction is no draft: sent later, it would repeat the message.
  #release() {
    if (this.#edited !== null) this.#write(this.#written);
    this.#answered = null;
    this.#edited = null;
    setShown(this.#aboutRow, false);
  }

  #write(text) {
    this.#input.value = text;
    this.#fit();
  }

  /** Makes the field as high as its lines. */
  #fit() {
    const { style } = this.#input;
    style.height = "auto";
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(this.#input);
    const most = MOST_LINES * Number.parseFloat(lineHeight) + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    if (this.#input.scrollHeight > 0) style.height = `${Math.min(this.#input.scrollHeight, most) + 2}px`;
  }

  /** Offers the members whose names begin with what follows an `@` before the cursor. */
  #suggest() {
    const { value, selectionStart } = this.#input;
    const [, begun] = /(?:^|\s)@([^\s@]*)$/u.exec(value.slice(0, selectionStart)) ?? [];
    if (begun === undefined) return this.#offer([]);
    const { me } = this.#session;
    const wanted = begun.toLocaleLowerCase();
    const found = [...this.#members.of(this.#room).values()].filter(({ user, name }) => user !== me && name.split(/\s+/u).some((word) => word.toLocaleLowerCase().startsWith(wanted)));
    this.#offer(found.slice(0, MOST_OFFERED), selectionStart - begun.length - 1);
  }

  #offer(members, from = 0) {
    const isNew = members.length > 0 && this.#offers.hidden;
    this.#offered = { members, marked: 0, from };
    this.#offers.replaceChildren(...members.map((member, index) => {
      const row = element("li", { id: `chat-offer-${index}`, role: "option", "data-testid": "chat-offer" }, avatar(member, { size: "small" }), element("span", {}, member.name));
      // The field keeps the focus.
      row.addEventListener("pointerdown", (event) => event.preventDefault());
      row.addEventListener("click", () => this.#complete(member));
      return row;
    }));
    setShown(this.#offers, members.length > 0);
    this.#mark(0);
    if (isNew) announce(phrase("chat.offers", { count: members.length }), { isUrgent: false });
  }

  #mark(index) {
    this.#offered.marked = index;
    [...this.#offers.children].forEach((row, each) => setAttribute(row, "aria-selected", each === index));
    if (this.#offers.children.length === 0) this.#input.removeAttribute("aria-activedescendant");
    else setAttribute(this.#input, "aria-activedescendant", `chat-offer-${index}`);
  }

  #complete({ name }) {
    const { value, selectionStart } = this.#input;
    const before = `${value.slice(0, this.#offered.from)}@${name} `;
    this.#input.value = before + value.slice(selectionStart);
    this.#input.setSelectionRange(before.length, before.length);
    this.#offer([]);
    this.#fit();
  }

  /** Handles a key while members are offered; returns whether it is used. */
  #choosing(event) {
    const { members, marked } = this.#offered;
    if (members.length === 0) return false;
    const act = {
      ArrowDown: () => this.#mark((marked + 1) % members.length),
      ArrowUp: () => this.#mark((marked + members.length - 1) % members.length),
      Enter: () => this.#complete(members[marked]),
      Tab: () => this.#complete(members[marked]),
      Escape: () => this.#offer([]),
    }[event.key];
    if (!act || (event.key === "Tab" && event.shiftKey)) return false;
    event.preventDefault();
    event.stopPropagation();
    act();
    return true;
  }

  #typed() {
    this.#fit();
    this.#suggest();
    const now = performance.now();
    if (this.#input.value === "" || now - toldAt < PACE) return;
    toldAt = now;
    this.#onTyping();
  }

  async #submit() {
    const text = this.#input.value.trim();
    if (text === "") return;
    const edited = this.#edited;
    if (edited !== null) {
      const isDone = await attempt(() => this.#session.client.request("chat.edit", { room: this.#room, seq: edited.seq, text }));
      // Meanwhile the user may have opened another room.
      if (isDone && this.#edited === edited) this.#release();
      return;
    }
    this.#onSay({ text, replyTo: this.#answered?.seq ?? null, mentions: this.#called(text) });
    this.#write("");
    this.#release();
  }

  /** The members mentioned by `@Name` in a text. */
  #called(text) {
    const { me } = this.#session;
    const members = [...this.#members.of(this.#room).values()];
    return members.filter(({ user, name }) => user !== me && text.includes(`@${name}`)).map(({ user }) => user).slice(0, MOST_MENTIONS);
  }

  async #mapPicture() {
    await attempt(async () => (await import("../shares/send.js")).openSendPicture(this.#session, this.#room));
  }

  #photo() {
    const field = new PhotoField({ token: this.#session.token });
    const send = button(phrase("send"), async () => {
      if (!(await field.send(() => dialog.isConnected)) || field.id === null) return;
      dialog.close();
      const text = this.#input.value.trim() || null;
      this.#write("");
      this.#onSay({ text, photo: { id: field.id }, replyTo: this.#answered?.seq ?? null, mentions: text ? this.#called(text) : [] });
      this.#release();
    }, { class: "filled", "data-testid": "chat-photo-send" });
    const dialog = openDialog(phrase("chat.photo"), element("div", { class: "stack" }, field.view, element("div", { class: "row" }, send)), { testid: "chat-photo-dialog" });
    dialog.addEventListener("close", () => field.cancel());
  }
}
