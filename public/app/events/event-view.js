import { showUnread } from "../chats/badge.js";
import { asKnown } from "../chats/members.js";
import { metresBetween } from "../map/geometry.js";
import { directionsTo } from "../map/links.js";
import { toggleBlock } from "../people/block.js";
import { focusHeading } from "../shell/focus.js";
import { openReport } from "../shell/report.js";
import { attempt, toast } from "../shell/toasts.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { copy } from "../ui/copy.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { askInPlace } from "../ui/form.js";
import { lineIcon } from "../ui/icons.js";
import { menuButton } from "../ui/menu.js";
import { distance, explain, isolated, waiting } from "../ui/text.js";
import { span } from "../ui/times.js";
import { phrase } from "../ui/words.js";
import { coming, dateBlock, localTime, standing } from "./words.js";

const ANSWERS = ["yes", "maybe", "no"];

/** The number of guests in a page. */
const PAGE = 100;

/** One event: host, time, place, the user's answer, the way to its chat, and its guests. */
export class EventView {
  #context;
  #onBack;
  #onEdit;
  #id = null;
  #event = null;
  #calendar = null;
  #error = element("p", { class: "hint", role: "status", "data-testid": "event-state" });
  #body = element("article", { class: "stack event-view", "data-testid": "event-view", "aria-label": phrase("event") });
  #unread = element("span", { class: "count", role: "img", "data-testid": "event-unread", hidden: true });
  #chat;
  #isShown = false;
  #isLoading = false;
  /** The loaded guests, and the start of the next page. */
  #guests = { people: [], next: null };
  /** The users blocked when the guests were drawn, and the function that redraws them. */
  #blocked = "";
  #redraw = () => {};
  /** A key of the drawn faces. */
  #faces = "";
  view = element("section", { class: "stack", "aria-label": phrase("event"), hidden: true }, this.#error, this.#body);

  constructor(context, { onBack, onEdit }) {
    this.#context = context;
    this.#onBack = onBack;
    this.#onEdit = onEdit;
    const { client } = context.session;
    this.#chat = element("button", { type: "button", class: "line-row", "data-testid": "event-chat" }, lineIcon("chat"), element("span", { class: "grow" }, phrase("event.chat")), this.#unread, lineIcon("right"));
    this.#chat.addEventListener("click", () => context.go("chat", [this.#id]));
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

  /** Shows an event and loads it unless it is shown already. */
  async show(id, { isFresh = false } = {}) {
    this.#isShown = true;
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
    this.#isLoading = true;
    setText(this.#error, waiting(client));
    try {
      const [{ event }, { calendar }] = await Promise.all([client.request("event.get", { event: id }), client.request("events.mine", { limit: 1 })]);
      if (id !== this.#id) return;
      this.#isLoading = false;
      this.#calendar = new URL(calendar, location.href).searchParams.get("k");
      setText(this.#error, "");
      this.#put(event);
      if (!this.#context.map()?.shows(event)) this.#context.showPlace(event);
    } catch (error) {
      if (id !== this.#id) return;
      this.#isLoading = false;
      setText(this.#error, error.code === "not_found" ? phrase("event.gone") : explain(error));
    }
  }

  /** Draws the event. */
  draw() {
    this.#drawChat();
    if (this.#isLoading) setText(this.#error, waiting(this.#context.session.client));
  }

  // The host and the guests have a chat.
  #drawChat() {
    const room = this.#id === null ? undefined : this.#context.session.client.rooms.all.get(this.#id);
    setShown(this.#chat, room !== undefined);
    if (room) showUnread(this.#unread, room);
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
    const { here } = this.#context.session;
    const hosted = isHost ? phrase("event.yours") : phrase("event.by", { name: isolated(event.host.name) });
    const asking = element("div", { hidden: true });
    const more = menuButton(phrase("more"), () => [
      { label: phrase("showOnMap"), icon: "map", action: () => this.#context.showPlace(event), testid: "event-map" },
      { label: phrase("event.calendar"), icon: "calendar", href: this.#calendar === null ? null : `/v1/events/${event.id}.ics?k=${this.#calendar}`, testid: "event-calendar", attributes: { download: "event.ics" } },
      { label: phrase("edit"), icon: "edit", action: isHost && isOn ? () => this.#onEdit(event) : null, testid: "event-edit" },
      null,
      { label: phrase("event.cancel.open"), icon: "remove", isDanger: true, action: isHost && isOn ? () => this.#askToCancel(asking, more) : null, testid: "event-cancel" },
      { label: phrase("report.open"), icon: "flag", isDanger: true, action: isHost ? null : () => openReport(client, { what: "event", subject: event.id }), testid: "event-report" },
    ], { "data-testid": "event-more" });
    const share = this.#control(phrase("event.share"), "share", () => this.#share(event), "event-share");
    const back = this.#control(phrase("event.back"), "back", () => this.#onBack(), "event-back");
    const where = event.approximate ? phrase("event.approximate") : (event.place ?? phrase("place.onMap"));
    const far = here === null ? null : event.approximate ? phrase("about", { what: distance(metresBetween(here, event)) }) : distance(metresBetween(here, event));
    const parts = [
      element("div", { class: "event-bar" }, back, element("span", { class: "grow" }), share, more),
      element("header", { class: "event-head" }, dateBlock(event.startsAt), element("div", { class: "grow" }, element("h2", { class: "event-title" }, event.title),
        element("p", { class: "hint event-by" }, element("span", { "data-testid": "event-host" }, avatar(asKnown(client, event.host), { size: "small" })), element("span", {}, [hosted, group && isolated(group)].filter(Boolean).join(" · "))))),
      isOn ? null : element("p", { class: "event-off notice", "data-testid": "event-off" }, event.state === "cancelled" ? phrase("event.cancelled") : phrase("event.over")),
      element("div", { class: "line-row" }, lineIcon("clock"), element("p", { class: "grow", "data-testid": "event-when" }, `${span(event.startsAt, event.endsAt)}${local ? ` (${local})` : ""}`)),
      element("div", { class: "line-row" }, lineIcon("place"), element("div", { class: "grow" }, element("p", { "data-testid": "event-where" }, where), far === null ? null : element("p", { class: "hint" }, far)),
        event.approximate ? null : element("a", { class: "button text", href: directionsTo(event), target: "_blank", rel: "noopener noreferrer", "data-testid": "event-directions" }, phrase("directions"))),
      event.text === null ? null : element("p", { class: "event-text" }, event.text),
      event.photo === null ? null : element("img", { class: "event-photo", src: event.photo.thumb, alt: phrase("photo.of", { name: isolated(event.title) }), width: event.photo.width, height: event.photo.height }),
    ];
    const answers = element("fieldset", { class: "segments answers" }, element("legend", { class: "hidden-visually" }, phrase("event.answer")), ANSWERS.map((word) => {
      const input = element("input", { type: "radio", name: `rsvp-${event.id}`, value: word, checked: event.rsvp === word || (word === "yes" && event.rsvp === "waiting"), "data-testid": `rsvp-${word}` });
      input.addEventListener("change", () => this.#answer(word));
      return element("label", { class: "segment" }, input, element("span", {}, phrase(`event.answer.${word}`)));
    }));
    const own = element("p", { class: "event-standing hint", role: "status", "data-testid": "event-standing" }, event.rsvp === "waiting" ? standing(event) : "");
    const guests = element("ul", { class: "event-guests", "data-testid": "event-guests", "aria-label": phrase("event.guests") });
    const others = button(phrase("event.guests.more"), () => this.#more(event, guests, others, isHost && isOn), { "data-testid": "guests-more", hidden: true });
    this.#body.replaceChildren(...[...parts, isOn ? answers : null, own, asking, this.#chat, element("h3", { "data-testid": "event-coming" }, coming(event)), guests, others].filter((each) => each !== null));
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
    list.replaceChildren(...guests.map((guest) => this.#guest(guest, mayRemove, me)));
    setAttribute(list, "aria-label", next === null ? phrase("count.guests", { count: guests.length }) : phrase("event.guests.first", { count: guests.length }));
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

  #guest({ user, rsvp }, mayRemove, me) {
    const { client } = this.#context.session;
    const isMe = user.id === me;
    const words = element("span", { class: "hint" }, user.id === this.#event.host.id ? phrase("event.host") : standing({ rsvp }));
    const row = element("li", { tabindex: "-1", "data-testid": "guest" }, avatar(asKnown(client, user)), element("span", { class: "grow" }, isMe ? phrase("you") : user.name), words);
    if (isMe) return row;
    const line = element("div", { class: "guest-asking" });
    const more = menuButton(phrase("person.actions", { name: isolated(user.name) }), () => [
      { label: phrase("message"), icon: "chat", action: client.rooms.all.has(this.#id) ? () => this.#context.go("chat", [this.#id, `@${user.id}`]) : null, testid: "guest-message" },
      null,
      { label: phrase("remove.open"), icon: "remove", isDanger: true, testid: "guest-remove", action: mayRemove ? () => askInPlace(line, {
        question: phrase("event.remove.sure", { name: isolated(user.name) }), yes: phrase("remove"), no: phrase("keep"), testid: "guest-remove", back: more, action: () => this.#remove(user.id),
      }) : null },
      { label: phrase("report.open"), icon: "flag", isDanger: true, action: () => openReport(client, { what: "user", subject: user.id }), testid: "guest-report" },
      { label: client.rooms.blocked.has(user.id) ? phrase("unblock.name", { name: isolated(user.name) }) : phrase("block.open", { name: isolated(user.name) }), icon: "block", isDanger: true, action: () => toggleBlock(client, user), testid: "guest-block" },
    ], { "data-testid": "guest-more", "data-user": user.id });
    row.append(more, line);
    return row;
  }

  #control(label, name, action, testid) {
    const made = button("", action, { class: "icon", "aria-label": label, title: label, "data-testid": testid });
    made.append(lineIcon(name));
    return made;
  }

  async #share({ id, title }) {
    const url = new URL(`/#/events/${id}`, location.href).href;
    // The user cancelled: not an error.
    if (navigator.share) await navigator.share({ title, url }).catch(() => {});
    else await copy(url, phrase("link.copied"));
  }

  #askToCancel(place, back) {
    setShown(place, true);
    askInPlace(place, { question: phrase("event.cancel.sure"), yes: phrase("event.cancel"), no: phrase("keep"), testid: "event-cancel", back, action: () => this.#cancel() });
  }

  async #answer(rsvp) {
    const isDone = await attempt(async () => {
      const { event } = await this.#context.session.client.request("event.rsvp", { event: this.#id, rsvp });
      this.#put(event);
    });
    // The answer that counts is still the one before.
    if (!isDone && this.#event !== null) this.#build(this.#event);
  }

  async #remove(user) {
    await attempt(async () => this.#put((await this.#context.session.client.request("event.remove", { event: this.#id, user })).event));
  }

  async #cancel() {
    await attempt(async () => {
      this.#put((await this.#context.session.client.request("event.cancel", { event: this.#id })).event);
      toast(phrase("event.cancel.done"));
      focusHeading();
    });
  }
}
