/**
 * The sections of the page, in the order of the rail.
 *
 * A section is a folder. Its module is imported at the first visit and exports
 *
 * - `route`, `title`: its part of the address, and its name
 * - `panel(context)`: `{view, show(rest), draw()}`, its panel beside the map; `rest` is the rest of the address
 * - `layer(context)`: a promise of `{draw(), setActive(isActive), remove()}`, its layer on the map; null without one
 *
 * A section may have an `attend` function, which imports a module for notifications that are independent of the shown
 * section. When the map is ready, `attend({session, go})` of this module is called. It returns
 * `{visited(section, rest)}`, which receives each visited address.
 *
 * `context` is `{session, layer(), map(), go(to, rest, options), showPlace(place), walk(), signOut(why)}`. `layer()`
 * and `map()` return null until they exist. The context of a layer has the `map` itself, and its `stage`.
 */
export const SECTIONS = [
  {
    route: "people", title: "People", load: () => import("../people/people.js"),
    icon: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm8 0a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 20c0-4 3-6.500 7-6.500s7 2.500 7 6.500v1H2Zm16 1h4v-1c0-3-2-5-5-5l-.6.03c1 1.300 1.600 3 1.600 5Z",
  },
  {
    route: "chat", title: "Chat", load: () => import("../chats/chats.js"),
    icon: "M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H8l-6 4V6a2 2 0 0 1 2-2Z",
  },
  {
    route: "places", title: "Places", load: () => import("../places/places.js"), attend: () => import("../places/news.js"),
    icon: "M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7Zm0 9.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5Z",
  },
  {
    route: "plans", title: "Plans", load: () => import("../plans/plans.js"),
    icon: "M6 2a4 4 0 0 0-4 4c0 3 4 7 4 7s4-4 4-7a4 4 0 0 0-4-4Zm0 5.500a1.500 1.500 0 1 1 0-3 1.500 1.500 0 0 1 0 3ZM18 9a4 4 0 0 0-4 4c0 3 4 7 4 7s4-4 4-7a4 4 0 0 0-4-4Zm0 5.500a1.500 1.500 0 1 1 0-3 1.500 1.500 0 0 1 0 3ZM5 15v5a2 2 0 0 0 2 2h8v-2H7v-5Z",
  },
  {
    route: "events", title: "Events", load: () => import("../events/events.js"),
    icon: "M7 2v2H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V6a2 2 0 0 0-2-2h-2V2h-2v2H9V2H7Zm-2 8h14v10H5V10Zm2 2v4h4v-4H7Z",
  },
  {
    route: "you", title: "You", load: () => import("../you/you.js"),
    icon: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 4a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7Zm0 14a8 8 0 0 1-6-2.700c1-2 3.400-3.300 6-3.300s5 1.300 6 3.300A8 8 0 0 1 12 20Z",
  },
];
