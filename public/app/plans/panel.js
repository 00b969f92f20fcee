import { findPosition } from "../position/find.js";
import { pickPlace } from "../places/pick-place.js";
import { openDialog } from "../shell/dialog.js";
import { focusHeading } from "../shell/focus.js";
import { attempt, toast } from "../shell/toasts.js";
import { busyWhile, button, element, setShown, setText } from "../ui/dom.js";
import { field, sureButton } from "../ui/form.js";
import { explain, isolated, waiting } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { answerButtons } from "./answers.js";
import { detail } from "./detail.js";
import { Plans } from "./store.js";
import { attribution, summary } from "./summary.js";
import { wishForm } from "./wish-form.js";
import { categoryName } from "./words.js";

/** The panel of plans: saved plans, a form for new ones with suggestions, and an opened plan. */
export class PlansPanel {
  #context;
  #plans;
  #wish;
  #rest = [];
  #opened = null;
  #shownID = 0;
  #recountID = 0;
  /** The groups' views of the opened plan, and their buttons, by group. */
  #shares = new Map();
  #list = element("ul", { class: "plans", "aria-label": phrase("plans.yours"), "data-testid": "plans" });
  #more = button(phrase("showMore"), () => this.#plans.readMore(), { "data-testid": "plans-more", hidden: true });
  #state = element("p", { class: "hint", role: "status", "data-testid": "plans-state" });
  #found = element("ul", { class: "plans", "aria-label": phrase("plans.suggested"), "data-testid": "plans-suggested" });
  #said = element("p", { role: "status", "data-testid": "plans-found" });
  #sources = element("div", {});
  #own;
  #new;
  #one = element("div", { class: "stack" });
  view;

