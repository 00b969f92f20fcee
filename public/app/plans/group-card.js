import { button, element, setShown, setText, stylesheet } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { phrase } from "../ui/words.js";
import { answerButtons } from "./answers.js";
import { isolated } from "../ui/text.js";

/** The number of a group's newest plans in the panel. */
const MOST = 3;

/** The plans proposed to the shown group, each with In, Maybe and Out. */
export class GroupPlans {
  #client;
  #onOpen;
  #group = null;
  #asked = 0;
  #plans = [];
  #list = element("ul", { class: "group-plans" });
  #rows;
  view = element("section", { class: "stack", "aria-label": phrase("plans.proposed"), "data-testid": "group-plans", hidden: true }, this.#list);

  /** @param {object} client @param {(plan: string) => void} onOpen opens a plan */
  constructor(client, onOpen) {
    this.#client = client;
    this.#onOpen = onOpen;
    this.#rows = new KeyedList(this.#list, (id) => this.#row(id));
    client.addEventListener("notice", ({ detail }) => detail.type === "plan_proposed" && this.#about(detail) && this.#read());
    client.addEventListener("plan_gone", ({ detail }) => this.#about(detail) && this.#take(this.#plans.filter(({ id }) => id !== detail.plan)));
    client.addEventListener("plan_changed", ({ detail: { plan, group, answers } }) => {
      if (this.#about({ group })) this.#change(plan, { answers });
    });
    client.addEventListener("plan_answered", ({ detail: { plan, group, answer } }) => {
      if (this.#about({ group })) this.#change(plan, { answer });
    });
    client.addEventListener("welcome", () => this.#read());
  }

  /** Shows the plans of a group; null shows none. */
  show(group) {
    if (group === this.#group) return;
    this.#group = group;
    this.#take([]);
    this.#read();
  }

  #about({ group }) {
    return group === this.#group;
  }

  async #read() {
    const group = this.#group;
    const asked = ++this.#asked;
    if (group === null) return;
    // After a failure the plans are loaded at the next connection.
    const { plans } = await this.#client.request("plans.list", { group }).catch(() => ({ plans: [] }));
    if (asked === this.#asked) this.#take(plans.slice(0, MOST));
  }

  #change(id, news) {
    this.#take(this.#plans.map((plan) => (plan.id === id ? { ...plan, shares: plan.shares.map((share) => (share.group === this.#group ? { ...share, ...news } : share)) } : plan)));
  }

  #take(plans) {
    if (plans.length > 0) stylesheet("/app/plans/plans.css");
    this.#plans = plans;
    this.#rows.show(plans, ({ id }) => id);
    setShown(this.view, plans.length > 0);
  }

  #row(id) {
    const name = element("strong", {});
    const by = element("span", { class: "hint" });
    const open = button("", () => this.#onOpen(id), { class: "plan-open", "data-testid": "group-plan-open" });
    open.append(name, by);
    const sources = element("p", { class: "hint", "data-testid": "group-plan-attribution" });
    const answers = answerButtons(this.#client, id, this.#group, (answer) => this.#change(id, { answer }));
    return {
      item: element("li", { class: "group-plan stack", "data-testid": "group-plan", "data-plan": id }, open, answers.view, sources),
      show: (plan) => {
        setText(name, plan.name);
        setText(sources, plan.attribution.join(" · "));
        setText(by, phrase("plan.proposes", { name: isolated(plan.by.name), places: plan.stops.map(({ place }) => isolated(place.name)).join(", ") }));
        const share = plan.shares.find(({ group }) => group === this.#group);
        if (share) answers.show(share);
      },
    };
  }
}
