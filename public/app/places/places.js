import { announce, toast } from "../shell/toasts.js";
import { openDialog } from "../shell/dialog.js";
import { metresBetween } from "../map/geometry.js";
import { button, element, setAttribute, setShown, setText, stylesheet } from "../ui/dom.js";
import { KeyedList } from "../ui/list.js";
import { away, explain, isolated, waiting } from "../ui/text.js";
import { PinsPanel } from "../pins/panel.js";
import { findPosition } from "../position/find.js";
import { phrase } from "../ui/words.js";
import { pickPlace } from "./pick-place.js";
import { addSpotForm } from "./add-spot.js";
import { SpotPhoto, spotName, spotSaid, voteButtons } from "./spot.js";
import { Spots } from "./spots.js";

export const route = "places";

await stylesheet("/app/places/places.css");

/** The panel of spots and pins: `#/places/spots`, `#/places/spots/501`, `#/places/pins` and `#/places/pins/601`. */
export function panel(context) {
  context.card = { view: element("div", { class: "card-slot" }), onChange: () => {} };
  const kinds = {
    spots: new SpotsPanel({ ...context, layer: () => context.layer()?.of("spots") ?? null }),
    pins: new PinsPanel({ ...context, layer: () => context.layer()?.of("pins") ?? null }),
  };
  context.spots = kinds.spots.spots;
  context.pins = kinds.pins.pins;
  return new KindsPanel(context, kinds);
}

/** Spots and pins on the map. */
export async function layer(context) {
  const [{ SpotLayer }, { PinLayer }] = await Promise.all([import("./layer.js"), import("../pins/layer.js")]);
  return new KindsLayer({ spots: new SpotLayer(context), pins: new PinLayer(context) });
}

/** The panels of the kinds of places; one is shown at a time. */
class KindsPanel {
  #context;
  #kinds;
  #toggles;
  #lists;
  #shown = "spots";
  view;

