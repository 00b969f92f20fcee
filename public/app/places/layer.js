import { mapLinks } from "../map/links.js";
import { focusHeading } from "../shell/focus.js";
import { reportButton } from "../shell/report.js";
import { attempt, toast } from "../shell/toasts.js";
import { element, icon, setAttribute, setShown, setText } from "../ui/dom.js";
import { sureButton } from "../ui/form.js";
import { CalloutLayer } from "./callout-layer.js";
import { calloutBody } from "./callout.js";
import { SpotPhoto, spotName, spotSaid, voteButtons } from "./spot.js";
import { isolated } from "../ui/text.js";

const PIN = "M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7Zm0 9.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5Z";

/**
 * The map height that a callout leaves free for its tip, the marker and a margin, and its minimum height, in pixels.
 */
const BESIDE = 96;
const LOWEST = 120;

/** Spots on the map: the server's tiles of all spots, and a callout with comment and votes. */
export class SpotLayer extends CalloutLayer {
  #spots;

  /** @param {{session: object, map: object, spots: object, go: Function}} context */
  constructor(context) {
    super(context, "spots", 284, {
      className: "spot-marker", nouns: ["spot", "spots"], draw,
      label: ({ properties }) => `Spot: ${spotName(properties)}`,
      row: ({ properties }) => spotName(properties),
      onPick: ({ properties: { id } }) => context.go("places", ["spots", id]),
    });
    this.#spots = context.spots;
    this.#spots.addEventListener("change", () => this.draw());
    this.leaflet.on("moveend", () => {
      if (this.isActive) this.#spots.readAround(context.map.center, context.map.reach);
    });
  }

  /** Draws the callout with the known fields of its spot. */
  draw() {
    if (!this.isActive || this.selected === null) return;
    const spot = this.#spots.get(this.selected);
    if (this.open !== null && spot === null) this.leave();
    else if (this.open === null && spot !== null) this.#show(spot);
    else this.open?.draw();
  }

  select(id) {
    if (id !== null && id !== this.selected) attempt(() => this.#spots.look(id));
    super.select(id);
  }

  #show(spot) {
    this.open = this.#body(spot);
    this.callout.put(this.open.view, spot, Math.max(LOWEST, this.leaflet.getSize().y - BESIDE));
    this.callout.openAt(spot, 15, () => this.selected === spot.id);
  }

  #body({ id }) {
    const { client, me } = this.context.session;
    const spotNow = () => this.#spots.get(id);
    const votes = voteButtons(client, spotNow, (changed) => this.#spots.put(changed));
    const name = element("h2", { class: "callout-name" });
    const said = element("p", { class: "spot-said" });
    const by = element("p", { class: "hint" });
    const photo = new SpotPhoto(this.context.session);
    const { lat, lon, author, link } = spotNow();
    const view = calloutBody(`spot-callout-${id}`, () => this.leave(), [name, by], photo.view, said,
      mapLinks({ lat, lon, link }, spotName(spotNow())),
      element("div", { class: "row callout-actions" }, votes.view,
        author.id === me ? sureButton("Delete", "Delete this spot for everybody?", () => this.#delete(id), { class: "danger small", "data-testid": "spot-delete" })
          : reportButton(client, () => ({ what: "spot", subject: id }), { "data-testid": "spot-report" })));
    const drawn = {
      view,
      draw() {
        const spot = spotNow();
        setText(name, spotName(spot));
        setText(said, spotSaid(spot));
        setShown(said, said.textContent !== "");
        setText(by, `by ${spot.author.id === me ? "you" : isolated(spot.author.name)}`);
        photo.draw(spot);
        votes.draw();
      },
    };
    drawn.draw();
    return drawn;
  }

  async #delete(id) {
    const name = spotName(this.#spots.get(id));
    if (!await attempt(() => this.context.session.client.request("spot.delete", { spot: id }))) return;
    this.#spots.drop(id);
    toast(`${isolated(name)} is deleted.`);
    focusHeading();
  }
}

function draw(face, pin, { properties }) {
  setAttribute(face, "class", "pin spot");
  setAttribute(pin, "data-spots", `|${spotName(properties)}|`);
  if (face.dataset.drawn === "spot") return;
  face.dataset.drawn = "spot";
  face.replaceChildren(icon(PIN));
}
