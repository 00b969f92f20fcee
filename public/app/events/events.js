import { openDialog } from "../shell/dialog.js";
import { attempt, toast } from "../shell/toasts.js";
import { button, element, setAttribute, setShown, stylesheet } from "../ui/dom.js";
import { explain, isolated } from "../ui/text.js";
import { previewPin } from "../pins/preview.js";
import { Discover } from "./discover.js";
import { eventForm } from "./event-form.js";
import { EventView } from "./event-view.js";
import { Mine } from "./mine.js";

export const route = "events";
export const title = "Events";

/** The minimum zoom for a new event. */
const NEAR = 15;

await stylesheet("/app/events/events.css");

/** The panel of events: `#/events`, `#/events/mine`, `#/events/901`, and the chat of one, `#/events/901/chat`. */
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
  #shown = "discover";
  #toggles;
  view;

  constructor(context) {
    this.#context = context;
    this.#discover = new Discover(context);
    context.discover = this.#discover;
    this.#mine = new Mine(context);
    this.#event = new EventView(context, { onEdit: (event) => this.#edit(event) });
    this.#toggles = [["discover", "Discover", []], ["mine", "Yours", ["mine"]]].map(([kind, name, rest]) =>
      [kind, button(name, () => context.go("events", rest), { class: "toggle", "data-testid": `events-${kind}` })]);
    const make = button("+ New event", () => this.#compose(null), { class: "filled", "data-testid": "event-new" });
    this.view = element("div", { class: "events stack" },
      element("div", { class: "row", role: "group", "aria-label": "Events" }, make, this.#toggles.map(([, toggle]) => toggle)),
      this.#discover.view, this.#mine.view, this.#event.view);
  }

  /** Shows the rest of the address. */
  show([what, part] = []) {
    this.#shown = what === undefined ? "discover" : what === "mine" ? "mine" : "event";
    for (const [kind, toggle] of this.#toggles) setAttribute(toggle, "aria-pressed", kind === this.#shown);
    for (const [kind, each] of [["discover", this.#discover], ["mine", this.#mine], ["event", this.#event]]) setShown(each.view, kind === this.#shown);
    if (this.#shown === "discover") this.#discover.show();
    else if (this.#shown === "mine") this.#mine.read();
    else this.#event.show(what, { isChat: part === "chat" });
    if (this.#shown !== "event") this.#event.hide();
    this.#context.layer()?.select(this.#shown === "event" ? what : null);
  }

  /** Draws the shown view. */
  draw() {
    if (this.#shown === "discover") this.#discover.draw();
    else if (this.#shown === "event") this.#event.draw();
  }

  // Creating and changing

  #compose() {
    const left = new AbortController();
    const form = eventForm(this.#context.session, { signal: left.signal, label: "Choose the place", onDone: async (draft) => {
      dialog.close();
      await this.#place(draft);
    } });
    const dialog = openDialog("New event", form.view, { testid: "event-dialog" });
    dialog.addEventListener("close", () => left.abort());
    form.focus();
  }

  async #place(draft) {
    const map = this.#context.map();
    const place = await map?.point("Press the place of the event on the map, or move it under the cross.");
    if (!place) return;
    // Sent again after a lost answer, the key identifies the same event.
    const key = crypto.randomUUID();
    await previewPin(map, place, {
      noun: "event", words: `${isolated(draft.title)}: is it here? Drag the marker, or move it by the arrow keys.`, zoom: Math.max(NEAR, map.leaflet.getZoom()),
      post: (chosen) => this.#create({ key, ...draft, ...chosen }),
    });
  }

  async #create(fields) {
    try {
      const { event } = await this.#context.session.client.request("event.create", fields);
      toast("Your event is made.");
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
    const form = eventForm(this.#context.session, { event, signal: left.signal, label: "Save", onDone: (draft) => attempt(async () => {
      await client.request("event.update", { event: event.id, version: event.version, ...draft });
      dialog.close();
      this.#event.show(event.id, { isFresh: true });
    }) });
    const dialog = openDialog("Change the event", form.view, { testid: "event-dialog" });
    dialog.addEventListener("close", () => left.abort());
    form.focus();
  }
}
