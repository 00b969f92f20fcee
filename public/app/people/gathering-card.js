import { metresBetween } from "../map/geometry.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { element, setShown, setText } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { distance, isolated, moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { togetherNow } from "./person.js";

/** The number of faces on the card. */
const FACES = 2;

/** The gathered members, their place, and the distance to the nearest one. A press shows them and the user on the map. */
export class GatheringCard {
  #faces = element("span", { class: "faces", "aria-hidden": "true" });
  #headline = element("strong", { "data-testid": "gathering" });
  // A button's contents are not announced, and the distance changes with every step.
  #spoken = element("p", { role: "status", class: "hidden-visually" });
  #line = element("span", { class: "gathering-line", "data-testid": "gathering-distance" });
  #press;
  view;

  /** @param {() => void} onPress */
  constructor(onPress) {
    this.#press = element("button", { type: "button", class: "gathering", "data-testid": "gathering-show", onclick: onPress },
      this.#faces, element("span", { class: "gathering-words" }, this.#headline, this.#line), lineIcon("right"));
    this.view = element("section", { "aria-label": phrase("gathering"), "data-testid": "gathering-card" }, this.#press, this.#spoken);
  }

  /**
   * Shows the current state.
   * @param {object|null} gathering from the roster
   * @param {{members: object[], me: string, here: object|null, now: number, asOf: number|null}} about `here`: the user's
   *   position; `asOf`: the time of the last connection, null while there is one
   */
  show(gathering, { members, me, here, now, asOf }) {
    setShown(this.view, gathering !== null);
    if (gathering === null) return;
    const all = members.filter(({ user }) => gathering.together.includes(user));
    const current = togetherNow(gathering, members, asOf ?? now);
    const isPast = asOf !== null || current.length < 2;
    const shown = isPast ? all : current;
    this.#press.classList.toggle("past", isPast);
    this.#drawFaces(shown);
    if (gathering.together.length < 2) {
      this.#say(phrase("gathering.parted"));
      return setText(this.#line, phrase("gathering.since", { when: moment(gathering.since, now) }));
    }
    this.#say(isPast ? phrase("together.count.past", { count: shown.length }) : phrase("together.count", { count: shown.length }));
    const last = Math.max(...all.map(({ at }) => at ?? 0));
    setText(this.#line, isPast ? phrase("gathering.asOf", { when: moment(asOf ?? (last || now), now) }) : standing(gathering, current, { me, here, now }));
  }

  #say(words) {
    setText(this.#headline, words);
    setText(this.#spoken, words);
  }

  #drawFaces(members) {
    const wanted = members.map(faceKey).join();
    if (this.#faces.dataset.drawn === wanted) return;
    this.#faces.dataset.drawn = wanted;
    const more = members.length - FACES;
    this.#faces.replaceChildren(...members.slice(0, FACES).map((member) => avatar(member, { size: "small" })),
      ...(more > 0 ? [element("span", { class: "faces-more" }, `+${more}`)] : []));
  }
}

function standing({ place, since, together }, current, { me, here, now }) {
  const where = place?.name ? isolated(place.name) : null;
  if (together.includes(me)) return [where, phrase("gathering.withYou", { when: moment(since, now) })].filter(Boolean).join(" · ");
  const nearest = here === null ? null : Math.min(...current.map((member) => metresBetween(here, member)));
  return [where, nearest === null ? phrase("gathering.sinceOnly", { when: moment(since, now) }) : distance(nearest)].filter(Boolean).join(" · ");
}
