import { metresBetween } from "../map/geometry.js";
import { button, element, setShown, setText } from "../ui/dom.js";
import { distance, isolated, moment, people } from "../ui/text.js";

/** The state of the gathering: number, place, start, absent members, and the user's own distance. */
export class GatheringCard {
  // The distance changes with every step, so it is outside of the live region.
  #headline = element("span", { role: "status", "data-testid": "gathering" });
  #distance = element("span", { "data-testid": "gathering-distance" });
  #absent = element("span", { role: "status", "data-testid": "gathering-absent" });
  #place;
  view;

  /** @param {{onPlace: () => void, onHistory: () => void}} actions of its two buttons */
  constructor({ onPlace, onHistory }) {
    this.#place = button("Show on map", onPlace, { class: "link", "data-testid": "gathering-show" });
    const past = button("Past gatherings", onHistory, { class: "link", "data-testid": "gatherings-open" });
    this.view = element("section", { class: "gathering", "aria-label": "Together", "data-testid": "gathering-card" },
      element("p", { class: "gathering-words" }, this.#headline, this.#distance, this.#absent),
      element("div", { class: "gathering-foot" }, this.#place, past));
  }

  /**
   * Shows the current state.
   * @param {object|null} gathering from the roster
   * @param {{members: object[], me: string, here: object|null, now: number}} about `here`: the user's position, null
   *   when it is unknown
   */
  show(gathering, { members, me, here, now }) {
    this.view.classList.toggle("together", gathering !== null);
    setShown(this.#place, gathering !== null);
    if (gathering === null) {
      setText(this.#headline, members.length > 1 ? "Not together right now" : "Only you so far: invite your friends");
      setText(this.#distance, "");
      return setText(this.#absent, "");
    }
    // Such a gathering ends after a delay, or continues when the members return.
    const isParting = gathering.together.length < 2;
    const away = isParting ? "" : standing(gathering, { me, here });
    setText(this.#headline, isParting ? `Just parted · together since ${moment(gathering.since, now)}` : headline(gathering, members.length, now));
    setText(this.#distance, away);
    setText(this.#absent, isParting ? "" : missing(gathering, { members, me, isDistant: away !== "" }));
  }
}

function headline({ state, place, together, since }, members, now) {
  const count = `${together.length} of ${members}`;
  const start = `since ${moment(since, now)}`;
  if (state === "moved") return `${count} together ${start}, now at ${place.name ? isolated(place.name) : "another place"}`;
  return `${count} ${place.name ? `at ${isolated(place.name)}` : "together"} ${start}`;
}

function missing({ absent }, { members, me, isDistant }) {
  const names = absent.filter((id) => id !== me).map((id) => members.find((member) => member.user === id)?.name ?? "somebody");
  // A user who sees their own distance is not also listed as absent.
  if (absent.includes(me) && !isDistant) names.push("you");
  return names.length > 0 ? `, without ${people(names)}` : "";
}

function standing({ together, place }, { me, here }) {
  if (together.includes(me) || here === null) return "";
  return `, you are ${distance(metresBetween(here, place))} away`;
}
