import { counted, distance, lasting } from "../ui/text.js";

/** The categories of places, in the words of the page. */
export const CATEGORIES = {
  restaurant: "Restaurant", cafe: "Café", bar: "Bar", fastfood: "Fast food", park: "Park", art: "Art", sight: "Sight",
  amusement: "Amusement", shopping: "Shopping", sport: "Sport",
};

/** What a plan takes: "1.2 km, 18 min on foot". */
export function walking({ distance: metres, duration }) {
  return metres === 0 ? "all at one place" : `${distance(metres)}, ${lasting(duration * 1000)} on foot`;
}

/** What a day costs, `~` before a guess: "~€€". */
export function cost({ level, known, of }) {
  const guess = known < of ? "~" : "";
  return level === 0 ? `${guess}free` : guess + "€".repeat(level);
}

/** The same for readers, who would hear signs. */
export function costInWords({ level, known, of }) {
  const words = ["free", "cheap", "moderate", "expensive", "very expensive"][level];
  return known < of ? `about ${words}, prices of ${known} of ${counted(of, "place")} are known` : words;
}
