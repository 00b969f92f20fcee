import { metresBetween } from "../map/geometry.js";
import { attempt } from "../shell/toasts.js";
import { element, setAttribute, setShown, setText } from "../ui/dom.js";
import { field, select } from "../ui/form.js";
import { KeyedList } from "../ui/list.js";
import { away, distance, waiting } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { eventRow } from "./words.js";

/** The time without changes to the map or the fields before a new search, in milliseconds. */
const REST = 250;

/** The radii of the slider's steps, in kilometres. */
const RADII = [0.5, 1, 2, 5, 10, 20, 50];

const DAY = 86_400_000;

/** Events in the visible area, updated as the map moves, with filters. */
export class Discover {
  #context;
  #where;
  #radius;
  #far = element("output", { "data-testid": "events-far" });
  #words;
  #category;
  #time;
  #free = element("input", { type: "checkbox", "data-testid": "events-free" });
  #count = element("p", { class: "hint", role: "status", "data-testid": "events-count" });
  #list = element("ol", { class: "event-list", "data-testid": "events-list" });
  #rows;
  #timer = null;
  #asked = null;
  #isShown = false;
  #map = null;
  view;

  constructor(context) {
    this.#context = context;
    this.#rows = new KeyedList(this.#list, (id) => this.#row(id));
    this.#where = select(phrase("discover.where"), "events-where", [["view", phrase("map.view")], ["me", phrase("discover.me")], ["center", phrase("discover.middle")]]);
    this.#time = select(phrase("discover.when"), "events-when", [["", phrase("discover.any")], ["1", phrase("discover.day")], ["7", phrase("discover.week")], ["30", phrase("discover.month")]]);
    this.#radius = field(phrase("discover.far"), { type: "range", min: 0, max: RADII.length - 1, step: 1, value: 3, "data-testid": "events-radius" });
    this.#radius.input.after(this.#far);
    this.#words = field(phrase("discover.words"), { type: "search", maxlength: 80, autocomplete: "off", "data-testid": "events-words" });
    this.#category = field(phrase("discover.kind"), { maxlength: 40, autocomplete: "off", placeholder: phrase("event.form.kind.example"), "data-testid": "events-category" });
    const filters = element("details", { class: "event-filters" }, element("summary", {}, phrase("discover.filters")),
      element("div", { class: "stack" }, this.#words.row, this.#category.row, this.#time.row,
        element("label", { class: "choice" }, this.#free, element("span", {}, phrase("discover.free")))));
    this.view = element("section", { class: "stack", "aria-label": phrase("discover.title") }, this.#where.row, this.#radius.row, filters, this.#count, this.#list);
    this.view.addEventListener("input", () => this.#soon());
    this.view.addEventListener("change", () => this.#soon());
    const { client } = context.session;
    client.addEventListener("watched_events", () => this.draw());
  }

  /** Starts to search as the map moves. */
  show() {
    this.#isShown = true;
    this.#listen();
    this.#search();
    this.draw();
  }

  /** Stops searching. */
  hide() {
    this.#isShown = false;
    this.#asked = null;
    this.#context.session.client.watchEvents(null).catch(() => {});
  }

  /** Draws the results. */
  draw() {
    if (this.view.hidden) return;
    this.#listen();
    const { events, total, more, isAnswered } = this.#context.session.client.watchedEvents;
    const found = [...events.values()].sort((one, other) => one.startsAt - other.startsAt || (one.id < other.id ? -1 : 1));
    this.#rows.show(found, ({ id }) => id, this.#context.session.here);
    setText(this.#count, found.length === 0 ? (isAnswered && total === 0 ? phrase("discover.none") : waiting(this.#context.session.client)) : more ? phrase("discover.next", { events: phrase("count.events", { count: total }), count: found.length }) : phrase("count.events", { count: found.length }));
  }

  get #metres() {
    return RADII[Number(this.#radius.input.value)] * 1000;
  }

  // The map is created after the panel.
  #listen() {
    const map = this.#context.map();
    if (map === null || this.#map !== null) return;
    this.#map = map;
    map.leaflet.on("moveend", () => this.#soon());
    this.#search();
  }

  #soon() {
    this.#label();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), REST);
  }

  #label() {
    setText(this.#far, distance(this.#metres));
    setAttribute(this.#radius.input, "aria-valuetext", distance(this.#metres));
    setShown(this.#radius.row, this.#where.input.value !== "view");
  }

  #search() {
    this.#label();
    if (!this.#isShown || this.view.hidden) return;
    const place = this.#place();
    this.#context.layer()?.circle(place?.radius === undefined ? null : { ...this.#middle(place), radius: place.radius });
    if (place === null) return;
    const words = this.#words.input.value.trim();
    const category = this.#category.input.value.trim();
    const wanted = {
      ...place, ...(words && { q: words }), ...(category && { category }), ...(this.#free.checked && { free: true }),
      ...(this.#time.input.value && { until: Math.round(this.#context.session.client.now() / 60_000) * 60_000 + Number(this.#time.input.value) * DAY }),
    };
    const asked = JSON.stringify(wanted);
    if (asked === this.#asked) return;
    this.#asked = asked;
    attempt(() => this.#context.session.client.watchEvents(wanted)).then((isDone) => {
      if (isDone === false) this.#asked = null;
    });
  }

  #place() {
    const kind = this.#where.input.value;
    if (kind === "me") return { center: "me", radius: this.#metres };
    const map = this.#context.map();
    if (map === null) return null;
    if (kind === "center") return { center: { lat: round(map.center.lat), lon: round(map.center.lon) }, radius: this.#metres };
    const bounds = map.leaflet.getBounds();
    const isWhole = bounds.getEast() - bounds.getWest() >= 360;
    const [west, east] = isWhole ? [-180, 180] : [wrapped(bounds.getWest()), wrapped(bounds.getEast())];
    return { bbox: [west, Math.max(-90, bounds.getSouth()), east, Math.min(90, bounds.getNorth())].map(round) };
  }

  #middle({ center }) {
    return center === "me" ? (this.#context.session.here ?? this.#context.map()?.center) : center;
  }

  #row(id) {
    const row = eventRow(() => this.#context.go("events", [id]), { "data-testid": "event-open" });
    return {
      item: element("li", { "data-testid": "event", "data-event": id }, row.open),
      show: (event, here) => row.show(event, { far: here ? event.approximate ? phrase("about", { what: away(metresBetween(here, event)) }) : away(metresBetween(here, event)) : null }),
    };
  }
}

function wrapped(longitude) {
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

function round(degrees) {
  return Math.round(degrees * 1e5) / 1e5;
}
