import { mapLinks } from "../map/links.js";
import { foreignLink } from "../pins/link.js";
import { element } from "../ui/dom.js";
import { decimal, distance, isolated, moment } from "../ui/text.js";
import { lasting } from "../ui/times.js";
import { phrase } from "../ui/words.js";
import { attribution, figures } from "./summary.js";
import { categoryName, price } from "./words.js";

/** An opened plan: its stops with times, routes and details; `actions` are below its name. */
export function detail(plan, actions) {
  return element("article", { class: "plan-detail stack", "aria-label": plan.name, "data-testid": "plan-detail" },
    element("h2", { tabindex: "-1" }, plan.name), element("p", {}, figures(plan)), actions,
    element("ol", { class: "plan-stops", "data-testid": "plan-stops" }, plan.stops.map((stop, index) => entry(stop, index))), attribution(plan.attribution));
}

function entry({ place, arriveAt, leaveAt, open, leg }, index) {
  const hours = place.openingHours === null ? null : phrase("plan.open", { hours: place.openingHours });
  const known = [categoryName(place.category), place.rating === null ? null : phrase("plan.rating", { stars: decimal(place.rating), count: place.ratings }), place.priceLevel === null ? null : price(place.priceLevel)];
  return element("li", { "data-testid": "plan-stop" },
    leg === null ? null : element("p", { class: "plan-leg hint" }, `${phrase("plan.leg", { duration: lasting(leg.duration * 1000), distance: distance(leg.distance) })}${leg.from === "estimate" ? phrase("plan.estimated") : ""}`),
    element("h3", {}, `${index + 1}. ${isolated(place.name)}`),
    arriveAt === null ? null : element("p", { "data-testid": "plan-times" }, phrase("plan.times", { from: moment(arriveAt), to: moment(leaveAt) }),
      open === false ? element("strong", { class: "problem" }, phrase("plan.closed")) : open === null ? element("span", { class: "hint" }, phrase("plan.unknownHours")) : null),
    element("p", { class: "hint" }, known.filter(Boolean).join(" · ")),
    [place.address, hours].filter(Boolean).map((line) => element("p", { class: "hint" }, line)),
    place.phone === null ? null : element("p", {}, element("a", { href: `tel:${place.phone.replace(/[^+\d]/g, "")}` }, place.phone)),
    place.website === null ? null : foreignLink(place.website),
    mapLinks(place, place.name));
}
