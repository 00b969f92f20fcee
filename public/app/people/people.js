import { focusHeading } from "../shell/focus.js";
import { toast } from "../shell/toasts.js";
import { element, setShown, stylesheet } from "../ui/dom.js";
import { GatheringCard } from "./gathering-card.js";
import { newGroupForm, openGroupDialog, openInviteDialog, openNewGroupDialog } from "./group-dialogs.js";
import { History } from "./history.js";
import { MemberList } from "./list.js";
import { isolated } from "../ui/text.js";

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
  #history;
  #plans = null;
  #rest = [];
  view;

  /** @param {{session: object, go: Function, showPlace: Function}} context */
  constructor(context) {
    this.#context = context;
    const { session, go } = context;
    this.#gathering = new GatheringCard({
      onPlace: () => context.showPlace(session.gathering?.place),
      onHistory: () => go("people", ["history"]),
    });
    this.#list = new MemberList((user) => go("people", [user]));
    this.#history = new History({
      session, onPlace: context.showPlace,
      onBack: () => {
        go("people", []);
        focusHeading();
      },
    });
    this.#empty = element("section", { class: "empty", "data-testid": "no-groups", hidden: true },
      element("h2", {}, "Start with a group"),
      element("p", { class: "hint" }, "Create one and invite your friends, or open an invite link that a friend has sent you."),
      newGroupForm(session.client, (group) => this.#made(group)));
    this.#body = element("div", { class: "people-body" }, this.#gathering.view, this.#list.view);
    this.view = element("div", { class: "people" }, this.#body, this.#history.view, this.#empty);
  }

  /** Shows the rest of the address: nothing, a member's id, or `history`. */
  show(rest) {
    this.#rest = rest;
    this.#context.layer()?.select(rest[0] && rest[0] !== "history" ? rest[0] : null);
    this.draw();
  }

  /** Draws the group. */
  draw() {
    const { session } = this.#context;
    const { current, gathering, members, me, now, here } = session;
    const isHistory = this.#rest[0] === "history";
    setShown(this.#empty, session.client.user !== null && current === null && !isHistory);
    setShown(this.#body, current !== null && !isHistory);
    this.#history.show(isHistory ? current : null);
    this.#drawPlans(current);
    if (current === null) return;
    this.#list.show(members, { me, now, here, gathering });
    this.#gathering.show(gathering, { members, me, now, here });
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
