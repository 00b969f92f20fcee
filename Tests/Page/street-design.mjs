/** The design of the street map in the form of `Tests/Fixtures/streets.json`, by which share pictures are drawn, too. */
import { AREAS, MAIN_STREET, PLACE_NAMES, ROADS, STREET_NAMES, THEMES, drawnKind, edgeWidth, roadColours, width } from "/app/streets/style.js";

/** The names of the colours that pictures use. */
const COLOURS = [
  "beyond", "land", "built", "industrial", "farmland", "campus", "park", "forest", "grass", "pitch", "cemetery", "beach", "rock", "glacier", "wetland",
  "water", "building", "buildingEdge", "square", "pier", "street", "streetEdge", "middle", "middleEdge", "major", "majorEdge", "motorway", "motorwayEdge",
  "path", "rail", "border", "text", "textMajor", "place", "halo",
];
const KINDS = [...ROADS, "track", "path", "rail", "river", "stream", "unheard_of"];
const SAME = ["unclassified", "road", "busway", "footway", "cycleway", "bridleway", "steps", "canal", "ditch", "drain", "primary", "unheard_of"];
const ZOOMS = [7, 10, 10.9, 11, 11.5, 12, 12.99, 13, 13.5, 14, 14.75, 15, 16, 17.25, 18, 19];

/** The design of the light theme. */
export function streetDesign() {
  const { light } = THEMES;
  const rounded = (number) => Math.round(number * 1e6) / 1e6;
  const rule = ({ from, size, rank, to }) => ({ from, size, rank, ...(to === undefined ? {} : { to }) });
  const main = Object.entries(STREET_NAMES).filter(([, { rank }]) => rank >= MAIN_STREET);
  return {
    colours: Object.fromEntries(COLOURS.map((name) => [name, light[name]])),
    haloWidth: light.haloWidth,
    zooms: ZOOMS,
    widths: Object.fromEntries(KINDS.map((kind) => [kind, ZOOMS.map((zoom) => rounded(width(kind, zoom)))])),
    edgeWidths: ZOOMS.map((zoom) => rounded(edgeWidth(zoom))),
    roads: ROADS,
    roadColours: Object.fromEntries(ROADS.map((kind) => [kind, ZOOMS.map((zoom) => {
      const { fill, edge } = roadColours(kind, zoom, light);
      return [fill, edge];
    })])),
    drawnKinds: Object.fromEntries(SAME.map((kind) => [kind, drawnKind(kind)])),
    areas: AREAS.map(([kind, colour]) => [kind, light[colour]]),
    streetNames: Object.fromEntries(main.map(([kind, each]) => [kind, rule(each)])),
    placeNames: Object.fromEntries(Object.entries(PLACE_NAMES).map(([kind, each]) => [kind, rule(each)])),
  };
}