  /** @param {{session: object, map: () => object|null, layer: () => object|null, go: Function}} context */
  constructor(context) {
    this.#context = context;
    this.#plans = new Plans(context.session.client);
    this.#wish = wishForm({
      locate: () => findPosition(context, { noun: "start" }),
      point: () => pickPlace(context, { noun: "start" }),
      onWish: (wish) => this.#suggest(wish),
    });
    const events = button(phrase("plans.events"), () => {
      context.go("events", []);
      focusHeading();
    }, { class: "link", "data-testid": "plans-back" });
    this.#own = element("div", { class: "stack" }, events,
      button(phrase("plans.new"), () => context.go("plans", ["new"]), { class: "filled", "data-testid": "plan-new" }), this.#list, this.#more, this.#state);
    this.#new = element("div", { class: "stack" }, this.#back(phrase("plans.back"), []), this.#wish.view, this.#said, this.#found, this.#sources);
    this.view = element("div", { class: "plans-panel" }, this.#own, this.#new, this.#one);
    this.#plans.addEventListener("change", () => this.draw());
    context.session.client.addEventListener("plan_gone", ({ detail: { plan } }) => {
      if (this.#rest[0] === plan && this.#opened?.by.id !== context.session.me) this.#leave(phrase("plan.withdrawn"));
    });
    context.session.client.addEventListener("plan_changed", ({ detail: { plan } }) => {
      if (this.#rest[0] === plan) this.#recount(plan);
    });
  }

  /** Shows the rest of the address. */
  show(rest) {
    const isSame = JSON.stringify(rest) === JSON.stringify(this.#rest);
    this.#rest = rest;
    const [first, index] = rest;
    if (first === undefined && this.#plans.state !== "reading") this.#plans.read();
    if (isSame && this.#opened !== null) return this.#context.layer()?.show(this.#opened);
    this.#opened = null;
    this.#context.layer()?.show(null);
    if (first === "new" && index !== undefined) this.#openSuggested(Number(index));
    else if (first !== undefined && first !== "new") this.#open(first);
    this.draw();
  }

  /** Draws the shown view. */
  draw() {
    const [first, index] = this.#rest;
    setShown(this.#own, first === undefined);
    setShown(this.#new, first === "new" && index === undefined);
    setShown(this.#one, first !== undefined && (first !== "new" || index !== undefined));
    const { all, state, error, hasMore } = this.#plans;
    this.#wish.tell();
    if (first !== undefined) return;
    const drawn = JSON.stringify(all);
    if (this.#list.dataset.drawn !== drawn) {
      this.#list.dataset.drawn = drawn;
      this.#list.replaceChildren(...all.map((plan) => summary(plan, () => this.#context.go("plans", [plan.id]))));
    }
    setShown(this.#more, hasMore);
    setText(this.#state, state === "failed" ? explain(error) : all.length > 0 ? "" : state === "read" ? phrase("plans.none") : waiting(this.#context.session.client));
  }

  // Suggestions

  async #suggest(wish) {
    this.#found.replaceChildren();
    this.#sources.replaceChildren();
    setText(this.#said, phrase("plans.looking"));
    try {
      await this.#plans.suggest(wish);
    } catch (error) {
      return this.#say(explain(error));
    }
    const { plans, missing, sources, attribution: names } = this.#plans.suggestion;
    if (plans.length === 0 && sources.length === 0) return this.#say(phrase("plans.noPlaces"));
    const silent = [...new Set(sources.filter(({ state }) => ["timeout", "failed", "open"].includes(state)).map(({ category }) => categoryName(category)))];
    setText(this.#said, [
      plans.length === 0 ? phrase("plans.notFound") : "",
      missing.length > 0 ? phrase("plans.missing", { names: missing.map((each) => categoryName(each)).join(", ") }) : "",
      silent.length > 0 ? phrase("plans.silent", { names: silent.join(", ") }) : "",
    ].filter(Boolean).join(" "));
    this.#found.replaceChildren(...plans.map((plan, index) => summary(plan, () => this.#context.go("plans", ["new", String(index)]))));
    this.#sources.replaceChildren(attribution(names));
    const first = this.#found.querySelector("button");
    if (first) first.focus();
    else this.#said.scrollIntoView({ block: "nearest" });
  }

  // Below the form the words could be out of view.
  #say(words) {
    setText(this.#said, words);
    this.#said.scrollIntoView({ block: "nearest" });
  }

  #openSuggested(index) {
    const plan = this.#plans.suggestion?.plans[index];
    // A reload discards earlier suggestions.
    if (!plan) return this.#context.go("plans", ["new"], { replace: true });
    const keep = button(phrase("save"), () => this.#ask(plan, index), { class: "filled", "data-testid": "plan-save" });
    this.#put(plan, this.#back(phrase("plans.suggestions"), ["new"]), element("div", { class: "row" }, keep));
  }

  #ask(plan, index) {
    const name = field(phrase("name"), { maxlength: 80, value: plan.name, "data-testid": "plan-name" });
    const keep = element("button", { type: "submit", class: "filled", "data-testid": "plan-name-save" }, phrase("save"));
    const form = element("form", { class: "stack", novalidate: true }, name.row, keep);
    const dialog = openDialog(phrase("plan.save"), form, { testid: "plan-save-dialog" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      busyWhile(keep, async () => {
        try {
          const saved = await this.#plans.save(index, name.input.value.trim());
          dialog.close();
          toast(phrase("plan.saved"));
          this.#context.go("plans", [saved.id]);
        } catch (error) {
          name.complain(error.field === "name" ? phrase("plan.name.wrong") : explain(error));
        }
      });
    });
    name.input.select();
  }

  // One plan

  async #open(id) {
    const shown = ++this.#shownID;
    let plan;
    try {
      plan = await this.#plans.get(id);
    } catch (error) {
      if (shown === this.#shownID) this.#leave(error.code === "not_found" ? phrase("plan.gone") : explain(error));
      return;
    }
    if (shown !== this.#shownID || this.#rest[0] !== id) return;
    const { session } = this.#context;
    const isOwn = plan.by.id === session.me;
    this.#shares.clear();
    const actions = element("div", { class: "stack" },
      isOwn ? null : element("p", { class: "hint" }, phrase("plan.by", { name: isolated(plan.by.name) })),
      plan.shares.map((share) => this.#share(plan, share, isOwn)),
      isOwn ? element("div", { class: "row" },
        button(phrase("plan.propose"), () => this.#propose(plan), { class: "filled", "data-testid": "plan-propose" }),
        sureButton(phrase("delete"), phrase("plan.delete.sure"), () => this.#delete(plan), { class: "danger", "data-testid": "plan-delete" })) : null);
    this.#put(plan, this.#back(phrase("plans.back"), []), actions);
  }

  #share(plan, share, isOwn) {
    const { client } = this.#context.session;
    const buttons = answerButtons(client, plan.id, share.group, (answer) => this.#showShare({ ...this.#shares.get(share.group).share, answer }));
    this.#shares.set(share.group, { share, buttons });
    this.#showShare(share);
    const name = client.groups.get(share.group)?.name ?? phrase("plan.group");
    return element("section", { class: "plan-share stack", "aria-label": name, "data-testid": "plan-share" }, element("h3", {}, name), buttons.view,
      isOwn ? button(phrase("plan.withdraw"), () => this.#unshare(plan, share.group), { class: "link", "data-testid": "plan-unshare" }) : null);
  }

  #showShare(share) {
    const known = this.#shares.get(share.group);
    known.share = share;
    known.buttons.show(share);
  }

  /** Updates the answers to the opened plan in place, so that the focus stays on its button. */
  async #recount(id) {
    if (this.#opened?.id !== id) return this.#open(id);
    const asked = ++this.#recountID;
    // After a failure the next change updates the answers.
    const plan = await this.#plans.get(id).catch(() => null);
    if (plan === null || asked !== this.#recountID || this.#opened?.id !== id) return;
    if (plan.shares.length !== this.#shares.size || plan.shares.some(({ group }) => !this.#shares.has(group))) return this.#open(id);
    this.#opened.shares = plan.shares;
    for (const share of plan.shares) this.#showShare(share);
  }

  #put(plan, back, actions) {
    this.#opened = plan;
    this.#one.replaceChildren(back, detail(plan, actions));
    this.#context.layer()?.show(plan);
    this.draw();
  }

  #propose(plan) {
    const { session } = this.#context;
    const open = session.groups.filter(({ id }) => !plan.shares.some(({ group }) => group === id));
    const list = element("div", { class: "stack" }, open.length === 0 ? element("p", { class: "hint" }, phrase("plan.propose.none")) : null, open.map((group) =>
      button(group.name, async () => {
        if (!(await attempt(() => session.client.request("plan.share", { plan: plan.id, group: group.id })))) return;
        dialog.close();
        toast(phrase("plan.propose.done", { name: isolated(group.name) }));
        await this.#open(plan.id);
      }, { "data-testid": "plan-propose-group" })),
      element("p", { class: "hint" }, phrase("plan.propose.hint")));
    const dialog = openDialog(phrase("plan.propose"), list, { testid: "plan-propose-dialog" });
  }

  async #unshare(plan, group) {
    if (!(await attempt(() => this.#context.session.client.request("plan.unshare", { plan: plan.id, group })))) return;
    await this.#open(plan.id);
    focusHeading();
  }

  async #delete(plan) {
    if (await attempt(() => this.#plans.delete(plan.id))) this.#leave(phrase("plan.deleted"));
  }

  #leave(words) {
    toast(words);
    this.#context.go("plans", [], { replace: true });
    focusHeading();
  }

  #back(words, rest) {
    return button(words, () => {
      this.#context.go("plans", rest);
      focusHeading();
    }, { class: "link", "data-testid": "plan-back" });
  }
}
