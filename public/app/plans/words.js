import { counted, distance, lasting } from "../ui/text.js";

/** The page's names of the place categories. */
export const CATEGORIES = {
  restaurant: "Restaurant", cafe: "Café", bar: "Bar", fastfood: "Fast food", park: "Park", art: "Art", sight: "Sight",
  amusement: "Amusement", shopping: "Shopping", sport: "Sport",
};

/** The length and duration of a plan: "1.2 km, 18 min on foot". */
export function walking({ distance: metres, duration }) {
  return metres === 0 ? "all at one place" : `${distance(metres)}, ${lasting(duration * 1000)} on foot`;
}

/** The cost of a day, with `~` before an estimate: "~€€". */
export function cost({ level, known, of }) {
  const guess = known < of ? "~" : "";
  return level === 0 ? `${guess}free` : guess + "€".repeat(level);
}

/** The cost in words, for screen readers. */
export function costInWords({ level, known, of }) {
  const words = ["free", "cheap", "moderate", "expensive", "very expensive"][level];
  return known < of ? `about ${words}, prices of ${known} of ${counted(of, "place")} are known` : words;
}
