import { bearing, metresBetween } from "../map/geometry.js";
import { avatar, faceKey } from "../ui/avatar.js";
import { button, element, setAttribute, setText } from "../ui/dom.js";
import { direction, distance, isolated } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The distance of the pointers from the edge in pixels, and their maximum number. */
const INSET = 34;
const MOST = 3;

/** Pointers at the edge of the map to members outside of it who have arrived since all members were last shown. */
export class EdgePointers {
  #map;
  #onChosen;
  #known = new Set();
  #members = [];
  #about = { me: undefined, here: null };
  #pointers = new Map();
  #view = element("div", { class: "edges" });

  /** @param {(user: string) => void} onChosen called when a pointer is pressed */
  constructor(stage, map, onChosen) {
    this.#map = map;
    this.#onChosen = onChosen;
    stage.append(this.#view);
  }

  /** Marks these members as known, so that they get no pointer: all members have just been shown. */
  forget(members) {
    this.#known = new Set(members.map((member) => member.user));
  }

  /** Shows pointers to the new ones of these members. */
  show(members, about) {
    this.#members = members;
    this.#about = about;
    this.arrange();
  }

  /** Updates the pointers after a move of the map. */
  arrange() {
    const leaflet = this.#map.leaflet;
    const shown = [];
    for (const member of this.#members) {
      if (this.#known.has(member.user) || member.user === this.#about.me) continue;
      if (this.#map.shows(member)) this.#known.add(member.user);
      else if (shown.length < MOST) shown.push(member);
    }
    const size = leaflet.getSize();
    const { top, right, bottom, left } = this.#map.covered();
    // The middle of the uncovered part, and its half extents within the inset.
    const middle = { x: (left + size.x - right) / 2, y: (top + size.y - bottom) / 2 };
    const reach = { x: (size.x - left - right) / 2 - INSET, y: (size.y - top - bottom) / 2 - INSET };
    const users = new Set(shown.map((member) => member.user));
    for (const [user, pointer] of this.#pointers) {
      if (users.has(user)) continue;
      pointer.view.remove();
      this.#pointers.delete(user);
    }
    for (const member of shown) {
      const pointer = this.#pointers.get(member.user) ?? this.#make(member.user);
      const way = leaflet.latLngToContainerPoint([member.lat, member.lon]).subtract([middle.x, middle.y]);
      const part = Math.min(reach.x / Math.abs(way.x || 1e-9), reach.y / Math.abs(way.y || 1e-9));
      pointer.view.style.left = `${Math.round(middle.x + way.x * part)}px`;
      pointer.view.style.top = `${Math.round(middle.y + way.y * part)}px`;
      pointer.view.style.setProperty("--turn", `${Math.round((Math.atan2(way.y, way.x) * 180) / Math.PI)}deg`);
      const from = this.#about.here ?? this.#map.center;
      const far = distance(metresBetween(from, member));
      setText(pointer.far, far);
      setAttribute(pointer.view, "aria-label", phrase("map.edge", { name: isolated(member.name), far, direction: direction(bearing(from, member)) }));
      if (pointer.face.dataset.key !== faceKey(member)) {
        pointer.face.dataset.key = faceKey(member);
        pointer.face.replaceChildren(avatar(member, { size: "small" }));
      }
    }
  }

  /** Removes all pointers. */
  remove() {
    this.#view.remove();
  }

  #make(user) {
    const face = element("span", {});
    const far = element("span", { class: "edge-far" });
    const view = button("", () => {
      this.#known.add(user);
      this.#onChosen(user);
    }, { class: "edge", "data-testid": `edge-${user}` });
    view.append(element("span", { class: "edge-arrow", "aria-hidden": "true" }), face, far);
    this.#view.append(view);
    const pointer = { view, face, far };
    this.#pointers.set(user, pointer);
    return pointer;
  }
}
