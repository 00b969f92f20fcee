import { openDialog } from "../shell/dialog.js";
import { toast } from "../shell/toasts.js";
import { button, element, setAttribute, setShown, stylesheet } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { explain } from "../ui/text.js";
import { pickPlace } from "../places/pick-place.js";
import { phrase } from "../ui/words.js";
import { Discover } from "./discover.js";
import { eventForm } from "./event-form.js";
import { EventView } from "./event-view.js";
import { Mine } from "./mine.js";

export const route = "events";

await stylesheet("/app/events/events.css");

/** The panel of events: `#/events` or `#/events/mine`, `#/events/nearby`, and `#/events/901`. */
export function panel(context) {
  return new EventsPanel(context);
}

/** Events on the map. */
export async function layer(context) {
  const { EventLayer } = await import("./layer.js");
  return new EventLayer(context);
}

class EventsPanel {
  #context;
  #discover;
  #mine;
  #event;
  #shown = "mine";
  /** The address of the list that was shown last. */
  #list = [];
  #toggles;
  #lists;
  /** The control beside the title of the section. */
  actions;
  view;

  constructor(context) {
    this.#context = context;
    this.#discover = new Discover(context);
    context.discover = this.#discover;
    this.#mine = new Mine(context);
    this.#event = new EventView(context, { onBack: () => context.go("events", this.#list), onEdit: (event) => this.#edit(event) });
    this.#toggles = [["mine", phrase("events.mine"), []], ["discover", phrase("events.nearby"), ["nearby"]]].map(([kind, name, rest]) =>
      [kind, button(name, () => context.go("events", rest), { class: "segment", "data-testid": `events-${kind}` })]);
    const make = button(phrase("events.new"), () => this.#compose(null), { class: "tonal", "data-testid": "event-new" });
    make.prepend(lineIcon("plus"));
    this.actions = make;
    const plan = element("button", { type: "button", class: "plan-outing", "data-testid": "nav-plans" }, lineIcon("map"),
      element("span", { class: "grow" }, element("strong", {}, phrase("events.plan")), element("span", { class: "hint" }, phrase("events.plan.hint"))), lineIcon("right"));
    plan.addEventListener("click", () => context.go("plans", []));
    this.#lists = element("div", { class: "stack" },
      element("div", { class: "row event-top" }, element("div", { class: "segments grow", role: "group", "aria-label": phrase("events.title") }, this.#toggles.map(([, toggle]) => toggle)), make),
      this.#discover.view, this.#mine.view, plan);
    this.view = element("div", { class: "events" }, this.#lists, this.#event.view);
  }

  /** Shows the rest of the address. */
  show([what, part] = []) {
    // Links from before the chat had a section of its own.
    if (part === "chat") return this.#context.go("chat", [what], { replace: true });
    this.#shown = what === undefined || what === "mine" ? "mine" : what === "nearby" ? "discover" : "event";
    if (this.#shown !== "event") this.#list = what === undefined ? [] : [what];
    for (const [kind, toggle] of this.#toggles) setAttribute(toggle, "aria-pressed", kind === this.#shown);
    for (const [kind, each] of [["discover", this.#discover], ["mine", this.#mine], ["event", this.#event]]) setShown(each.view, kind === this.#shown);
    setShown(this.#lists, this.#shown !== "event");
    if (this.#shown === "discover") this.#discover.show();
    else if (this.#shown === "mine") this.#mine.read();
    else this.#event.show(what);
    if (this.#shown !== "event") this.#event.hide();
    this.#context.layer()?.select(this.#shown === "event" ? what : null);
  }

  /** Whether an event is shown, which has a head of its own. */
  get isInner() {
    return this.#shown === "event";
  }

  /** Draws the shown view. */
  draw() {
    if (this.#shown === "discover") this.#discover.draw();
    else if (this.#shown === "mine") this.#mine.draw();
    else if (this.#shown === "event") this.#event.draw();
  }

  // Creating and changing

  #compose() {
    const left = new AbortController();
    const form = eventForm(this.#context.session, { signal: left.signal, label: phrase("events.pick"), onDone: async (draft) => {
      dialog.close();
      await this.#place(draft);
    } });
    const dialog = openDialog(phrase("events.new.title"), form.view, { testid: "event-dialog" });
    dialog.addEventListener("close", () => left.abort());
    form.focus();
  }

  async #place(draft) {
    // Sent again after a lost answer, the key identifies the same event.
    const key = crypto.randomUUID();
    await pickPlace(this.#context, {
      noun: "event", at: this.#context.map()?.center, query: draft.place ?? "",
      use: ({ lat, lon, name }) => this.#create({ key, ...draft, ...(!draft.place && name !== null && { place: name }), lat, lon }),
    });
  }

  async #create(fields) {
    try {
      const { event } = await this.#context.session.client.request("event.create", fields);
      toast(phrase("events.created"));
      this.#context.go("events", [event.id]);
      return true;
    } catch (error) {
      toast(explain(error), { tone: "bad" });
      return false;
    }
  }

  #edit(event) {
    const { client } = this.#context.session;
    const left = new AbortController();
    const form = eventForm(this.#context.session, { event, signal: left.signal, label: phrase("save"), onDone: async (draft) => {
      await client.request("event.update", { event: event.id, version: event.version, ...draft });
      dialog.close();
      this.#event.show(event.id, { isFresh: true });
    } });
    const dialog = openDialog(phrase("events.edit"), form.view, { testid: "event-dialog" });
    dialog.addEventListener("close", () => left.abort());
    form.focus();
  }
}
