import * as L from "/vendor/leaflet/leaflet.esm.min.js";
import { TileLayer } from "../tiles/tile-layer.js";
import { setAttribute } from "../ui/dom.js";
import { isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { dateBlock } from "./words.js";

/** Events on the map: the tiles of public events and of the shown group's, and the circle of a search. */
export class EventLayer {
  #context;
  #map;
  #everybody;
  #group;
  #circle = null;
  #isActive = false;

  /** @param {{session: object, map: object, discover: object, go: Function}} context */
  constructor(context) {
    this.#context = context;
    this.#map = context.map.leaflet;
    const hand = {
      className: "event-marker", counted: (count) => phrase("count.events", { count }), title: phrase("events.onMap"), draw,
      label: ({ properties: { title, startsAt } }) => phrase("event.pin", { title: isolated(title), when: moment(startsAt) }),
      row: ({ properties: { title, startsAt } }) => `${isolated(title)}, ${moment(startsAt)}`,
      onPick: ({ properties: { id } }) => context.go("events", [id]),
    };
    this.#everybody = new TileLayer(context, hand);
    this.#group = new TileLayer(context, { ...hand, counted: (count) => phrase("count.groupEvents", { count }), title: phrase("events.ofGroup.onMap") });
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
      this.circle(null);
      this.#context.discover.hide();
    }
    this.draw();
  }

  /** Removes the circle when the panel shows an event. */
  select(id) {
    if (id !== null) this.circle(null);
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
    this.circle(null);
    this.#everybody.remove();
    this.#group.remove();
  }
}

function draw(face, pin, { properties: { id, startsAt, approximate } }) {
  setAttribute(face, "class", `pin event-face${approximate ? " rough" : ""}`);
  setAttribute(pin, "data-event", id);
  if (face.dataset.drawn === String(startsAt)) return;
  face.dataset.drawn = String(startsAt);
  face.replaceChildren(dateBlock(startsAt));
}
