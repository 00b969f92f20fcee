/**
 * The sections of the page, in the order of the rail. A section is a folder: its module is imported at the first visit
 * and exports
 *
 * - `route`, `title`: its place in the address, and its name
 * - `panel(context)`: `{view, show(rest), draw()}`, what stands beside the map; `rest` is what follows in the address
 * - `layer(context)`: a promise of `{draw(), setActive(isActive), remove()}`, what it has on the map; null without
 *
 * Its `attend`, where there is one, is called once the map is there, whatever is shown: `attend(context)` of the module
 * that it gives tells of what comes by itself.
 *
 * `context` is `{session, map, go(path)}`; `map` comes a moment after the panel.
 */
export const SECTIONS = [
  {
    route: "people", title: "People", load: () => import("../people/people.js"),
    icon: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm8 0a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 20c0-4 3-6.500 7-6.500s7 2.500 7 6.500v1H2Zm16 1h4v-1c0-3-2-5-5-5l-.6.03c1 1.300 1.600 3 1.600 5Z",
  },
  {
    route: "places", title: "Places", load: () => import("../places/places.js"), attend: () => import("../places/news.js"),
    icon: "M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7Zm0 9.500a2.500 2.500 0 1 1 0-5 2.500 2.500 0 0 1 0 5Z",
  },
  {
    route: "you", title: "You", load: () => import("../you/you.js"),
    icon: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 4a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7Zm0 14a8 8 0 0 1-6-2.700c1-2 3.400-3.300 6-3.300s5 1.300 6 3.300A8 8 0 0 1 12 20Z",
  },
];
