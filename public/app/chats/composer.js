import { PhotoField } from "../photos/photo-field.js";
import { openDialog } from "../shell/dialog.js";
import { attempt } from "../shell/toasts.js";
import { button, element, setShown, setText } from "../ui/dom.js";
import { excerpt, isolated } from "../ui/text.js";
import { author, inShort } from "./words.js";

/** The minimum interval between typing notifications, in milliseconds. */
const PACE = 3_100;

/** The time of the last typing notification in any room: the server's limit is per user. */
let toldAt = -Infinity;

/** The maximum length of a message, and the maximum number of mentions in it. */
const LONGEST = 4000;
const MOST_MENTIONS = 20;

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
  #input = element("textarea", { rows: "2", maxlength: LONGEST, "aria-label": "Message", placeholder: "Message", "data-testid": "chat-input" });
  #about = element("span", { "data-testid": "chat-about" });
  #aboutRow;
  view;

  /** @param {{session: object, members: RoomMembers, onSay: (what: object) => void, onTyping: () => void}} options */
  constructor({ session, members, onSay, onTyping }) {
    this.#session = session;
    this.#members = members;
    this.#onSay = onSay;
    this.#onTyping = onTyping;
    this.#aboutRow = element("div", { class: "chat-about", hidden: true }, this.#about,
      button("×", () => this.#release(), { class: "icon", "aria-label": "Do not answer or change it" }));
    const photo = button("Photo", () => this.#photo(), { "data-testid": "chat-photo" });
    const form = element("form", { class: "composer" }, this.#aboutRow, this.#input,
      element("div", { class: "row" }, element("button", { type: "submit", class: "filled", "data-testid": "chat-send" }, "Send"), photo));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    this.#input.addEventListener("input", () => this.#typed());
    this.view = form;
  }

  /** Switches to a room and restores its draft. */
  begin(room) {
    if (this.#room !== null) this.#drafts.set(this.#room, this.#input.value);
    this.#room = room;
    this.#release();
    this.#input.value = this.#drafts.get(room) ?? "";
  }

  /** Starts a reply to a message. */
  answer(message) {
    this.#hold(message, "Answering");
    this.#answered = message;
  }

  /** Starts a correction of a message. */
  edit(message) {
    this.#hold(message, "Changing");
    this.#edited = message;
    this.#input.value = message.text ?? "";
  }

  #hold(message, verb) {
    const { me } = this.#session;
    this.#release();
    setText(this.#about, `${verb} ${isolated(author(message, { me }))}: ${isolated(excerpt(inShort(message, { me }), 60))}`);
    setShown(this.#aboutRow, true);
    this.#input.focus();
  }

  #release() {
    this.#answered = null;
    this.#edited = null;
    setShown(this.#aboutRow, false);
  }

  #typed() {
    const now = performance.now();
    if (this.#input.value === "" || now - toldAt < PACE) return;
    toldAt = now;
    this.#onTyping();
  }

  async #submit() {
    const text = this.#input.value.trim();
    if (text === "") return;
    const edited = this.#edited;
    if (edited) {
      const isDone = await attempt(() => this.#session.client.request("chat.edit", { room: this.#room, seq: edited.seq, text }));
      if (!isDone) return;
    } else {
      this.#onSay({ text, replyTo: this.#answered?.seq ?? null, mentions: this.#called(text) });
    }
    this.#input.value = "";
    this.#release();
  }

  /** The members mentioned by `@Name` in a text. */
  #called(text) {
    const { me } = this.#session;
    const members = [...this.#members.of(this.#room).values()];
    return members.filter(({ user, name }) => user !== me && text.includes(`@${name}`)).map(({ user }) => user).slice(0, MOST_MENTIONS);
  }

  #photo() {
    const field = new PhotoField({ token: this.#session.token });
    const send = button("Send", async () => {
      if (!(await field.send(() => dialog.isConnected)) || field.id === null) return;
      dialog.close();
      const text = this.#input.value.trim() || null;
      this.#input.value = "";
      this.#onSay({ text, photo: { id: field.id }, replyTo: this.#answered?.seq ?? null, mentions: text ? this.#called(text) : [] });
      this.#release();
    }, { class: "filled", "data-testid": "chat-photo-send" });
    const dialog = openDialog("Send a photo", element("div", { class: "stack" }, field.view, element("div", { class: "row" }, send)), { testid: "chat-photo-dialog" });
    dialog.addEventListener("close", () => field.cancel());
  }
}