  constructor(context, kinds) {
    this.#context = context;
    this.#kinds = kinds;
    this.#toggles = [["spots", phrase("spots.title")], ["pins", phrase("pins.title")]].map(([kind, name]) => [kind, button(name, () => context.go("places", [kind]), { class: "segment", "data-testid": `places-${kind}` })]);
    this.#lists = element("div", { class: "stack" },
      element("div", { class: "segments", role: "group", "aria-label": phrase("map.view") }, this.#toggles.map(([, toggle]) => toggle)), kinds.spots.view, kinds.pins.view);
    const { card } = context;
    this.view = element("div", { class: "places" }, card.view, this.#lists);
    // On a phone the card of the selected place is in the panel, in place of the list.
    card.onChange = () => {
      const isFilled = card.view.childElementCount > 0;
      setShown(this.#lists, !isFilled);
      if (isFilled) context.raise();
    };
  }

  /** Shows the rest of the address: a kind, and optionally the id of an item. */
  show([kind, id] = []) {
    this.#shown = kind === "pins" ? "pins" : "spots";
    this.#context.layer()?.choose(this.#shown);
    for (const [each, toggle] of this.#toggles) {
      setAttribute(toggle, "aria-pressed", each === this.#shown);
      setShown(this.#kinds[each].view, each === this.#shown);
    }
    this.#kinds[this.#shown].show(id);
  }

  /** Draws the shown kind. */
  draw() {
    this.#kinds[this.#shown].draw();
  }
}

/** The layers of the kinds of places; one is shown at a time. */
class KindsLayer {
  #layers;
  #shown = "spots";
  #isActive = false;

  constructor(layers) {
    this.#layers = layers;
  }

  /** The layer of a kind. */
  of(kind) {
    return this.#layers[kind];
  }

  /** Shows a kind in place of the previous one. */
  choose(kind) {
    this.#shown = kind;
    this.#arrange();
  }

  /** Shows or hides the current kind with the section. */
  setActive(active) {
    this.#isActive = active;
    this.#arrange();
  }

  /** Draws the callout of the current kind. */
  draw() {
    this.#layers[this.#shown].draw();
  }

  /** Removes all layers from the map. */
  remove() {
    for (const layer of Object.values(this.#layers)) layer.remove();
  }

  #arrange() {
    for (const [kind, layer] of Object.entries(this.#layers)) layer.setActive(this.#isActive && kind === this.#shown);
  }
}

/** The number of spots that the list shows at first: it is drawn anew with each move of the map. */
const FEW = 20;

class SpotsPanel {
  #context;
  #around = element("p", { class: "hint", "data-testid": "spots-around" });
  #list = element("ol", { class: "spots", "data-testid": "spots" });
  #state = element("p", { class: "hint", role: "status", "data-testid": "spots-state" });
  #now = button(phrase("spots.now"), () => this.#fetchNow(), { "data-testid": "spots-now", hidden: true });
  #again = button(phrase("tryAgain"), () => this.spots.read(), { "data-testid": "spots-retry", hidden: true });
  #more = button("", () => this.#showAll(), { "data-testid": "spots-all", hidden: true });
  #showsAll = false;
  #rows;
  spots;
  view;

  /** @param {{session: object, map: () => object|null, go: Function}} context */
  constructor(context) {
    this.#context = context;
    const { session } = context;
    this.spots = new Spots(session.client);
    this.#rows = new KeyedList(this.#list, (id) => this.#row(id));
    const here = button(phrase("spots.addHere"), () => this.#add(session.here), { class: "filled", "data-testid": "spot-add-here" });
    const there = button(phrase("pickOnMap"), () => this.#point(), { "data-testid": "spot-add-there" });
    this.view = element("div", { class: "stack" },
      element("div", { class: "row places-add", role: "group", "aria-label": phrase("spots.add") }, here, there), this.#now, this.#around, this.#list, this.#more, this.#state, this.#again);
    this.spots.addEventListener("change", () => this.draw());
  }

  /** Shows the spots around, or with an id one of them. */
  show(id) {
    const { session, map } = this.#context;
    const where = session.here ?? map()?.center ?? null;
    if (where !== null) this.spots.readAround(where);
    this.#context.layer()?.select(id ?? null);
    this.draw();
  }

  /** Draws the list. */
  draw() {
    const { all, state, error, around } = this.spots;
    // In saving mode the shown spots may be five minutes old.
    setShown(this.#now, this.#context.session.isSaving);
    const from = this.#context.session.here ?? around;
    if (from === null) return this.spots.state === "unread" ? this.#readLater() : undefined;
    const nearest = [...all].sort((a, b) => metresBetween(from, a) - metresBetween(from, b));
    const shown = this.#showsAll ? nearest : nearest.slice(0, FEW);
    this.#rows.show(shown, (spot) => spot.id, from);
    setShown(this.#more, shown.length < nearest.length);
    setText(this.#more, phrase("spots.all", { count: nearest.length }));
    setText(this.#around, all.length === 0 ? "" : this.#context.session.here ? phrase("spots.nearYou") : phrase("spots.nearMiddle"));
    setText(this.#state, state === "failed" ? explain(error) : state !== "read" && all.length === 0 ? waiting(this.#context.session.client) : all.length === 0 ? phrase("spots.none") : "");
    setShown(this.#again, state === "failed");
  }

  #showAll() {
    this.#showsAll = true;
    const { length } = this.#list.children;
    this.draw();
    this.#list.children[length]?.querySelector("button").focus();
  }

  // The map is created after the panel.
  #readLater() {
    const map = this.#context.map();
    if (map !== null) this.spots.readAround(map.center);
  }

  async #fetchNow() {
    const here = await findPosition(this.#context, { noun: "search", isFresh: true });
    if (!here) return;
    await this.spots.readAt(here);
    const { all, state } = this.spots;
    if (state === "read") toast(all.length === 0 ? phrase("spots.now.none") : phrase("spots.now.count", { count: all.length }));
  }

  async #point() {
    const place = await pickPlace(this.#context, { noun: "spot", at: this.#context.map()?.center });
    if (place) this.#add(place);
  }

  #add(place) {
    if (place === null) {
      toast(phrase("spots.unplaced"));
      return;
    }
    const left = new AbortController();
    const onAdded = async (spot) => {
      dialog.close();
      // The spot's callout opens and would lie under a toast, so the message is only announced.
      announce(phrase("spots.added", { name: spotName(spot) }));
      this.spots.put(spot);
      this.#context.go("places", ["spots", spot.id]);
    };
    const dialog = openDialog(phrase("spots.add"), addSpotForm(this.#context.session, place, { onAdded, signal: left.signal }), { testid: "spot-dialog" });
    dialog.addEventListener("close", () => left.abort());
  }

  #row(id) {
    const { client, me } = this.#context.session;
    const name = element("span", { class: "spot-name" });
    const line = element("span", { class: "hint" });
    const said = element("p", { class: "spot-said" });
    const photo = new SpotPhoto(this.#context.session);
    const open = button("", () => this.#context.go("places", ["spots", id]), { class: "spot-open", "data-testid": "spot-show" });
    open.append(name, line);
    let spot = null;
    const votes = voteButtons(client, () => spot, (changed) => this.spots.put(changed));
    return {
      item: element("li", { "data-testid": "spot", "data-spot": id }, open, photo.view, said, element("div", { class: "row" }, votes.view)),
      show: (next, from) => {
        spot = next;
        setText(name, spotName(spot));
        setText(line, [spot.category, away(metresBetween(from, spot)), spot.author.id === me ? phrase("byYou") : phrase("by", { name: isolated(spot.author.name) })].filter(Boolean).join(" · "));
        setAttribute(open, "aria-label", phrase("spots.show", { name: spotName(spot), about: line.textContent }));
        setText(said, spotSaid(spot));
        setShown(said, said.textContent !== "");
        photo.draw(spot);
        votes.draw();
      },
    };
  }
}
