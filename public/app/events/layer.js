import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { PlaceCallout, calloutBody } from "../places/callout.js";
import { TileLayer } from "../tiles/tile-layer.js";
import { button, element, setAttribute } from "../ui/dom.js";
import { isolated, moment } from "../ui/text.js";

const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric" });
const hour = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/**
 * Events on the map: the tiles of public events and of the shown group's, a card of one event, and the circle of a
 * search.
 */
export class EventLayer {
  #context;
  #map;
  #everybody;
  #group;
  #callout;
  #circle = null;
  #isActive = false;
  #isOpen = false;

  /** @param {{session: object, map: object, discover: object, go: Function}} context */
  constructor(context) {
    this.#context = context;
    this.#map = context.map.leaflet;
    this.#callout = new PlaceCallout(this.#map, 220);
    const hand = {
      className: "event-marker", nouns: ["event", "events"], draw,
      label: ({ properties: { title, startsAt } }) => `Event: ${isolated(title)}, ${moment(startsAt)}`,
      row: ({ properties: { title, startsAt } }) => `${isolated(title)}, ${moment(startsAt)}`,
      onPick: (feature) => this.#show(feature),
    };
    this.#everybody = new TileLayer(context, hand);
    this.#group = new TileLayer(context, { ...hand, nouns: ["event of the group", "events of the group"] });
    this.#map.on("click", () => this.#leave());
    // The card belongs to the previous view of the map.
    this.#map.on("dragstart zoomstart", () => this.#leave());
  }

  /** Shows the events of the shown group besides the public ones. */
  draw() {
    const { group } = this.#context.session;
    this.#everybody.show(this.#isActive ? "events" : null);
    this.#group.show(this.#isActive && group !== null ? `events:${group}` : null);
  }

  /** Shows or hides the layer with its section. */
  setActive(active) {
    this.#isActive = active;
    if (!active) {
      this.#leave();
      this.circle(null);
      this.#context.discover.hide();
    }
    this.draw();
  }

  /** Closes the card when the panel shows an event. */
  select(id) {
    if (id !== null) this.circle(null);
    this.#leave();
  }

  /** Draws the radius of a search; null removes it. */
  circle(area) {
    this.#circle?.remove();
    this.#circle = null;
    if (area === null || !this.#isActive || typeof area.lat !== "number") return;
    this.#circle = L.circle([area.lat, area.lon], { radius: area.radius, pane: "accuracy", interactive: false, className: "event-circle", fill: true }).addTo(this.#map);
  }

  /** Removes the layer from the map. */
  remove() {
    this.#leave();
    this.circle(null);
    this.#everybody.remove();
    this.#group.remove();
  }

  #leave() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#callout.close();
  }

  #show({ geometry: { coordinates: [lon, lat] }, properties: { id, title, startsAt, category, approximate } }) {
    const open = button("Open", () => this.#context.go("events", [id]), { class: "filled small", "data-testid": "event-card-open" });
    const view = calloutBody(`event-card-${id}`, () => this.#leave(),
      [element("h2", { class: "callout-name" }, title), element("p", { class: "hint" }, [moment(startsAt), category, approximate && "somewhere around here"].filter(Boolean).join(" · "))], open);
    this.#callout.put(view, { lat, lon });
    this.#isOpen = true;
    // It opens at the pressed point, so the map does not move.
    this.#callout.open();
    open.focus();
  }
}

function draw(face, pin, { properties: { id, startsAt, approximate } }) {
  setAttribute(face, "class", `pin event-face${approximate ? " rough" : ""}`);
  setAttribute(pin, "data-event", id);
  const words = `${day.format(startsAt)} ${hour.format(startsAt)}`;
  if (face.dataset.drawn === words) return;
  face.dataset.drawn = words;
  face.replaceChildren(element("span", { class: "event-day" }, day.format(startsAt)), element("span", { class: "event-hour" }, hour.format(startsAt)));
}
