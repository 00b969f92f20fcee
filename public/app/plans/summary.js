import { button, element } from "../ui/dom.js";
import { moment } from "../ui/text.js";
import { phrase } from "../ui/words.js";
import { cost, costInWords, walking } from "./words.js";

/** A plan in a list: its name, its cost and duration, and its stops. */
export function summary(plan, onOpen) {
  const open = button("", onOpen, { class: "plan-open", "data-testid": "plan-show" });
  open.append(element("span", { class: "plan-name" }, plan.name), figures(plan));
  return element("li", { class: "plan-row", "data-testid": "plan", "data-plan": plan.id ?? "" }, open,
    element("ol", { class: "plan-places" }, plan.stops.map(({ place, arriveAt }) =>
      element("li", {}, place.name, arriveAt === null || plan.startsAt === null ? null : element("span", { class: "hint" }, ` ${moment(arriveAt)}`)))));
}

/** Walking, cost and stops in one line. */
export function figures(plan) {
  return element("span", { class: "hint plan-figures", "data-testid": "plan-figures" }, `${walking(plan)} · `,
    element("span", { "aria-hidden": "true" }, cost(plan.cost)), element("span", { class: "hidden-visually" }, costInWords(plan.cost)), ` · ${phrase("count.stops", { count: plan.stops.length })}`);
}

/** The attributions of places. */
export function attribution(names) {
  return element("p", { class: "hint", "data-testid": "plan-attribution" }, names.join(" · "));
}
