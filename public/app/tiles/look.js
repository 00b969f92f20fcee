import { element, setAttribute } from "../ui/dom.js";

/** From how many points on a cluster is of which class: larger, of another colour, and with one ring more. */
const CLASSES = [[1000, "thousands"], [100, "hundreds"], [10, "tens"], [0, "few"]];

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Draws a cluster of so many points. */
export function drawCluster(face, count) {
  setAttribute(face, "class", `pin cluster ${CLASSES.find(([least]) => count >= least)[1]}`);
  const wanted = `count ${count}`;
  if (face.dataset.drawn === wanted) return;
  face.dataset.drawn = wanted;
  face.replaceChildren(element("span", { class: "cluster-count" }, short.format(count)));
}

/** How many points a feature stands for. */
export function countOf(feature) {
  return feature.properties.point_count ?? 1;
}
