import { announce } from "../shell/toasts.js";
import { busyWhile, button, element, setShown, setText } from "../ui/dom.js";
import { choice, field } from "../ui/form.js";
import { phrase } from "../ui/words.js";
import { CATEGORIES, categoryName } from "./words.js";

/** The maximum number of places in a plan. */
const MOST = 6;

const PACES = [["close", true], ["balanced", false], ["famous", true]];

/**
 * A form for a plan request: ordered categories, the pace, the start and the time.
 * @param {object} options
 * @param {() => Promise<object|null>} options.locate finds the user's position once
 * @param {() => Promise<object|null>} options.point waits for a point on the map
 * @param {(wish: object) => Promise<void>} options.onWish receives the request
 */
export function wishForm({ locate, point, onWish }) {
  const chosen = [];
  let place = null;
  const list = element("ol", { class: "plan-chips", "aria-label": phrase("wish.order"), "data-testid": "plan-chips" });
  const more = element("div", { class: "plan-categories", role: "group", "aria-label": phrase("wish.add") },
    CATEGORIES.map((category) => button(`+ ${categoryName(category)}`, () => add(category), { class: "small", "data-testid": `plan-add-${category}` })));
  const none = element("p", { class: "problem", "data-testid": "plan-chips-problem", hidden: true }, phrase("wish.missing"));
  const paces = element("fieldset", { class: "stack" }, element("legend", {}, phrase("wish.pace")),
    PACES.map(([value, hasHint]) => choice("pace", value, phrase(`wish.pace.${value}`), hasHint ? phrase(`wish.pace.${value}.hint`) : null, value === "balanced", `plan-pace-${value}`)));
  const start = field(phrase("wish.start"), { type: "datetime-local", "data-testid": "plan-at" }, { hint: phrase("wish.start.hint") });
  const where = element("p", { class: "hint", role: "status", "data-testid": "plan-origin" });
  const there = button(phrase("wish.elsewhere"), async () => {
    place = (await point()) ?? place;
    tell();
  }, { "data-testid": "plan-origin-point" });
  const find = element("button", { type: "submit", class: "filled", "data-testid": "plan-suggest" }, phrase("wish.suggest"));
  const form = element("form", { class: "stack", novalidate: true }, list, none, more, paces, start.row,
    element("div", { class: "row" }, where, there), find);

  const tell = () => setText(where, place ? phrase("wish.fromPlace") : phrase("wish.fromHere"));

  function add(category) {
    if (chosen.length === MOST) return announce(phrase("wish.most", { count: MOST }));
    chosen.push({ category });
    draw();
    announce(phrase("wish.added", { name: categoryName(category), count: chosen.length }));
  }

  function move(item, by) {
    const from = chosen.indexOf(item);
    const to = from + by;
    if (to < 0 || to >= chosen.length) return;
    chosen.splice(from, 1);
    chosen.splice(to, 0, item);
    draw();
    announce(phrase("wish.moved", { name: categoryName(item.category), count: to + 1, of: chosen.length }));
  }

  function remove(item) {
    const at = chosen.indexOf(item);
    chosen.splice(at, 1);
    draw();
    announce(phrase("wish.removed", { name: categoryName(item.category) }));
    const next = chosen[Math.min(at, chosen.length - 1)];
    (next ? next.row : more).querySelector("button").focus();
  }

  function draw() {
    const held = document.activeElement;
    list.replaceChildren(...chosen.map((item, index) => {
      item.row ??= chip(item);
      const name = categoryName(item.category);
      const [earlier, later, away] = item.row.querySelectorAll("button");
      earlier.setAttribute("aria-label", phrase("wish.earlier", { name, count: index + 1 }));
      later.setAttribute("aria-label", phrase("wish.later", { name, count: index + 1 }));
      away.setAttribute("aria-label", phrase("wish.remove", { name, count: index + 1 }));
      earlier.setAttribute("aria-disabled", String(index === 0));
      later.setAttribute("aria-disabled", String(index === chosen.length - 1));
      return item.row;
    }));
    if (list.contains(held)) held.focus();
    setShown(more, chosen.length < MOST);
    if (chosen.length > 0) setShown(none, false);
  }

  function chip(item) {
    const row = element("li", { class: "plan-chip", "data-testid": "plan-chip", "data-category": item.category }, element("span", {}, categoryName(item.category)),
      button("↑", () => move(item, -1), { class: "icon", "data-testid": "plan-chip-up" }),
      button("↓", () => move(item, 1), { class: "icon", "data-testid": "plan-chip-down" }),
      button("×", () => remove(item), { class: "icon", "data-testid": "plan-chip-remove" }));
    row.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      move(item, by);
    });
    return row;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setShown(none, chosen.length === 0);
    if (chosen.length === 0) return more.querySelector("button").focus();
    busyWhile(find, async () => {
      const from = place ?? (await locate());
      if (from === null) return;
      await onWish({
        categories: chosen.map(({ category }) => category), pace: form.elements.pace.value,
        // The server repeats the guess of the start itself, and then does not store it.
        ...(!from.isGuess && { lat: from.lat, lon: from.lon }),
        ...(start.input.value && { at: new Date(start.input.value).getTime() }),
      });
    });
  });
  return { view: form, tell };
}
