import { directionsTo, mapAddresses } from "../map/links.js";
import { CalloutLayer } from "../places/callout-layer.js";
import { calloutBody } from "../places/callout.js";
import { openReport } from "../shell/report.js";
import { element, setAttribute } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { menuButton } from "../ui/menu.js";
import { placeName } from "../ui/names.js";
import { isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { foreignLink } from "./link.js";

/** Pins on the map: the server's tiles of all pins, and a callout with the text of the selected one. */
export class PinLayer extends CalloutLayer {
  #pins;
  /** Tile features of pins that are not in the table. */
  #features = new Map();
  /** The attributions that this layer has added to the map's control. */
  #named = [];

  /** @param {{session: object, map: object, pins: object, go: Function}} context */
  constructor(context) {
    super(context, "pins", {
      className: "pin-marker", counted: (count) => phrase("count.pins", { count }), title: phrase("pins.onMap"), draw,
      label: ({ properties }) => phrase("pin.pin", { name: isolated(properties.name), place: isolated(properties.label) }),
      row: ({ properties }) => `${isolated(properties.name)}: ${isolated(properties.label)}`,
      onPick: (feature) => this.#pick(feature),
    });
    this.#pins = context.pins;
    this.#pins.addEventListener("change", () => {
      this.#nameSources();
      this.draw();
    });
  }

  setActive(active) {
    super.setActive(active);
    this.#nameSources();
  }

  remove() {
    this.isActive = false;
    this.#nameSources();
    super.remove();
  }

  /** Shows the sources of the pins' labels in the map's attribution while pins are shown. */
  #nameSources() {
    const control = this.leaflet.attributionControl;
    // The control takes HTML.
    const names = this.isActive ? this.#pins.attribution.map((name) => element("span", {}, name).innerHTML) : [];
    for (const name of this.#named) control.removeAttribution(name);
    for (const name of names) control.addAttribution(name);
    this.#named = names;
  }

  /** Draws the callout with the known fields of its pin. */
  draw() {
    if (!this.isActive || this.selected === null) return;
    const pin = this.#known(this.selected);
    if (pin === null) {
      if (this.open !== null) this.leave();
      return;
    }
    const drawn = JSON.stringify([pin.user.name, pin.text, pin.label, pin.link, pin.lat, pin.lon]);
    if (this.open === drawn) return;
    this.#show(pin, this.open === null);
    this.open = drawn;
  }

  #pick({ geometry: { coordinates: [lon, lat] }, properties: { id, name, label, link } }) {
    this.#features.set(id, { id, user: { id: null, name }, text: "", label, lat, lon, link, at: null });
    this.context.go("places", ["pins", id]);
  }

  #known(id) {
    return this.#pins.get(id) ?? this.#features.get(id) ?? null;
  }

  #show(pin, isNew) {
    this.callout.put(this.#body(pin), pin);
    if (isNew) this.callout.openAt(pin, 13);
  }

  #body({ id, user, text, label, lat, lon, link, at }) {
    const { client, me } = this.context.session;
    const isOwn = user.id === me || this.#pins.own?.id === id;
    const title = text === "" ? (placeName(label) ?? phrase("pin.any")) : text;
    const where = placeName(label);
    const by = [isOwn ? phrase("pin.byYou") : phrase("pin.by", { name: isolated(user.name) }), at === null ? null : moment(at), phrase("seenByAll")].filter(Boolean).join(" · ");
    const directions = element("a", { class: "button filled", href: directionsTo({ lat, lon }), target: "_blank", rel: "noopener noreferrer" }, lineIcon("directions"), phrase("directions"));
    const more = menuButton(phrase("more"), () => [
      ...mapAddresses({ lat, lon }, title).map(({ app, address }) => ({ label: app, icon: "map", href: address })), null,
      { label: phrase("report.open"), icon: "flag", isDanger: true, testid: "pin-report", action: isOwn ? null : () => openReport(client, { what: "pin", subject: id }) },
    ], { class: "icon tonal round", "data-testid": "pin-more-actions" });
    return calloutBody(`pin-callout-${id}`, () => this.leave(),
      [element("h2", { class: "callout-name" }, title), element("p", { class: "hint" }, by)],
      where === null || where === title ? null : element("p", { class: "hint" }, where), link ? foreignLink(link) : null,
      element("div", { class: "row callout-actions" }, directions, more));
  }
}

function draw(face, pin, { properties }) {
  setAttribute(face, "class", "pin flag");
  setAttribute(pin, "data-pin", properties.id);
  if (face.dataset.drawn === "flag") return;
  face.dataset.drawn = "flag";
  face.replaceChildren(lineIcon("pin"));
}
