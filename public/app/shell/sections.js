import { phrase } from "../ui/words.js";

/**
 * The sections of the page; those with an icon are its tabs, in this order.
 *
 * A section is a folder. Its module is imported at the first visit and exports
 *
 * - `route`, `title`: its part of the address, and its name
 * - `panel(context)`: `{view, show(rest), draw(), hide(), actions, isInner}`, its panel beside the map; `rest` is the rest
 *   of the address; optional: `hide` is called when it is not shown any more, `actions` is an element beside the title, and
 *   `isInner` says whether the view has a head of its own in place of the title, as it has by default for any `rest`
 * - `layer(context)`: a promise of `{draw(), setActive(isActive), remove()}`, its layer on the map; null without one
 *
 * | field | meaning |
 * |---|---|
 * | `tab` | the tab that is current in a section without its own |
 * | `inGroup` | the address is within the shown group |
 * | `isScreen` | on a phone it covers the map |
 * | `attend` | imports a module for notifications that are independent of the shown section |
 *
 * When the map is ready, `attend({session, go})` of such a module is called. It returns `{visited(section, rest)}`,
 * which receives each visited address.
 *
 * `context` is `{session, layer(), map(), go(to, rest, options), showPlace(place), raise(), asOf(), closeChat(), walk(),
 * signOut(why)}`. `layer()` and `map()` return null until they exist. The context of a layer has the `map` itself, and
 * its `stage`. `raise()` raises the sheet of a phone to half of the page. `asOf()` is the time of the lost connection.
 * From 1200 pixels on the section `chat` is in a dock beside the other sections; `closeChat()` closes it.
 */
export const SECTIONS = [
  { route: "people", icon: "map", inGroup: true, load: () => import("../people/people.js") },
  { route: "chat", icon: "chat", inGroup: true, isScreen: true, load: () => import("../chats/chats.js") },
  { route: "events", icon: "calendar", load: () => import("../events/events.js") },
  { route: "places", icon: "place", load: () => import("../places/places.js"), attend: () => import("../places/news.js") },
  { route: "you", icon: "person", isScreen: true, load: () => import("../you/you.js") },
  { route: "plans", tab: "events", load: () => import("../plans/plans.js") },
];

/** The section of the map and the list of people. */
export const HOME = "people";

/** The section of chats. */
export const CHAT = "chat";

/** A section by its route. */
export function sectionOf(route) {
  return SECTIONS.find((section) => section.route === route);
}

/** The name of a section. */
export function titleOf({ route }) {
  return phrase(`sections.${route}`);
}
