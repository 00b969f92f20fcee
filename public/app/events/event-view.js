import { Conversation } from "../chats/conversation.js";
import { asKnown } from "../chats/members.js";
import { mapLinks } from "../map/links.js";
import { blockWord, toggleBlock } from "../people/block.js";
import { focusHeading } from "../shell/focus.js";
import { reportButton } from "../shell/report.js";
import { attempt, toast } from "../shell/toasts.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { sureButton } from "../ui/form.js";
import { counted, explain, isolated, span } from "../ui/text.js";
import { coming, localTime, standing } from "./words.js";

const ANSWERS = [["yes", "I come"], ["maybe", "Maybe"], ["no", "I don’t"]];
const STANDINGS = { yes: "comes", maybe: "may come", waiting: "waits", no: "does not come" };

/** The number of guests in a page. */
const PAGE = 100;

/** One event: host, time, place, numbers, the user's RSVP, and the chat. */
export class EventView {
  #context;
  #onEdit;
  #id = null;
  #event = null;
  #calendar = null;
  #error = element("p", { class: "hint", role: "status", "data-testid": "event-state" });
  #body = element("article", { class: "stack event-view", "data-testid": "event-view", "aria-label": "Event" });
  #chat;
  #wantsChat = false;
  #isShown = false;
  /** The loaded guests, and the start of the next page. */
  #guests = { people: [], next: null };
  /** The users blocked when the guests were drawn, and the function that redraws them. */
  #blocked = "";
  #redraw = () => {};
  /** A key of the drawn faces. */
  #faces = "";
  view = element("section", { class: "stack", "aria-label": "Event", hidden: true }, this.#error, this.#body);

  constructor(context, { onEdit }) {
    this.#context = context;
    this.#onEdit = onEdit;
    const { client } = context.session;
    this.#chat = new Conversation({ session: context.session, title: "Chat" });
    this.view.append(this.#chat.view);
    client.addEventListener("rooms", () => {
      this.#drawChat();
      this.#drawBlocked();
    });
    client.addEventListener("roster", () => this.#isShown && this.#event !== null && this.#drawFaces());
    client.addEventListener("event", ({ detail: { event } }) => this.#put(event));
    client.addEventListener("watched_events", () => {
      const known = client.watchedEvents.events.get(this.#id);
      if (known && this.#event !== null) this.#put({ ...this.#event, ...known });
    });
  }

  /** Hides the event. */
  hide() {
    this.#isShown = false;
    this.#drawChat();
  }

  /** Shows an event and loads it unless it is shown already; `isChat` requests its chat. */
  async show(id, { isFresh = false, isChat = false } = {}) {
    this.#isShown = true;
    this.#wantsChat = isChat;
    if (id === this.#id && !isFresh) return this.draw();
    if (id !== this.#id) {
      this.#event = null;
      this.#guests = { people: [], next: null };
      this.#redraw = () => {};
      this.#body.replaceChildren();
    }
    this.#id = id;
    this.#drawChat();
    const { client } = this.#context.session;
    setText(this.#error, "Loading…");
    try {
      const [{ event }, { calendar }] = await Promise.all([client.request("event.get", { event: id }), client.request("events.mine", { limit: 1 })]);
      if (id !== this.#id) return;
      this.#calendar = new URL(calendar, location.href).searchParams.get("k");
      setText(this.#error, "");
      this.#put(event);
      if (!this.#context.map()?.shows(event)) this.#context.showPlace(event);
    } catch (error) {
      if (id === this.#id) setText(this.#error, error.code === "not_found" ? "There is no such event, or not for you." : explain(error));
    }
  }

  /** Draws the event. */
  draw() {
    this.#drawChat();
  }

  // The host and the guests have a chat.
  #drawChat() {
    const { client } = this.#context.session;
    const isThere = this.#isShown && this.#id !== null && client.rooms.all.has(this.#id);
    this.#chat.show(isThere ? this.#id : null);
    if (!isThere || !this.#wantsChat || this.#event === null) return;
    this.#wantsChat = false;
    this.#chat.view.scrollIntoView({ block: "start" });
  }

  #put(event) {
    if (event.id !== this.#id) return;
    const drawn = JSON.stringify(event);
    const isSame = this.#event !== null && drawn === JSON.stringify(this.#event);
    this.#event = event;
    if (!isSame) this.#build(event);
    this.#drawChat();
  }

  #build(event) {
    const { me, client } = this.#context.session;
    const isHost = event.host.id === me;
    const isOn = event.state === "planned";
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.dataset.testid : null;
    const group = event.group === null ? null : client.groups.get(event.group)?.name;
    setAttribute(this.#body, "aria-label", event.title);
    const local = localTime(event);
    const about = [
      element("h2", { class: "event-title" }, event.title),
      element("p", { "data-testid": "event-when" }, `${span(event.startsAt, event.endsAt)}${local ? ` (${local})` : ""}`),
      isOn ? null : element("p", { class: "event-off", "data-testid": "event-off" }, event.state === "cancelled" ? "It is called off." : "It is over."),
      element("p", { class: "hint" }, element("span", { "data-testid": "event-host" }, avatar(asKnown(client, event.host), { size: "small" })), ` ${isHost ? "You host it" : `Hosted by ${isolated(event.host.name)}`}${group ? `, for ${group}` : ""}`),
      element("p", { "data-testid": "event-where" }, event.approximate ? "The place is shown to who comes; the map shows it to a kilometre." : (event.place ?? "At the mark on the map")),
      event.text === null ? null : element("p", { class: "event-text" }, event.text),
      event.photo === null ? null : element("img", { class: "event-photo", src: event.photo.thumb, alt: `Photo of ${isolated(event.title)}`, width: event.photo.width, height: event.photo.height }),
      element("p", { "data-testid": "event-coming" }, coming(event)),
    ];
    const answers = element("div", { class: "row", role: "group", "aria-label": "Do you come?" }, ANSWERS.map(([word, name]) => {
      const chosen = event.rsvp === word || (word === "yes" && event.rsvp === "waiting");
      const made = button(name, () => this.#answer(word), { class: "toggle", "data-testid": `rsvp-${word}`, "aria-pressed": String(chosen) });
      return made;
    }));
    const more = element("div", { class: "row" },
      this.#calendar === null ? null : element("a", { class: "button-like", href: `/v1/events/${event.id}.ics?k=${this.#calendar}`, download: "event.ics", "data-testid": "event-calendar" }, "Calendar file"),
      button("Show on the map", () => this.#context.showPlace(event), { class: "small" }),
      isHost ? null : reportButton(client, () => ({ what: "event", subject: event.id }), { "data-testid": "event-report" }));
    const guests = element("ul", { class: "event-guests", "data-testid": "event-guests", "aria-label": "Guests" });
    const others = button("More guests", () => this.#more(event, guests, others, isHost && isOn), { class: "small", "data-testid": "guests-more", hidden: true });
    const hosting = isHost && isOn ? element("div", { class: "row" }, button("Change it", () => this.#onEdit(event), { "data-testid": "event-edit" }),
      sureButton("Call it off", "All guests are told that it is off.", () => this.#cancel(), { "data-testid": "event-cancel" })) : null;
    const own = element("p", { class: "event-standing", role: "status", "data-testid": "event-standing" }, standing(event));
    this.#body.replaceChildren(...[...about, own, isOn ? answers : null, more, mapLinks(event, event.place ?? event.title), hosting, guests, others].filter((each) => each !== null));
    if (focused) this.#body.querySelector(`[data-testid="${focused}"]`)?.focus();
    setShown(guests, false);
    if (isHost || ["yes", "maybe", "waiting"].includes(event.rsvp)) void this.#list(event, guests, others, isHost && isOn);
  }

  // Loads as many guests as before, so that an RSVP does not change the reader's place.
  async #list(event, list, more, mayRemove) {
    const { client } = this.#context.session;
    const wanted = Math.max(PAGE, this.#guests.people.length);
    const read = { people: [], next: null };
    try {
      do {
        const { guests, next } = await client.request("event.guests", { event: event.id, limit: PAGE, ...(read.next && { after: read.next }) });
        read.people.push(...guests);
        read.next = next;
      } while (read.next !== null && read.people.length < wanted);
    } catch {
      // A user without access sees no guests.
    }
    // The list may have been redrawn meanwhile.
    if (!list.isConnected) return;
    this.#guests = read;
    this.#drawGuests(list, more, mayRemove);
  }

  async #more(event, list, more, mayRemove) {
    const { client } = this.#context.session;
    await attempt(async () => {
      const shown = this.#guests;
      const { guests, next } = await client.request("event.guests", { event: event.id, limit: PAGE, ...(shown.next && { after: shown.next }) });
      if (!list.isConnected || shown !== this.#guests) return;
      const known = new Set(guests.map(({ user }) => user.id));
      this.#guests = { people: [...shown.people.filter(({ user }) => !known.has(user.id)), ...guests], next };
      const first = list.children.length;
      this.#drawGuests(list, more, mayRemove);
      list.children[first]?.focus();
    });
  }

  #drawGuests(list, more, mayRemove) {
    const { client, me } = this.#context.session;
    const { people: guests, next } = this.#guests;
    this.#blocked = [...client.rooms.blocked].join(" ");
    this.#redraw = () => this.#drawGuests(list, more, mayRemove);
    setShown(more, next !== null);
    list.replaceChildren(...guests.map(({ user, rsvp }) => element("li", { tabindex: "-1", "data-testid": "guest" }, avatar(asKnown(client, user), { size: "small" }), element("span", {}, `${user.id === me ? "You" : isolated(user.name)} · ${user.id === me ? (rsvp === "yes" ? "come" : standing({ rsvp }).toLowerCase()) : STANDINGS[rsvp]}`),
      mayRemove && user.id !== me ? sureButton("Remove", `Take ${isolated(user.name)} off the list for good?`, () => this.#remove(user.id), { class: "danger small", "data-testid": "guest-remove", "aria-label": `Remove ${isolated(user.name)}` }) : null,
      user.id === me ? null : this.#blockButton(user))));
    setAttribute(list, "aria-label", next === null ? counted(guests.length, "guest") : `The first ${guests.length} guests`);
    setShown(list, guests.length > 0);
  }

  // Updates changed faces.
  #drawFaces() {
    const { client } = this.#context.session;
    const host = asKnown(client, this.#event.host);
    const faces = [host, ...this.#guests.people.map(({ user }) => asKnown(client, user))].map(faceKey).join();
    if (faces === this.#faces) return;
    this.#faces = faces;
    this.#body.querySelector('[data-testid="event-host"]')?.replaceChildren(avatar(host, { size: "small" }));
    this.#redraw();
  }

  #drawBlocked() {
    const { client } = this.#context.session;
    if ([...client.rooms.blocked].join(" ") === this.#blocked) return;
    const held = this.#body.contains(document.activeElement) ? document.activeElement.getAttribute("data-user") : null;
    this.#redraw();
    if (held) this.#body.querySelector(`[data-user="${held}"]`)?.focus();
  }

  #blockButton(user) {
    const { client } = this.#context.session;
    const word = blockWord(client, user.id);
    return button(word, () => toggleBlock(client, user), { class: "small", "data-testid": "guest-block", "data-user": user.id, "aria-label": `${word} ${isolated(user.name)}` });
  }

  async #answer(rsvp) {
    await attempt(async () => {
      const { event } = await this.#context.session.client.request("event.rsvp", { event: this.#id, rsvp });
      this.#put(event);
    });
  }

  async #remove(user) {
    await attempt(async () => this.#put((await this.#context.session.client.request("event.remove", { event: this.#id, user })).event));
  }

  async #cancel() {
    await attempt(async () => {
      this.#put((await this.#context.session.client.request("event.cancel", { event: this.#id })).event);
      toast("The event is called off.");
      focusHeading();
    });
  }
}
