import { gatherings as fetchGatherings } from "../../muster.js";
import { avatar } from "../ui/avatar.js";
import { button, element, setShown, setText } from "../ui/dom.js";
import { capital, people } from "../ui/names.js";
import { explain, isolated } from "../ui/text.js";
import { lasting, span } from "../ui/times.js";
import { phrase } from "../ui/words.js";
import { duration } from "./group-rules.js";

const PER_PAGE = 10;

/** The delay before a reload, in milliseconds: the server stores a gathering shortly after its notification. */
const WRITTEN = 1500;

/** A group's past gatherings, newest first, in pages. It reloads them when a gathering begins, moves or ends. */
export class History {
  #session;
  #onPlace;
  #group = null;
  #known = new Map();
  #next = null;
  #reading = null;
  #heading = element("h2", {});
  #list = element("ol", { class: "timeline", "data-testid": "gatherings" });
  #state = element("p", { class: "hint", role: "status", "data-testid": "gatherings-state" });
  #again = button(phrase("tryAgain"), () => this.#read(), { "data-testid": "gatherings-retry", hidden: true });
  #more = button(phrase("showMore"), () => this.#read({ older: true }), { "data-testid": "gatherings-more", hidden: true });
  view;

  /**
   * @param {{session: object, onPlace: (place: {lat: number, lon: number}) => void, onBack: () => void}} options
   *   `onPlace`: shows a place on the map
   */
  constructor({ session, onPlace, onBack }) {
    this.#session = session;
    this.#onPlace = onPlace;
    const back = button(phrase("history.back"), onBack, { class: "link", "data-testid": "gatherings-back" });
    this.view = element("section", { class: "stack history", "data-testid": "gatherings-panel", hidden: true }, back, this.#heading, this.#list, this.#state, this.#again, this.#more);
    session.client.addEventListener("roster", ({ detail }) => {
      if (this.#group === null || detail.group !== this.#group.id || !detail.gathering) return;
      clearTimeout(this.#reading);
      this.#reading = setTimeout(() => this.#read(), WRITTEN);
    });
  }

  /** Shows the history of a group; null shows none. */
  show(group) {
    setShown(this.view, group !== null);
    const isSame = group !== null && group.id === this.#group?.id;
    this.#group = group;
    if (group === null) return clearTimeout(this.#reading);
    setText(this.#heading, phrase("history.title", { name: isolated(group.name) }));
    if (isSame) return;
    this.#known.clear();
    this.#next = null;
    this.#list.replaceChildren();
    setShown(this.#more, false);
    this.#read();
  }

  async #read({ older = false } = {}) {
    const group = this.#group;
    if (group === null) return;
    setShown(this.#again, false);
    if (this.#known.size === 0) setText(this.#state, phrase("loading"));
    try {
      const page = await fetchGatherings(location.origin, this.#session.token, group.id, { after: older ? this.#next : null, limit: PER_PAGE });
      if (group.id !== this.#group?.id) return;
      // A newer first page does not change the start of the older pages.
      if (older || this.#known.size === 0) this.#next = page.next;
      for (const gathering of page.gatherings) this.#known.set(gathering.gathering, gathering);
      setText(this.#state, this.#known.size === 0 ? nothingYet(group.settings) : "");
      this.#draw(older ? page.gatherings[0]?.gathering : null);
    } catch (error) {
      setText(this.#state, explain(error));
      setShown(this.#again, true);
    }
    setShown(this.#more, this.#next !== null);
  }

  #draw(focused) {
    const { client, me, roster } = this.#session;
    const newestFirst = [...this.#known.values()].sort((a, b) => (BigInt(a.gathering) < BigInt(b.gathering) ? 1 : -1));
    const held = document.activeElement?.closest?.("[data-gathering]")?.dataset.gathering ?? focused;
    this.#list.replaceChildren(...newestFirst.map((gathering) => entry(gathering, { now: client.now(), me, members: roster?.members, onPlace: this.#onPlace })));
    if (held) this.#list.querySelector(`[data-gathering="${held}"] button`)?.focus();
  }
}

function nothingYet({ dwell }) {
  return dwell === 0 ? phrase("history.none") : phrase("history.none.dwell", { time: duration(dwell) });
}

function entry({ gathering, since, endedAt, place, participants }, { now, me, members, onPlace }) {
  const lasts = endedAt === undefined;
  const you = phrase("you.within");
  const names = participants.map(({ id, name }) => (id === me ? you : name)).sort((a, b) => Number(a === you) - Number(b === you));
  const where = button(place.name || phrase("history.onMap"), () => onPlace(place), {
    class: "link", "aria-label": place.name ? phrase("history.show", { name: isolated(place.name) }) : phrase("history.show.place"), "data-testid": "gathering-place" });
  const who = capital(people(names, 5));
  return element("li", { class: lasts ? "lasting" : "", "data-testid": "past-gathering", "data-gathering": gathering },
    element("p", { class: "timeline-when" }, element("time", { datetime: new Date(since).toISOString() }, span(since, lasts ? null : endedAt, now))),
    element("div", { class: "timeline-where" },
      element("span", lasts ? { class: "tag accent" } : {}, lasts ? phrase("history.lasting") : lasting(endedAt - since)), element("span", { "aria-hidden": "true" }, "·"), where),
    element("div", { class: "timeline-who" },
      element("div", { class: "faces" }, participants.slice(0, 6).map((person) => avatar(members?.get(person.id) ?? person, { size: "small" }))),
      element("span", {}, who)));
}
