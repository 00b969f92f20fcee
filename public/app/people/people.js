import { focusHeading } from "../shell/focus.js";
import { address } from "../shell/router.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, element, setShown, stylesheet } from "../ui/dom.js";
import { field } from "../ui/form.js";
import { KeyedList } from "../ui/list.js";
import { isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { GatheringCard } from "./gathering-card.js";
import { newGroupForm, openNewGroupDialog } from "./group-dialogs.js";
import { MemberList, memberRow } from "./list.js";

export const route = "people";

await stylesheet("/app/people/people.css");

/** The panel of the group and its members. */
export function panel(context) {
  return new PeoplePanel(context);
}

/** The layer of the members. The list does not wait for the modules of the map. */
export async function layer(context) {
  const { PeopleLayer } = await import("./layer.js");
  return new PeopleLayer(context);
}

/** A button that asks for an invite link, and opens it. */
function haveLink() {
  const link = field(phrase("invite.link"), { inputmode: "url", autocomplete: "off", "data-testid": "invite-paste" });
  const form = element("form", { class: "stack", hidden: true }, link.row, element("button", { type: "submit", "data-testid": "invite-open" }, phrase("invite.open")));
  const ask = button(phrase("invite.have"), () => {
    setShown(ask, false);
    setShown(form, true);
    link.input.focus();
  }, { class: "text wide", "data-testid": "invite-have" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const code = /(?:join\/|^\s*)([\w-]{6,})\s*$/.exec(link.input.value)?.[1];
    link.complain(code ? null : phrase("invite.wrong"));
    if (code) location.hash = address("join", { rest: [code] });
    else link.input.focus();
  });
  return element("div", { class: "stack" }, ask, form);
}

class PeoplePanel {
  #context;
  #empty;
  #body;
  #gathering;
  #list;
  /** The card of a person; null until somebody was first chosen. */
  #card = null;
  #here;
  #hereRows;
  #hereList = null;
  /** The past gatherings; null until they were first shown. */
  #history = null;
  #loading = new Set();
  #past;
  /** The invite link of a group in which the user is alone. */
  #alone = element("section", { class: "alone stack", hidden: true });
  #plans = null;
  #rest = [];
  view;

  /** @param {{session: object, go: Function, showPlace: Function}} context */
  constructor(context) {
    this.#context = context;
    const { session, go } = context;
    this.#gathering = new GatheringCard(() => context.layer()?.showGathering());
    this.#list = new MemberList((user) => go("people", [user]));
    this.#past = button(phrase("history.open"), () => go("people", ["history"]), { class: "text", "data-testid": "gatherings-open" });
    const rows = element("ul", { class: "members" });
    this.#hereRows = new KeyedList(rows, (user) => memberRow(user, () => go("people", [user])));
    const back = button(phrase("showAll"), () => this.#showHere(null), { class: "text" });
    this.#here = element("section", { class: "here", "aria-label": phrase("people.here"), "data-testid": "bubble-list", hidden: true }, element("h2", {}), rows, back);
    context.showHere = (users) => this.#showHere(users);
    this.#empty = element("section", { class: "empty", "data-testid": "no-groups", hidden: true },
      element("h2", {}, phrase("start.title")),
      element("p", { class: "hint" }, phrase("start.hint")),
      newGroupForm(session.client, (group) => this.#enter(group)), haveLink());
    this.#body = element("div", { class: "people-body" }, this.#gathering.view, this.#list.view, this.#alone, this.#past);
    this.view = element("div", { class: "people" }, this.#body, this.#here, this.#empty);
  }

  #leave() {
    this.#context.go("people", []);
    focusHeading();
  }

  /** Shows the rest of the address: nothing, a member's id, or `history`. */
  show(rest) {
    const isNew = rest[0] !== this.#rest[0];
    this.#rest = rest;
    if (isNew) this.#hereList = null;
    const chosen = this.#chosen;
    this.#context.layer()?.select(chosen);
    if (chosen !== null && isNew) this.#context.raise();
    this.draw();
  }

  /** Closes the card while another section is shown. */
  hide() {
    this.#card?.show(null);
  }

  get #chosen() {
    return this.#rest[0] && this.#rest[0] !== "history" ? this.#rest[0] : null;
  }

  /** Loads a part that is first shown now, adds its view, and draws it. */
  async #load(part, make) {
    if (this.#loading.has(part)) return;
    this.#loading.add(part);
    const isLoaded = await attempt(async () => {
      this.view.append(await make());
      this.draw();
    });
    this.#loading.delete(part);
    if (!isLoaded) this.#leave();
  }

  async #makeHistory() {
    const { History } = await import("./history.js");
    const { session, showPlace } = this.#context;
    this.#history = new History({ session, onPlace: showPlace, onBack: () => this.#leave() });
    return this.#history.view;
  }

  async #makeCard() {
    const { PersonCard } = await import("./person-card.js");
    const { session, asOf, go } = this.#context;
    this.#card = new PersonCard({ session, asOf, onClose: () => this.#leave(), onMessage: (user) => go("chat", [session.group, `@${user}`]) });
    return this.#card.view;
  }

  /** Draws the group. */
  draw() {
    const { session } = this.#context;
    const { current, gathering, members, me, now, here } = session;
    const isHistory = this.#rest[0] === "history";
    const chosen = members.find(({ user }) => user === this.#chosen) ?? null;
    if (isHistory && this.#history === null) void this.#load("history", () => this.#makeHistory());
    if (chosen !== null && this.#card === null) void this.#load("card", () => this.#makeCard());
    // The list stays until the card is there.
    const member = this.#card === null ? null : chosen;
    const isHere = this.#hereList !== null && member === null && !isHistory;
    setShown(this.#empty, session.client.user !== null && current === null && !isHistory);
    setShown(this.#body, current !== null && !isHistory && member === null && !isHere);
    setShown(this.#here, isHere);
    this.#history?.show(isHistory ? current : null);
    this.#card?.show(isHistory ? null : member);
    this.#drawPlans(current);
    if (current === null) return;
    this.#drawAlone(session.roster !== null && members.length === 1 ? current : null);
    const about = { me, now, here, gathering, asOf: this.#context.asOf() };
    this.#list.show(members, about);
    this.#gathering.show(gathering, { members, ...about });
    this.#hereRows.show(isHere ? members.filter(({ user }) => this.#hereList.includes(user)) : [], ({ user }) => user, about);
  }

  #drawAlone(group) {
    setShown(this.#alone, group !== null);
    if (this.#alone.dataset.group === (group?.id ?? "")) return;
    this.#alone.dataset.group = group?.id ?? "";
    this.#alone.replaceChildren(...(group === null ? [] : [element("h2", {}, phrase("start.alone"))]));
    if (group === null) return;
    void attempt(async () => {
      const { inviteSection } = await import("./invite.js");
      if (this.#alone.dataset.group === group.id && this.#alone.childElementCount === 1) this.#alone.append(inviteSection(this.#context.session.client, group));
    });
  }

  #showHere(users) {
    this.#hereList = users;
    this.draw();
    if (users === null) return focusHeading();
    this.#here.firstElementChild.textContent = phrase("people.here.count", { count: users.length });
    for (const row of this.#here.querySelectorAll(".member")) row.tabIndex = 0;
    this.#context.raise();
    this.#here.querySelector(".member")?.focus();
  }

  /** Asks whether to join by an invite; `onAnswered` is called when the question is answered. */
  async offerInvite(code, onAnswered) {
    const { openJoinDialog } = await import("./join-dialog.js");
    openJoinDialog(this.#context.session, code, {
      onAnswered,
      onJoined: (group) => {
        this.#enter(group);
        toast(phrase("join.done", { name: isolated(group.name) }));
      },
    });
  }

  /** Opens the dialog of invites. */
  invite() {
    const { client, current } = this.#context.session;
    void attempt(async () => (await import("./invite.js")).openInviteDialog(client, current));
  }

  /** Opens the dialog of the shown group. */
  settings() {
    const { client, current, me } = this.#context.session;
    void attempt(async () => {
      const { openGroupDialog } = await import("./group-settings.js");
      openGroupDialog(client, current, { me, onAddPlace: () => this.#addPlace(current) });
    });
  }

  async #addPlace(group) {
    const { session } = this.#context;
    const { pickPlace } = await import("../places/pick-place.js");
    const place = await pickPlace({ session, map: () => this.#context.map() }, { noun: "place" });
    if (place === null) return;
    const { openAddPlaceDialog } = await import("./group-places.js");
    openAddPlaceDialog(session.client, group, place);
  }

  /** Opens the dialog of a new group. */
  newGroup() {
    openNewGroupDialog(this.#context.session.client, (group) => this.#enter(group));
  }

  // Loaded without waiting, once the group is shown.
  async #drawPlans(group) {
    if (group === null && this.#plans === null) return;
    this.#plans ??= import("../plans/group-card.js").then(({ GroupPlans }) => {
      const plans = new GroupPlans(this.#context.session.client, (id) => this.#context.go("plans", [id]));
      this.#gathering.view.after(plans.view);
      return plans;
    });
    const plans = await this.#plans.catch(() => null);
    // Without a connection they come with the next visit.
    if (plans === null) this.#plans = null;
    plans?.show(this.#context.session.current?.id ?? null);
  }

  // A stationary user who enters is shown to the others at once.
  #enter(group) {
    this.#context.session.source.sayStillHere();
    this.#context.go("people", [], { group: group.id });
  }
}
