import { attempt, announce, showCard } from "../shell/toasts.js";
import { button, element, setShown, setText, stylesheet } from "../ui/dom.js";
import { excerpt } from "../ui/names.js";
import { away, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { SpotPhoto, spotName, spotSaid, voteButtons } from "./spot.js";

/** The maximum length of a spot's text in the card. */
const WORDS = 80;

/** The time after which an untouched card closes, in milliseconds. */
const STAYS = 20_000;

/**
 * Subscribes to spots near the user, and shows the newest one in a card with vote buttons and a link to it.
 * @returns {{visited: (section: string, rest: string[]) => void}} `visited` drops the visited spot from the card
 */
export function attend({ session, go }) {
  const { client } = session;
  let card = null;
  let looked = null;
  client.addEventListener("new_spot", ({ detail: { spot, distance: metres } }) => {
    if (spot.id === looked) return;
    stylesheet("/app/places/places.css");
    if (card === null || !card.isOpen) card = new NewSpotCard(session, () => go("places", ["spots"]), (id) => go("places", ["spots", id]));
    card.add(spot, metres);
  });
  client.addEventListener("spot", ({ detail: { spot } }) => card?.change(spot.id, spot));
  client.addEventListener("spot_changed", ({ detail: { spot, likes, dislikes } }) => card?.change(spot, { likes, dislikes }));
  client.addEventListener("spot_gone", ({ detail: { spot } }) => card?.drop(spot));
  attempt(() => client.watchSpots({ scope: "nearby" }));
  return {
    visited(section, [kind, id]) {
      looked = section === "places" && kind === "spots" ? id ?? null : null;
      if (looked !== null) card?.drop(looked);
    },
  };
}

/** The distance of a spot in words; null when the server has not sent it. */
function farOf(metres) {
  return typeof metres === "number" ? away(metres) : null;
}

/** One card for all new spots: the newest, and the number of the others. */
class NewSpotCard {
  #spots = [];
  #name = element("h2", { class: "spot-name" });
  #far = element("p", { class: "hint", "data-testid": "new-spot-far" });
  #said = element("p", { class: "spot-said" });
  #photo;
  #more;
  #votes;
  #card;

  constructor(session, onAll, onShow) {
    const { client } = session;
    this.#photo = new SpotPhoto(session);
    this.#votes = voteButtons(client, () => this.#newest, () => {});
    const leaving = (act) => () => {
      this.#card.close();
      act();
    };
    this.#more = button("", leaving(onAll), { class: "link", "data-testid": "new-spot-more" });
    const show = button(phrase("show"), () => leaving(() => onShow(this.#newest.id))(), { class: "small filled", "data-testid": "new-spot-show" });
    this.#card = showCard(phrase("spot.new"), [
      element("div", { class: "new-spot-head" }, element("div", {}, this.#name, this.#far), this.#photo.view), this.#said,
      element("div", { class: "row" }, this.#votes.view, show), this.#more,
    ], { stays: STAYS, testid: "new-spot" });
  }

  /** Whether the card is still shown. */
  get isOpen() {
    return this.#card.isOpen;
  }

  get #newest() {
    return this.#spots[0].spot;
  }

  /** Adds a spot; the newest one is shown and announced. */
  add(spot, metres) {
    this.#spots.push({ spot, metres });
    this.#spots.sort((one, other) => other.spot.at - one.spot.at);
    this.#draw();
    if (this.#newest !== spot) return;
    this.#card.stayOn();
    announce([phrase("spot.new.said", { name: spotName(spot) }), farOf(metres)].filter(Boolean).join(", "), { isUrgent: false });
  }

  /** Applies changes to a spot. */
  change(id, changes) {
    const held = this.#spots.find(({ spot }) => spot.id === id);
    if (!held) return;
    held.spot = { ...held.spot, ...changes };
    this.#draw();
  }

  /** Removes a deleted or visited spot. */
  drop(id) {
    this.#spots = this.#spots.filter(({ spot }) => spot.id !== id);
    if (this.#spots.length === 0) this.#card.close();
    else this.#draw();
  }

  #draw() {
    const [{ spot, metres }, ...others] = this.#spots;
    setText(this.#name, spotName(spot));
    setText(this.#far, [farOf(metres), phrase("by", { name: isolated(spot.author.name) })].filter(Boolean).join(" · "));
    const said = spotSaid(spot);
    setText(this.#said, excerpt(said, WORDS));
    setShown(this.#said, said !== "");
    setText(this.#more, phrase("spot.new.more", { count: others.length }));
    setShown(this.#more, others.length > 0);
    this.#photo.draw(spot);
    this.#votes.draw();
  }
}
