import { distance } from "../ui/text.js";
import { lasting } from "../ui/times.js";
import { phrase } from "../ui/words.js";

/** The page's names of the place categories. */
export const CATEGORIES = ["restaurant", "cafe", "bar", "fastfood", "park", "art", "sight", "amusement", "shopping", "sport"];

/** The name of a category. */
export function categoryName(category) {
  return phrase(`category.${category}`);
}

/** The length and duration of a plan: "1.2 km, 18 min on foot". */
export function walking({ distance: metres, duration }) {
  return metres === 0 ? phrase("plan.onePlace") : phrase("plan.walk", { distance: distance(metres), duration: lasting(duration * 1000) });
}

/** The cost of a day, with `~` before an estimate: "~€€". */
export function cost({ level, known, of }) {
  const guess = known < of ? "~" : "";
  return guess + price(level);
}

/** The cost in words, for screen readers. */
export function costInWords({ level, known, of }) {
  const words = phrase(`cost.${level}`);
  return known < of ? phrase("cost.about", { cost: words, known, count: of }) : words;
}

/** A level of prices as signs: "free", "€" to "€€€€". */
export function price(level) {
  return level === 0 ? phrase("cost.0") : "€".repeat(level);
}
