import { focusHeading } from "../shell/focus.js";
import { toast } from "../shell/toasts.js";
import { button, element, setShown, stylesheet } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { counted, isolated } from "../ui/text.js";
import { GatheringCard } from "./gathering-card.js";
import { newGroupForm, openGroupDialog, openInviteDialog, openNewGroupDialog } from "./group-dialogs.js";
import { History } from "./history.js";
import { MemberList, memberRow } from "./list.js";
import { PersonCard } from "./person-card.js";

export const route = "people";
export const title = "Map";

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

class PeoplePanel {
  #context;
  #empty;
  #body;
  #gathering;
  #list;
  #card;
  #here;
  #hereRows;
  #hereList = null;
  #history;
  #past;
  #plans = null;
  #rest = [];
  view;

  /** @param {{session: object, go: Function, showPlace: Function}} context */
  constructor(context) {
    this.#context = context;
    const { session, go } = context;
    const leave = () => {
      go("people", []);
      focusHeading();
    };
    this.#gathering = new GatheringCard(() => context.layer()?.showGathering());
    this.#list = new MemberList((user) => go("people", [user]));
    this.#card = new PersonCard({ session, onClose: leave, onMessage: (user) => go("chat", [session.group, `@${user}`]) });
    this.#history = new History({ session, onPlace: context.showPlace, onBack: leave });
    this.#past = button("Past gatherings", () => go("people", ["history"]), { class: "text", "data-testid": "gatherings-open" });
    const rows = element("ul", { class: "members" });
    this.#hereRows = new KeyedList(rows, (user) => memberRow(user, () => go("people", [user])));
    const back = button("Show all", () => this.#showHere(null), { class: "text" });
    this.#here = element("section", { class: "here", "aria-label": "People here", "data-testid": "bubble-list", hidden: true }, element("h2", {}), rows, back);
    context.showHere = (users) => this.#showHere(users);
    this.#empty = element("section", { class: "empty", "data-testid": "no-groups", hidden: true },
      element("h2", {}, "Start with a group"),
      element("p", { class: "hint" }, "Create one and invite your friends, or open an invite link that a friend has sent you."),
      newGroupForm(session.client, (group) => this.#made(group)));
    this.#body = element("div", { class: "people-body" }, this.#gathering.view, this.#list.view, this.#past);
    this.view = element("div", { class: "people" }, this.#body, this.#card.view, this.#here, this.#history.view, this.#empty);
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

  get #chosen() {
    return this.#rest[0] && this.#rest[0] !== "history" ? this.#rest[0] : null;
  }

  /** Draws the group. */
  draw() {
    const { session } = this.#context;
    const { current, gathering, members, me, now, here } = session;
    const isHistory = this.#rest[0] === "history";
    const member = members.find(({ user }) => user === this.#chosen) ?? null;
    const isHere = this.#hereList !== null && member === null && !isHistory;
    setShown(this.#empty, session.client.user !== null && current === null && !isHistory);
    setShown(this.#body, current !== null && !isHistory && member === null && !isHere);
    setShown(this.#here, isHere);
    this.#history.show(isHistory ? current : null);
    this.#card.show(isHistory ? null : member);
    this.#drawPlans(current);
    if (current === null) return;
    const about = { me, now, here, gathering, asOf: this.#context.asOf() };
    this.#list.show(members, about);
    this.#gathering.show(gathering, { members, ...about });
    this.#hereRows.show(isHere ? members.filter(({ user }) => this.#hereList.includes(user)) : [], ({ user }) => user, about);
  }

  #showHere(users) {
    this.#hereList = users;
    this.draw();
    if (users === null) return focusHeading();
    this.#here.firstElementChild.textContent = `${counted(users.length, "person", "people")} here`;
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
        toast(`You joined ${isolated(group.name)}.`);
      },
    });
  }

  /** Opens the dialog of invites. */
  invite() {
    const { client, current } = this.#context.session;
    openInviteDialog(client, current);
  }

  /** Opens the dialog of the shown group. */
  settings() {
    const { client, current, me } = this.#context.session;
    openGroupDialog(client, current, { me });
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
    (await this.#plans).show(this.#context.session.current?.id ?? null);
  }

  #made(group) {
    this.#enter(group);
    openInviteDialog(this.#context.session.client, group);
  }

  // A stationary user who enters is shown to the others at once.
  #enter(group) {
    this.#context.session.source.sayStillHere();
    this.#context.go("people", [], { group: group.id });
  }
}
