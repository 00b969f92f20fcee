import { hasPosition } from "../../muster.js";
import { directionsTo, shareLink } from "../map/links.js";
import { attempt, toast } from "../shell/toasts.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setAttribute, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { openMenu } from "../ui/menu.js";
import { capital, people } from "../ui/names.js";
import { distance, isolated, moment } from "../ui/text.js";
import { ago } from "../ui/times.js";
import { phrase } from "../ui/words.js";
import { toggleBlock } from "./block.js";
import { describe, farFrom, isAbout } from "./person.js";

/** One person: place, distance and age, Directions and Message, and a menu of all else. */
export class PersonCard {
  #session;
  #asOf;
  #face = element("div", {});
  #name = element("h2", { class: "person-name" });
  #line = element("p", { class: "hint", "data-testid": "callout-line" });
  #far = element("p", { class: "hint", "data-testid": "callout-far" });
  #details = element("p", { class: "hint", "data-testid": "callout-details" });
  #directions = element("a", { class: "button filled", target: "_blank", rel: "noopener noreferrer", "data-testid": "callout-directions" }, lineIcon("directions"), phrase("directions"));
  #message;
  #more;
  #actions;
  #with = element("p", { class: "person-with", "data-testid": "callout-with" });
  #member = null;
  view;

  /** @param {{session: object, asOf: () => number|null, onClose: () => void, onMessage: (user: string) => void}} options */
  constructor({ session, asOf, onClose, onMessage }) {
    this.#asOf = asOf;
    this.#session = session;
    const close = button("", onClose, { class: "icon", "aria-label": phrase("close"), "data-testid": "callout-close" });
    close.append(lineIcon("close"));
    this.#message = button(phrase("message"), () => onMessage(this.#member.user), { class: "tonal", "data-testid": "callout-message" });
    this.#more = element("button", { type: "button", class: "icon sunken", "aria-haspopup": "menu", "aria-expanded": "false", "data-testid": "callout-more", onclick: () => this.#openMenu() }, lineIcon("more"));
    this.#actions = element("div", { class: "person-actions" }, this.#directions, this.#message, this.#more);
    this.view = element("section", { class: "person-card", hidden: true },
      element("div", { class: "person-head" }, this.#face, element("div", { class: "person-words" }, this.#name, this.#line, this.#far, this.#details), close), this.#actions, this.#with);
    this.view.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      onClose();
    });
  }

  /** Shows a member; null shows none. */
  show(member) {
    setShown(this.view, member !== null);
    this.#member = member;
    if (member === null) return this.view.removeAttribute("data-testid");
    const { me, now, here, gathering } = this.#session;
    const isMe = member.user === me;
    const asOf = this.#asOf();
    const { line, isOld } = describe(member, { now, asOf, isMe, gathering });
    setAttribute(this.view, "data-testid", `callout-${member.user}`);
    setAttribute(this.view, "aria-label", member.name);
    if (this.#face.dataset.drawn !== faceKey(member)) {
      this.#face.dataset.drawn = faceKey(member);
      this.#face.replaceChildren(avatar(member, { size: "large" }));
    }
    setText(this.#name, isMe ? phrase("person.you", { name: isolated(member.name) }) : member.name);
    setText(this.#line, line);
    const far = isMe ? null : farFrom(here, member);
    const age = hasPosition(member) && !isOld && !isMe ? ago(now - (member.at ?? now)) : null;
    setText(this.#far, [far, age].filter(Boolean).join(" · "));
    setShown(this.#far, this.#far.textContent !== "");
    // The second line says it, too.
    setShown(this.#line, age === null || line !== capital(phrase("person.seen", { when: age })));
    const details = [];
    if (member.accuracy >= 1 && !(isAbout(member) && !isMe)) details.push(`± ${distance(member.accuracy)}`);
    if (member.speed >= 0.6 && !isOld && !isAbout(member)) details.push(phrase("person.speed", { count: Math.round(member.speed * 3.6) }));
    if (typeof member.battery === "number") details.push(phrase("person.battery", { count: Math.round(member.battery * 100) }));
    setText(this.#details, details.join(" · "));
    setShown(this.#details, details.length > 0);
    setShown(this.#actions, !isMe);
    setShown(this.#directions, hasPosition(member));
    if (hasPosition(member)) setAttribute(this.#directions, "href", directionsTo(member));
    setAttribute(this.#more, "aria-label", phrase("person.more", { name: isolated(member.name) }));
    this.#drawCompanions(member, gathering);
  }

  #drawCompanions({ user }, gathering) {
    const isIn = gathering?.together.includes(user) === true && gathering.together.length > 1;
    setShown(this.#with, isIn);
    if (!isIn) return;
    const members = this.#session.roster.members;
    const names = gathering.together.filter((each) => each !== user).map((each) => members.get(each)?.name).filter(Boolean);
    setText(this.#with, this.#asOf() === null ? phrase("person.with", { names: people(names), when: moment(gathering.since, this.#session.now) }) : phrase("person.with.past", { names: people(names) }));
  }

  #openMenu() {
    const { client } = this.#session;
    const { user, name } = this.#member;
    const person = { id: user, name };
    openMenu(this.#more, [
      { label: phrase("person.ask"), action: () => this.#ask(user), testid: `ask-${user}` },
      { label: phrase("share"), action: () => shareLink(location.href, name), testid: "callout-share" },
      null,
      { label: phrase("report.open"), isDanger: true, testid: "callout-report", action: () => attempt(async () => {
        const { openReport } = await import("../shell/report.js");
        openReport(client, { what: "user", subject: user });
      }) },
      { label: client.rooms.blocked.has(user) ? phrase("unblock") : phrase("block.openShort"), isDanger: true, testid: "callout-block", action: () => toggleBlock(client, person) },
    ], { label: phrase("person.more", { name: isolated(name) }) });
  }

  async #ask(user) {
    const { client, group } = this.#session;
    await attempt(async () => {
      const { devices } = await client.request("locate", { group, user });
      toast(devices === 0 ? phrase("person.ask.none") : phrase("person.ask.done"));
    });
  }
}
