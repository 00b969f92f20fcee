import { metresBetween } from "../map/geometry.js";
import { directionsTo, mapAddresses } from "../map/links.js";
import { focusHeading } from "../shell/focus.js";
import { openReport } from "../shell/report.js";
import { attempt, toast } from "../shell/toasts.js";
import { element, setAttribute, setShown, setText } from "../ui/dom.js";
import { askInPlace } from "../ui/form.js";
import { lineIcon } from "../ui/icons.js";
import { menuButton } from "../ui/menu.js";
import { phrase } from "../ui/words.js";
import { CalloutLayer } from "./callout-layer.js";
import { calloutBody } from "./callout.js";
import { SpotPhoto, spotName, spotSaid, voteButtons } from "./spot.js";
import { distance, isolated } from "../ui/text.js";

/** Spots on the map: the server's tiles of all spots, and a callout with comment and votes. */
export class SpotLayer extends CalloutLayer {
  #spots;

  /** @param {{session: object, map: object, spots: object, go: Function}} context */
  constructor(context) {
    super(context, "spots", {
      className: "spot-marker", counted: (count) => phrase("count.spots", { count }), title: phrase("spots.onMap"), draw,
      label: ({ properties }) => phrase("spot.pin", { name: spotName(properties) }),
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
    this.callout.put(this.open.view, spot);
    this.callout.openAt(spot, 15);
  }

  #body({ id }) {
    const { session } = this.context;
    const { client, me } = session;
    const spotNow = () => this.#spots.get(id);
    const votes = voteButtons(client, spotNow, (changed) => this.#spots.put(changed));
    const name = element("h2", { class: "callout-name" });
    const said = element("p", { class: "spot-said" });
    const by = element("p", { class: "hint" });
    const photo = new SpotPhoto(this.context.session);
    const { lat, lon, author, link } = spotNow();
    const isOwn = author.id === me;
    const more = menuButton(phrase("more"), () => [
      ...mapAddresses({ lat, lon, link }, spotName(spotNow())).map(({ app, address }) => ({ label: app, icon: "map", href: address, testid: "map-link" })),
      null,
      { label: phrase("spot.delete.open"), icon: "remove", isDanger: true, testid: "spot-delete", action: isOwn ? () => askInPlace(actions, {
        question: phrase("spot.delete.sure"), yes: phrase("spot.delete"), no: phrase("keep"), testid: "spot-delete", back: more, action: () => this.#delete(id),
      }) : null },
      { label: phrase("report.open"), icon: "flag", isDanger: true, testid: "spot-report", action: isOwn ? null : () => openReport(client, { what: "spot", subject: id }) },
    ], { class: "icon tonal round", "data-testid": "spot-more-actions" });
    const directions = element("a", { class: "button filled", href: directionsTo({ lat, lon }), target: "_blank", rel: "noopener noreferrer", "data-testid": "spot-directions" }, lineIcon("directions"), phrase("directions"));
    const actions = element("div", { class: "row callout-actions" }, directions, votes.view, more);
    const view = calloutBody(`spot-callout-${id}`, () => this.leave(), [name, by], photo.view, said, actions);
    const drawn = {
      view,
      draw() {
        const spot = spotNow();
        setText(name, spotName(spot));
        setText(said, spotSaid(spot));
        setShown(said, said.textContent !== "");
        const { here } = session;
        setText(by, [spot.author.id === me ? phrase("spot.byYou") : phrase("spot.by", { name: isolated(spot.author.name) }), here && distance(metresBetween(here, spot)), phrase("seenByAll")].filter(Boolean).join(" · "));
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
    toast(phrase("deleted", { name: isolated(name) }));
    focusHeading();
  }
}

function draw(face, pin, { properties }) {
  setAttribute(face, "class", "pin spot");
  setAttribute(pin, "data-spots", `|${spotName(properties)}|`);
  if (face.dataset.drawn === "spot") return;
  face.dataset.drawn = "spot";
  face.replaceChildren(lineIcon("place"));
}
