import { busyWhile, button, element, setText } from "../ui/dom.js";
import { field } from "../ui/form.js";
import { explain } from "../ui/text.js";

/** The maximum lengths of a text and a link. The text may be a map link while its place is looked up. */
const TEXT = 200;
const LINK = 2048;

/**
 * A form for the text of a pin. The user picks a place found for the text, their own position, or a point on the map.
 * @param {object} session
 * @param {{onChosen: (draft: object, place: {lat: number, lon: number, zoom: number}) => void, onHere: (draft: object)
 *   => void, onPoint: (draft: object) => void, near: object|null}} options
 */
export function postForm({ client }, { onChosen, onHere, onPoint, near }) {
  const text = field("Where are you?", { maxlength: LINK, autocomplete: "off", placeholder: "Naschmarkt, Vienna", "data-testid": "pin-text" },
    { hint: "Everybody who is signed in sees it." });
  const link = field("Link (optional)", { type: "url", maxlength: LINK, autocomplete: "off", placeholder: "https://…", "data-testid": "pin-link" });
  const rough = element("input", { type: "checkbox", "data-testid": "pin-approximate" });
  const find = element("button", { type: "submit", class: "filled", "data-testid": "pin-find" }, "Find the place");
  const mine = button("Where I am", () => take(() => onHere(draft())), { "data-testid": "pin-here" });
  const point = button("Point at the map", () => take(() => onPoint(draft())), { "data-testid": "pin-point" });
  const found = element("ul", { class: "pin-places", "aria-label": "Places that it may be", "data-testid": "pin-places" });
  const state = element("p", { class: "hint", role: "status", "data-testid": "pin-found" });
  const sources = element("p", { class: "hint", "data-testid": "pin-attribution" });
  const form = element("form", { class: "stack", novalidate: true }, text.row, link.row,
    element("label", { class: "choice" }, rough, element("span", {}, element("strong", {}, "Only roughly"), element("span", { class: "hint" }, "Nobody is told the place better than to a kilometre."))),
    element("div", { class: "row" }, find, mine, point), state, found, sources);

  const draft = () => ({ text: text.input.value.trim(), ...(link.input.value.trim() && { link: link.input.value.trim() }), ...(rough.checked && { approximate: true }) });

  /** The draft for a found place. The label of the place replaces a link that is too long for a text. */
  const draftFor = (place) => (draft().text.length > TEXT ? { ...draft(), text: place.label } : draft());

  /** Runs an action if the input is valid, and shows the errors otherwise. */
  function take(act, longest = TEXT) {
    const { text: said, link: address } = draft();
    text.complain(!said ? "Say where you are." : said.length > longest ? `Say it in at most ${longest} characters.` : null);
    link.complain(!address || isAddress(address) ? null : "A link begins with https:// and a host.");
    if (text.isWrong) return text.input.focus();
    if (link.isWrong) return link.input.focus();
    return act();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    take(() => busyWhile(find, async () => {
      found.replaceChildren();
      setText(state, "Looking…");
      setText(state, await look());
    }), LINK);
  });

  /** Lists the places found for the text; returns the message to show. */
  async function look() {
    let places = [];
    let attribution = [];
    try {
      ({ places, attribution } = await client.request("geocode", { q: draft().text, limit: 5, ...(near && { lat: near.lat, lon: near.lon }) }));
    } catch (error) {
      // A server without a gazetteer finds no places; pointing at the map still works.
      return error.code === "unknown_type" || error.code === "unavailable" ? "Places cannot be looked up now. Point at the map instead." : explain(error);
    }
    setText(sources, attribution.join(" · "));
    if (places.length === 0) return "No such place is known. Point at the map instead.";
    found.replaceChildren(...places.map((place) => element("li", {}, button(place.label, () => take(() => onChosen(draftFor(place), { lat: place.lat, lon: place.lon, zoom: zoomOf(place) }), LINK),
      { class: "link", "data-testid": "pin-place" }), place.match === "partial" ? element("span", { class: "hint" }, ` — ${partly(place)}`) : null)));
    found.querySelector("button").focus();
    return "Which one is it?";
  }

  return { view: form, complain: (name, words) => ({ text, link })[name]?.complain(words), focus: () => text.input.focus() };
}

/** The hint for a place that matches only part of the text. */
function partly({ type }) {
  return type === "city" || type === "locality" ? "only the town was found, move the pin to the street" : "only part of the text was found";
}

/** The zoom for a place: a street is shown closer than a country. */
function zoomOf({ type }) {
  return { house: 17, street: 16, other: 16, locality: 14, city: 12, state: 7, country: 5 }[type] ?? 14;
}

function isAddress(text) {
  return /^https?:\/\/[^/?#@\s\\]+([/?#]|$)/i.test(text);
}
