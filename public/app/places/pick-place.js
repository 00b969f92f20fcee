import { focusHeading } from "../shell/focus.js";
import { metresBetween } from "../map/geometry.js";
import { button, element, setAttribute, setShown, setText, stylesheet } from "../ui/dom.js";
import { lineIcon } from "../ui/icons.js";
import { announce } from "../shell/toasts.js";
import { explain, distance } from "../ui/text.js";
import { phrase } from "../ui/words.js";

/** The pause in typing after which the search begins, in milliseconds, and the maximum number of results. */
const REST = 300;
const MOST = 5;

/** The zoom for a place by the kind of a search result: a street is shown closer than a country. */
const ZOOMS = { house: 17, street: 16, other: 16, locality: 14, city: 12, state: 7, country: 5 };

/** The minimum zoom at which a place is picked. */
const NEAR = 15;

const MARK = "M12 1.500A7.500 7.500 0 0 0 4.500 9c0 5.200 7.500 13.500 7.500 13.500S19.500 14.200 19.500 9A7.500 7.500 0 0 0 12 1.500Zm0 10.300a2.800 2.800 0 1 1 0-5.600 2.800 2.800 0 0 1 0 5.600Z";

let current = null;

/**
 * Picks a place on the map in one step: the map moves below a fixed mark, or a search moves it.
 *
 * Escape, × and leaving the section cancel.
 * @param {{session: object, map: () => object|null}} context
 * @param {object} options
 * @param {string} options.noun what is placed, such as "event"
 * @param {{lat: number, lon: number, zoom?: number}|null} [options.at] where the map begins
 * @param {string} [options.query] a text that is searched for at once
 * @param {(place: object) => Promise<boolean>} [options.use] receives the place; returns whether the choice is over
 * @returns {Promise<{lat: number, lon: number, name: string|null}|null>} null when it is cancelled
 */
export async function pickPlace({ session, map: mapOf }, { noun, at = null, query = "", use = async () => true }) {
  const map = mapOf();
  if (map === null) return null;
  await stylesheet("/app/places/places.css");
  current?.();
  const { leaflet } = map;
  const workspace = leaflet.getContainer().closest(".workspace");
  return new Promise((resolve) => {
    const ended = new AbortController();
    /** The search result below the mark; null when the map has been moved. */
    let found = null;
    let asked = 0;
    let timer = null;
    const input = element("input", { type: "search", "aria-label": phrase("pick.search"), placeholder: phrase("pick.search.hint"), autocomplete: "off", maxlength: 2048, "data-testid": "pick-search" });
    const results = element("ul", { class: "pick-results", "aria-label": phrase("pick.places"), "data-testid": "pin-places", hidden: true });
    const said = element("p", { class: "hint", role: "status", "data-testid": "pin-found", hidden: true });
    const sources = element("p", { class: "hint", "data-testid": "pin-attribution", hidden: true });
    const close = button("", () => finish(null), { class: "icon", "aria-label": phrase("cancel"), title: phrase("cancel"), "data-testid": "point-cancel" });
    close.append(lineIcon("close"));
    const name = element("h2", { "data-testid": "pick-name" });
    const where = element("p", { class: "hint", role: "status", "data-testid": "pin-where" });
    const take = button(phrase("pick.use"), async () => {
      const place = { ...map.center, name: found?.name ?? null };
      if (await use(place)) finish(place);
    }, { class: "filled", "data-testid": "point-here" });
    const mark = element("div", { class: "pick-mark", "aria-hidden": "true" });
    const drawing = lineIcon("place");
    drawing.classList.remove("line");
    drawing.firstChild.setAttribute("d", MARK);
    mark.append(drawing);
    const view = element("div", { class: "pick-place", role: "group", "aria-label": phrase(`pick.of.${noun}`), "data-testid": "pick-place" },
      element("div", { class: "pick-search" }, input, close, element("div", { class: "pick-found" }, said, results, sources)), mark,
      element("div", { class: "pick-card" }, name, where, take));

    const finish = (place) => {
      if (current !== cancel) return;
      current = null;
      ended.abort();
      clearTimeout(timer);
      leaflet.off("movestart", leave).off("move", tell);
      view.remove();
      workspace?.classList.remove("is-picking");
      focusHeading();
      resolve(place);
    };
    const cancel = () => finish(null);
    current = cancel;

    /** Forgets the search result when the map is moved away from it. */
    const leave = () => {
      if (!isMoving) found = null;
    };
    let isMoving = false;
    const tell = () => {
      const { center } = map;
      setText(name, found?.name ?? phrase("place.onMap"));
      const { here } = session;
      setText(where, [found?.label !== found?.name ? found?.label : null, here ? phrase("pick.far", { distance: distance(metresBetween(here, center)) }) : null].filter(Boolean).join(" · ") || phrase("pick.move"));
      setAttribute(view, "data-lat", center.lat);
      setAttribute(view, "data-lon", center.lon);
    };
    const show = (place, zoom) => {
      isMoving = true;
      leaflet.setView([place.lat, place.lon], zoom, { animate: false });
      isMoving = false;
      tell();
    };
    const choose = (place) => {
      found = place;
      show(place, Math.max(ZOOMS[place.type] ?? 14, 5));
      setShown(results, false);
      setShown(said, false);
      take.focus();
    };
    const search = async ({ isQuiet = false } = {}) => {
      const q = input.value.trim();
      const number = ++asked;
      setShown(said, false);
      setShown(results, false);
      setShown(sources, false);
      if (q === "") return;
      const { lat, lon } = map.center;
      let words = "";
      try {
        const { places, attribution } = await session.client.request("geocode", { q, limit: MOST, complete: true, lat, lon });
        if (number !== asked) return;
        results.replaceChildren(...places.map((place) => row(place, choose)));
        setShown(results, places.length > 0);
        setText(sources, attribution.join(" · "));
        setShown(sources, places.length > 0 && attribution.length > 0);
        if (places.length === 0) words = phrase("pick.none");
        else announce(phrase("pick.found", { count: places.length }), { isUrgent: false });
      } catch (error) {
        // A server without a gazetteer finds no places; moving the map still works.
        words = ["unknown_type", "unavailable"].includes(error.code) ? phrase("pick.unknown") : explain(error);
      }
      if (number !== asked || isQuiet) return;
      setText(said, words);
      setShown(said, words !== "");
    };
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, REST);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && !results.hidden) results.querySelector("button").focus();
      if (event.key !== "Enter") return;
      event.preventDefault();
      clearTimeout(timer);
      void search();
    });
    view.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      cancel();
    });
    addEventListener("hashchange", cancel, { signal: ended.signal });
    leaflet.on("movestart", leave).on("move", tell);
    workspace?.classList.add("is-picking");
    leaflet.getContainer().after(view);
    leaflet.closePopup();
    leaflet.invalidateSize({ animate: false, pan: false });
    const begin = at ?? session.here ?? map.center;
    show(begin, begin.zoom ?? Math.max(NEAR, leaflet.getZoom()));
    input.value = query;
    if (query !== "") void search({ isQuiet: true });
    take.focus();
  });
}

/** A row of a search result. */
function row(place, choose) {
  const partly = place.match === "partial" ? (["city", "locality"].includes(place.type) ? phrase("pick.town") : phrase("pick.partly")) : null;
  const surroundings = place.label === place.name ? null : place.label;
  const made = button("", () => choose(place), { class: "pick-result", "data-testid": "pin-place" });
  made.append(element("span", {}, place.name), element("span", { class: "hint" }, [surroundings, partly].filter(Boolean).join(" · ")));
  return element("li", {}, made);
}
